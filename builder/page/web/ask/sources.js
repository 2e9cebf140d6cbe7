// The sources of a text in several collections, as those of one.

import { describe } from "../core/documents.js";
import { TOP_SOURCES } from "../core/sources.js";

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
 * The terms of a source's passages that are not in explained.
 * @param {Place[]} passages
 * @param {Uint8Array} explained
 */
function newTerms(passages, explained) {
  let count = 0;
  for (const { first, last } of passages) {
    for (let term = first; term < last; term++) if (!explained[term]) count++;
  }
  return count;
}

/**
 * All of them in one order, by what each adds to those before it. A term has the same number in
 * every file.
 * @param {FoundSource[]} sources
 * @param {number} terms
 */
export function merged(sources, terms) {
  const explained = new Uint8Array(terms);
  const left = [...sources];
  /** @type {FoundSource[]} */
  const chosen = [];
  let sum = 0;
  /** @param {number} count */
  const share = (count) => (terms > 0 ? Math.floor((count * WHOLE_SHARE) / terms) : 0);
  while (left.length > 0 && chosen.length < TOP_SOURCES) {
    const counts = left.map(({ passages }) => newTerms(passages, explained));
    const most = Math.max(...counts);
    if (most < LEAST_ADDED) break;
    const [source] = left.splice(counts.indexOf(most), 1);
    for (const { first, last } of source.passages) explained.fill(1, first, last);
    chosen.push({ ...source, added: share(most) });
    sum += most;
  }
  const more = left.some(({ passages }) => newTerms(passages, explained) >= LEAST_ADDED);
  left.sort((a, b) => b.coverage - a.coverage); // ties stay in the order of the collections
  const others = left.slice(0, TOP_SOURCES - chosen.length);
  return {
    sources: [...chosen, ...others.map((source) => ({ ...source, added: 0 }))],
    coverage: share(sum),
    more,
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
  const found = merged(all, terms);
  for (const collection of able) {
    const own = found.sources.filter((source) => source.collection === collection);
    await describe(collection, own);
  }
  return { ...found, terms, capped: answers.some(({ capped }) => capped) };
}
