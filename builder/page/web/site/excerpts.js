// What is shown of a page: where its parts have what was asked for.

import { wordsOf } from "./words.js";

/** @typedef {import("../core/core.js").Core} Core */
/** @typedef {import("./terms.js").Term} Term */
/** @typedef {[string, string, number, string]} Part id, title, level, text */
/** @typedef {{ start: number, end: number, terms: Set<number> }} Mark */

const WORDS = 30; // of an excerpt
const LEAD = 6; // words before the first mark
const ESCAPES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ESCAPES.get(sign) ?? sign);

/**
 * Where words of terms stand in a text, with the signs that were typed around them.
 * @param {Core} core
 * @param {string} text
 * @param {Term[]} terms
 * @param {Record<string, string>} letters
 * @returns {Mark[]}
 */
export function marksOf(core, text, terms, letters) {
  /** @type {Mark[]} */
  const marks = [];
  for (const { word, start, end } of wordsOf(core, text, letters)) {
    terms.forEach((term, number) => {
      if (!term.marks.has(word)) return;
      const { before, behind, typed } = term.asked;
      const from = text.endsWith(before, start) ? start - before.length : start;
      // Of a pair of characters that begins with the one that was typed, this one is marked.
      const own = begins(word, term.asked.word) ? start + typed.length : end;
      const to = text.startsWith(behind, own) ? own + behind.length : own;
      const last = marks[marks.length - 1];
      if (last && from < last.end) {
        last.start = Math.min(last.start, from);
        last.end = Math.max(last.end, to);
        last.terms.add(number);
      } else {
        marks.push({ start: from, end: to, terms: new Set([number]) });
      }
    });
  }
  return marks;
}

/**
 * Does a pair of characters, which languages without spaces have for words, begin with one?
 * @param {string} pair
 * @param {string} one
 */
const begins = (pair, one) => pair > "\u0800" && pair !== one && pair.startsWith(one);

/**
 * Do the words of a quote stand one behind the other in a text, within a paragraph of it?
 * @param {Core} core
 * @param {string} text
 * @param {string[]} quote
 * @param {Record<string, string>} letters
 */
export function hasQuote(core, text, quote, letters) {
  return text.split("\n").some((paragraph) => {
    const words = wordsOf(core, paragraph, letters).filter((word) => word.kind === 0);
    return words.some((_, i) => quote.every((word, k) => words[i + k]?.word === word));
  });
}

/**
 * @typedef {object} Excerpt
 * @property {string} html
 * @property {number} worth how much of the question it has
 * @property {Mark | null} first of its marks
 */

/**
 * The words of a text where most of the question is marked.
 * @param {string} text
 * @param {Mark[]} marks
 * @param {Term[]} terms
 * @returns {Excerpt}
 */
export function excerptOf(text, marks, terms) {
  const words = [...text.matchAll(/\S+/g)].map((found) => found.index);
  const of = (/** @type {number} */ place) => wordAt(words, place);
  let best = { from: 0, worth: 0 };
  for (let i = 0, k = 0; i < marks.length; i++) {
    const from = Math.max(0, Math.min(of(marks[i].start) - LEAD, words.length - WORDS));
    k = Math.max(k, i);
    while (k + 1 < marks.length && of(marks[k + 1].start) < from + WORDS) k++;
    const shown = new Set(marks.slice(i, k + 1).flatMap((mark) => [...mark.terms]));
    let worth = (k - i) / 100;
    for (const number of shown) worth += 1 + terms[number].rarity;
    if (worth > best.worth) best = { from, worth };
  }
  const start = words[best.from] ?? 0;
  const end = best.from + WORDS < words.length ? words[best.from + WORDS] : text.length;
  const within = marks.filter((mark) => mark.start >= start && mark.end <= end);
  return {
    html: markedHtml(text, within, start, end),
    worth: best.worth,
    first: within[0] ?? null,
  };
}

/**
 * A text with its marks, as HTML.
 * @param {string} text
 * @param {Mark[]} marks
 * @param {number} [start]
 * @param {number} [end]
 */
export function markedHtml(text, marks, start = 0, end = text.length) {
  let html = "";
  let at = start;
  for (const mark of marks) {
    // A mark is shown as it stands: ">" alone ends no tag.
    const shown = escaped(text.slice(mark.start, mark.end)).replace(/&gt;/g, ">");
    html += `${escaped(text.slice(at, mark.start))}<mark>${shown}</mark>`;
    at = mark.end;
  }
  return (html + escaped(text.slice(at, end).trimEnd())).replace(/\n/g, " ");
}

/**
 * The number of the last word that begins at a place or before it.
 * @param {number[]} words
 * @param {number} place
 */
function wordAt(words, place) {
  let low = 0;
  for (let high = words.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (words[middle] <= place) low = middle;
    else high = middle;
  }
  return low;
}
