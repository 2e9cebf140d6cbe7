// What an answer has to say beside its hits: how many there are, what was asked instead of what.

/** @typedef {import("./hits.js").Hit} Hit */
/** @typedef {import("./filters.js").Counts} Counts */

/**
 * The answer of the engine. total: pages found; unfiltered: without filters; hits: some of them;
 * ticked: pages with a value that match the words and the filters of other keys; unknown: words
 * that no page has; corrected: words that something else was asked for; partial: not all pages
 * were looked at.
 * @typedef {{ hits: Hit[], total: number, unfiltered: number, ticked: Counts, unknown: string[],
 *   corrected: { word: string, instead: string, how: string }[], partial: boolean }} Answer
 */

/**
 * The number of pages, or that there are none and why.
 * @param {Answer} answer
 * @param {boolean} filtered
 * @param {import("./say.js").Say} say
 */
export function heading({ total, unfiltered, unknown }, filtered, say) {
  if (total > 0) return say("pages", { n: total });
  if (filtered && unfiltered > 0) return say("noneFiltered", { n: unfiltered });
  return say(unknown.length > 0 ? "noneKnown" : "none");
}

/**
 * What else there is to know: words that were left out, or that others were asked for.
 * @param {Answer} answer
 * @param {import("./say.js").Say} say
 * @param {string} locale
 */
export function notes({ total, unknown, corrected, partial }, say, locale) {
  const quoted = unknown.map((word) => say("quoted", { word }));
  const words = new Intl.ListFormat(locale).format(quoted);
  const said = corrected.map((each) => say("corrected", each));
  if (unknown.length > 0) {
    said.push(say(total > 0 ? "unknown" : "unknownAll", { n: unknown.length, words }));
  }
  if (partial) said.push(say("partial"));
  return said;
}
