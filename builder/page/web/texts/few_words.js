// A few words, and where they stand in a text.

import { whole } from "./excerpts.js";

const FEW = 7; // words with the signs of a search among them are one
const LEAST_PASSAGE = 4; // words from which a document may have them in a row
const MOST_SEARCHED = 32; // words, at most, are searched for: a sentence; more are a text
const SIGNS = /"|(^|\s)-\S/; // of a search: a quote, a word that is left out
const LEAST_TYPED = 3; // letters that are searched for while they are typed; of pairs, one
const EXCERPT_CHARACTERS = 160; // of an excerpt
const BEFORE_WORD = 40; // of them before its first word, at most

// Scripts without spaces, in which two characters are a word.
const PAIRS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}" +
  "\\p{Script=Khmer}\\p{Script=Myanmar}";
const WORDS = new RegExp(`[${PAIRS}]{1,2}|[^\\s${PAIRS}]+`, "gu");

/** @typedef {import("./excerpts.js").Piece} Piece */

/**
 * Has a text some words, and at most so many?
 * @param {string} text
 * @param {number} most
 */
export function isFewWords(text, most = MOST_SEARCHED) {
  let count = 0;
  for (const _ of text.matchAll(WORDS)) if (++count > most) return false;
  return count > 0;
}

/**
 * What a visitor asks with a text: few words are searched for, a long text is asked with, and what
 * could be either is both.
 * @param {string} text
 * @returns {"words" | "both" | "text"}
 */
export function asksFor(text) {
  if (!isFewWords(text)) return "text";
  if (isFewWords(text, LEAST_PASSAGE - 1)) return "words";
  return SIGNS.test(text) && isFewWords(text, FEW) ? "words" : "both";
}

/**
 * Is there enough of a word to search for it while it is typed?
 * @param {string} text
 */
export const isBegun = (text) =>
  (text.match(/\p{L}|\p{N}/gu)?.length ?? 0) >= LEAST_TYPED ||
  new RegExp(`[${PAIRS}]`, "u").test(text);

/**
 * The piece of a line that has most of the words, the first of equal ones, as
 * reader/queries/marked.py has it.
 * @param {string} line
 * @param {[number, number][]} spans where the words stand in it, rising
 * @returns {Piece[]}
 */
export function wordExcerpt(line, spans) {
  const start = startOf(line, bestOf(line, spans));
  const end = endOf(line, start);
  /** @type {Piece[]} */
  const pieces = start > 0 ? [{ text: "… ", same: false }] : [];
  pieces.push(
    ...markedWords(
      line.slice(start, end),
      spans
        .filter(([from, to]) => from >= start && to <= end)
        .map(([from, to]) => [from - start, to - start]),
    ),
  );
  if (end < line.length) pieces.push({ text: " …", same: false });
  return pieces;
}

/**
 * Where the first word stands of the piece that has most different ones.
 * @param {string} line
 * @param {[number, number][]} spans
 */
function bestOf(line, spans) {
  let most = 0;
  let best = 0;
  spans.forEach(([begin], i) => {
    /** @type {Set<string>} */
    const words = new Set();
    for (const [from, to] of spans.slice(i)) {
      if (to >= begin + EXCERPT_CHARACTERS - BEFORE_WORD) break;
      words.add(line.slice(from, to).toLowerCase());
    }
    if (words.size <= most) return;
    most = words.size;
    best = begin;
  });
  return best;
}

/**
 * @param {string} line
 * @param {number} best
 */
function startOf(line, best) {
  if (best <= BEFORE_WORD || line.length <= EXCERPT_CHARACTERS) return 0;
  return line.lastIndexOf(" ", best - BEFORE_WORD / 2 - 1) + 1;
}

/**
 * @param {string} line
 * @param {number} start
 */
function endOf(line, start) {
  const end = start + EXCERPT_CHARACTERS;
  if (end >= line.length) return line.length;
  const space = line.lastIndexOf(" ", end - 1);
  return whole(line, Math.max(space, start + EXCERPT_CHARACTERS / 2));
}

/**
 * A text with words in it marked. Those that overlap, as pairs of characters do, are one piece.
 * @param {string} text
 * @param {[number, number][]} spans rising
 */
export function markedWords(text, spans) {
  /** @type {Piece[]} */
  const pieces = [];
  let at = 0;
  for (const [from, to] of spans) {
    const last = pieces.at(-1);
    if (from < at && last) {
      last.text += text.slice(at, Math.max(at, to));
    } else {
      if (from > at) pieces.push({ text: text.slice(at, from), same: false });
      pieces.push({ text: text.slice(from, to), same: true });
    }
    at = Math.max(at, to);
  }
  if (at < text.length) pieces.push({ text: text.slice(at), same: false });
  return pieces;
}
