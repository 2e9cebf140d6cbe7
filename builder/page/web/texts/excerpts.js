// What is shown of a hit's text: its beginning, or the longest passage that it has in common with
// the visitor's text.

const SNIPPET_CHARACTERS = 160; // of a beginning
const EXCERPT = 240; // characters around a passage, and at most of it
const BEFORE = 60; // of them before it
const NEAR = 24; // characters to go for the end of a word
const SPACE =
  "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const SPACES = new RegExp(`${SPACE}+`);

/** @typedef {{ text: string, same: boolean }} Piece a piece of an excerpt; is it in both texts? */
/** @typedef {{ from: number, to: number }} Place of a passage in a document */

/** @param {string} text */
export const oneLine = (text) => text.split(SPACES).filter(Boolean).join(" ");

/**
 * The beginning of a text, as docs/format.md 6.1 has it; characters are code points.
 * @param {string} text
 */
export function snippet(text, characters = SNIPPET_CHARACTERS) {
  // A code point has at most two units. White space may be long: then more is read until there is
  // enough.
  /** @type {string[]} */
  let line = [];
  for (let units = 4 * characters; ; units *= 4) {
    line = Array.from(oneLine(text.slice(0, units)));
    if (units >= text.length || line.length > characters + 1) break;
  }
  if (line.length <= characters) return line.join("");
  const space = line.lastIndexOf(" ", characters);
  const enough = space >= Math.floor((characters + 1) / 2);
  return line.slice(0, enough ? space : characters).join("");
}

/**
 * The beginning of a document, or what lies around the first of the passages.
 * @param {string} document
 * @param {Place[]} common
 */
export function excerpt(document, common) {
  if (common.length === 0) return [{ text: snippet(document), same: false }];
  const start = wordStart(document, Math.max(0, common[0].from - BEFORE));
  const end = wordEnd(document, Math.min(document.length, start + EXCERPT));
  /** @type {Piece[]} */
  const pieces = start > 0 ? [{ text: "… ", same: false }] : [];
  let at = start;
  /**
   * @param {number} to
   * @param {boolean} same
   */
  const add = (to, same) => {
    if (to > at) pieces.push({ text: document.slice(at, to), same });
    at = Math.max(at, to);
  };
  const inside = common.filter(({ from, to }) => to > start && from < end);
  for (const { from, to } of inside.sort((a, b) => a.from - b.from)) {
    add(Math.min(from, end), false);
    add(Math.min(to, end), true);
  }
  add(end, false);
  if (end < document.length) pieces.push({ text: " …", same: false });
  return pieces;
}

/**
 * Where the word begins that a place lies in, if that is near; never within a surrogate pair.
 * @param {string} text
 * @param {number} place
 */
function wordStart(text, place) {
  const from = Math.max(0, place - NEAR);
  const found = place > 0 ? text.slice(from, place).search(/\S+$/) : -1;
  return whole(text, found < 0 ? place : from + found);
}

/**
 * Where it ends, if that is near.
 * @param {string} text
 * @param {number} place
 */
function wordEnd(text, place) {
  const space = text.slice(place, place + NEAR).search(/\s/);
  return whole(text, place + (space < 0 ? Math.min(NEAR, text.length - place) : space));
}

/**
 * @param {string} text
 * @param {number} place
 */
export const whole = (text, place) =>
  /[\udc00-\udfff]/.test(text.charAt(place)) ? place + 1 : place;
