// What is asked of a text: the documents that are similar to it as a whole, and those that passages
// of it come from.

import { TooShort } from "../base/problem.js";
import { askAll } from "./several.js";

/** @typedef {import("../core/collection.js").Answer} Answer */
/** @typedef {import("../core/collection.js").Collection} Collection */
/** @typedef {import("./several.js").FoundHit} FoundHit */
/** @typedef {import("./sources.js").FoundSources} FoundSources */

/**
 * short: why there are no hits though there are sources; trouble: why there are no sources though
 * the collections could say them.
 * @typedef {Answer & {
 *   hits: FoundHit[],
 *   short: string,
 *   sources: FoundSources | null,
 *   trouble: unknown,
 * }} Both
 */

const NONE = { hits: [], terms: 0, candidates: 0, capped: false };

/**
 * A text that is too short to have similar documents may have sources. That it has none is only
 * known where all of it was looked at.
 * @param {Collection[]} collections
 * @param {(collection: Collection, documents: number) => Promise<Answer>} askDocuments
 * @param {(() => Promise<FoundSources | null>) | null} askPassages
 * @returns {Promise<Both>}
 */
export async function askBoth(collections, askDocuments, askPassages) {
  let short = "";
  const found = await askAll(collections, askDocuments).catch((problem) => {
    if (!(problem instanceof TooShort)) throw problem;
    short = problem.message;
    return NONE;
  });
  /** @type {unknown} */
  let trouble = null;
  const sources =
    askPassages &&
    (await askPassages().catch((problem) => {
      trouble = problem;
      return null;
    }));
  if (short && trouble) throw trouble;
  if (short && !(sources && saysMore(sources))) throw new TooShort(short);
  return { ...found, short, sources, trouble };
}

/** @param {FoundSources} found */
const saysMore = ({ all, looked, few, capped, wordsOnly }) =>
  all > 0 || looked < 1 || few || capped || wordsOnly !== null;
