// Runs of words, by which a text that was pasted is found in a page.

import { WHOLE_WORD } from "./words.js";

/** @typedef {import("./words.js").Word} Word */

const RUN = 4; // words in a row that say that a page has some of it

/**
 * The runs of whole words of a text.
 * @param {Word[]} words
 */
export function runsOf(words) {
  const whole = words.filter(({ kind }) => kind === WHOLE_WORD).map(({ word }) => word);
  return whole.slice(RUN - 1).map((_, i) => whole.slice(i, i + RUN).join(" "));
}

/**
 * How many of some runs texts have.
 * @param {string[]} runs
 * @param {Word[][]} texts
 */
export function sharedRuns(runs, texts) {
  const own = new Set(texts.flatMap(runsOf));
  return runs.filter((run) => own.has(run)).length;
}
