// What is asked instead of words that no document has.

import { BYTES, REPLACED_FORM, REPLACEMENT, SEARCH_FOUND } from "../base/layout.js";

/** @typedef {import("./core.js").Core} Core */

/**
 * What is asked instead of the bytes start .. end - 1 of a text. step: the later, the greater.
 * @typedef {object} Replacement
 * @property {string} word
 * @property {string} instead
 * @property {number} start
 * @property {number} end
 * @property {number} step
 */

/**
 * @param {Core} core
 * @param {number} at a pocket_search_found
 * @param {Uint8Array} given
 * @param {Uint8Array} text
 * @returns {Replacement[]}
 */
export function replacementsAt(core, at, given, text) {
  const list = core.u32(at + SEARCH_FOUND.replacements);
  /** @type {(bytes: Uint8Array, start: number, end: number) => string} */
  const piece = (bytes, start, end) => new TextDecoder().decode(bytes.slice(start, end));
  return Array.from({ length: core.u32(at + SEARCH_FOUND.replacementCount) }, (_, i) => {
    const one = list + i * BYTES.replacement;
    const [start, end] = [core.u64(one + REPLACEMENT.start), core.u64(one + REPLACEMENT.end)];
    const { newStart, newEnd } = REPLACEMENT;
    return {
      word: piece(given, start, end),
      instead: piece(text, core.u64(one + newStart), core.u64(one + newEnd)),
      start,
      end,
      step: core.u32(one + REPLACEMENT.how) % REPLACED_FORM,
    };
  });
}
