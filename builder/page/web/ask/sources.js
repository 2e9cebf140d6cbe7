// The sources of a text in several collections, as those of one.

import { describe } from "../core/documents.js";
import { orderSources, TOP_SOURCES } from "../core/sources.js";

/** @typedef {import("../core/collection.js").Collection} Collection */
/** @typedef {import("../core/sources.js").Place} Place */
/** @typedef {import("../core/sources.js").Sources} Sources */

/**
 * reading: the address of its text in the page, where it has one.
 * @typedef {import("../core/sources.js").Source & {
 *   collection: Collection,
 *   reading?: string,
 * }} FoundSource
 */

/**
 * more: do other documents have further passages?
 * @typedef {Omit<Sources, "sources"> & { sources: FoundSource[], more: boolean }} FoundSources
 */

const LEAST_ADDED = 10; // terms, as docs/format.md 9 has it
const WHOLE_SHARE = 10_000;

/**
 * All of them in one order, by what each adds to those before it. A term has the same number in
 * every file.
 * @param {import("../core/core.js").Core} core
 * @param {FoundSource[]} sources
 * @param {number} terms
 */
export function merged(core, sources, terms) {
  /** @param {number} count */
  const share = (count) => (terms > 0 ? Math.floor((count * WHOLE_SHARE) / terms) : 0);
  const passages = sources.map((source) => source.passages);
  // One more than are shown says whether others have further passages.
  const ordered = orderSources(core, passages, LEAST_ADDED, TOP_SOURCES + 1);
  const shown = ordered.slice(0, TOP_SOURCES);
  return {
    sources: shown.map(({ number, added }) => ({ ...sources[number], added: share(added) })),
    coverage: share(shown.reduce((sum, { added }) => sum + added, 0)),
    more: ordered.slice(TOP_SOURCES).some(({ added }) => added > 0),
  };
}

/**
 * The sources in all collections that can say them; null where none can.
 * @param {Collection[]} collections
 * @param {(collection: Collection) => Promise<Sources>} ask
 * @returns {Promise<FoundSources | null>}
 */
export async function askSources(collections, ask) {
  const able = collections.filter(({ runTerms }) => runTerms > 0);
  if (able.length === 0) return null;
  /** @type {Sources[]} */
  const answers = [];
  /** @type {FoundSource[]} */
  const all = [];
  for (const collection of able) {
    const answer = await ask(collection);
    answers.push(answer);
    all.push(...answer.sources.map((source) => ({ ...source, collection })));
  }
  const [{ terms }] = answers;
  const found = merged(able[0].core, all, terms);
  for (const collection of able) {
    const own = found.sources.filter((source) => source.collection === collection);
    await describe(collection, own);
  }
  return { ...found, terms, capped: answers.some(({ capped }) => capped) };
}
