// What a text has in common with documents whose texts are at hand.

import { STATUS } from "../base/layout.js";
import { sourcesAt, sourcesOptions } from "./sources.js";

/** @typedef {import("./collection.js").Collection} Collection */
/** @typedef {import("./sources.js").Passage} Passage */
/** @typedef {{ document: number, text?: string }} Given */

/**
 * The passages of a text that each of some documents of a collection has.
 * @param {Collection} collection
 * @param {string} text
 * @param {Given[]} documents
 * @returns {Promise<Map<number, Passage[]>>} by the documents' numbers
 */
export async function commonPassages({ core, index, blocks }, text, documents) {
  const out = core.allocate(4);
  const options = sourcesOptions(core);
  let given = 0;
  /** @param {number} status */
  const check = (status) => {
    if (status !== STATUS.ok) throw blocks.problem(status);
  };
  try {
    await blocks.complete(() => begin(core, index, text, out));
    given = core.u32(out);
    for (const { document, text: theirs = "" } of documents) {
      // Whole texts may be long: the page stays alive between them.
      await new Promise((resolve) => setTimeout(resolve));
      const bytes = new TextEncoder().encode(theirs);
      const at = core.put(bytes);
      const { pocket_given_look } = core.calls;
      check(pocket_given_look(given, document, at, BigInt(bytes.length), core.error));
      core.free(at);
    }
    check(core.calls.pocket_given_found(given, 0, options, out, core.error));
    const { sources } = sourcesAt(core, core.u32(out));
    core.calls.pocket_sources_free(core.u32(out));
    return new Map(sources.map((source) => [source.document, source.passages]));
  } finally {
    core.calls.pocket_given_free(given);
    core.free(out, options);
  }
}

/**
 * @param {import("./core.js").Core} core
 * @param {number} index
 * @param {string} text
 * @param {number} out
 */
function begin(core, index, text, out) {
  return core.scratch((allocate) => {
    const bytes = new TextEncoder().encode(text);
    const at = allocate(bytes.length);
    const [texts, lengths] = [allocate(4), allocate(8)];
    core.bytes(at, bytes.length).set(bytes);
    core.setU32(texts, at);
    core.setU64(lengths, bytes.length);
    return core.calls.pocket_given_new(index, texts, lengths, 1, out, core.error);
  });
}
