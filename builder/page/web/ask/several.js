// Several collections asked as one: those that have the language of a text, their hits merged.

import { BYTES, CLASS, SCHEME } from "../base/layout.js";
import { TooShort } from "../base/problem.js";
import { TOP } from "../core/collection.js";
import { describe } from "../core/documents.js";
import { loadLabels } from "../core/labels.js";
import { titlesOf } from "../core/titles.js";

/** @typedef {import("../core/collection.js").Collection} Collection */
/** @typedef {import("../core/collection.js").Answer} Answer */

/**
 * A hit among those of several collections. item: where it is shown; quotes: the longest passages
 * that it has of the text that was asked with, as they stand in that, once they are known; reading:
 * the address of its text in the page, where it has one.
 * @typedef {import("../core/collection.js").Hit & {
 *   collection: Collection,
 *   item?: HTMLElement,
 *   quotes?: string[],
 *   reading?: string,
 * }} FoundHit
 */

export const ALL = -1; // in the place of a collection's number
/** @type {number[]} */
const WEIGHING = [SCHEME.rff, SCHEME.plsh]; // schemes that weigh terms
// A weight in sixteenths of a bit: what a sixth of the documents has is mostly a word of the
// language.
const COMMON = 40;
const ENOUGH = 1 / 4; // of the largest share
const LEAST = 0.15; // a largest share below this tells no language: tables, lists of names
const SMALL = 2_000; // documents: fewer say little of their language, and are soon loaded
const TOLD_BY = 65_536; // bytes of a text

/**
 * The share of a text's terms that are common in the collection; null where its profile does not
 * tell.
 * @param {Collection} collection
 * @param {Uint8Array} text
 */
function commonShare({ core, index, documents, scheme }, text) {
  if (documents < SMALL || !WEIGHING.includes(scheme)) return null;
  const start = text.subarray(0, TOLD_BY);
  return core.scratch((allocate) => {
    const at = allocate(start.length);
    const count = allocate(8);
    core.bytes(at, start.length).set(start);
    /**
     * @param {number} classes
     * @param {number} room
     */
    const read = (classes, room) => {
      core.setU64(count, room);
      core.calls.pocket_classes(index, at, BigInt(start.length), classes, count);
      return core.u64(count);
    };
    const terms = read(0, 0);
    const classes = allocate(terms * BYTES.class);
    read(classes, terms);
    let common = 0;
    for (let i = 0; i < terms; i++) {
      const number = core.i32(classes + i * BYTES.class + CLASS.number);
      const weight = core.i32(classes + i * BYTES.class + CLASS.value);
      // A stop word; or not 0: that is also the weight of what no document has.
      if (number < 0 || (weight !== 0 && Math.abs(weight) < COMMON)) common++;
    }
    return terms === 0 ? 0 : common / terms;
  });
}

/**
 * Of several collections those to ask: where the text's words are common, and those that do not
 * tell.
 * @param {Collection[]} collections
 * @param {Uint8Array} text
 */
export function inLanguage(collections, text) {
  const shares = collections.map((collection) => commonShare(collection, text));
  const most = Math.max(0, ...shares.map((share) => share ?? 0));
  return collections.filter((_, i) => {
    const share = shares[i];
    return share === null || most < LEAST || share >= ENOUGH * most;
  });
}

/**
 * The hits of all, as reader/many.py merges them. Where the text is too short for a collection that
 * one has no hits, unless it is so for all.
 * @param {Collection[]} collections
 * @param {(collection: Collection, documents: number) => Promise<Answer>} ask with the documents of
 *   all
 */
export async function askAll(collections, ask) {
  const documents = collections.reduce((sum, collection) => sum + collection.documents, 0);
  /** @type {FoundHit[]} */
  const hits = [];
  /** @type {Answer[]} */
  const answers = [];
  let tooShort = null;
  for (const collection of collections) {
    try {
      const answer = await ask(collection, documents);
      answers.push(answer);
      hits.push(...answer.hits.map((hit) => ({ ...hit, collection })));
    } catch (problem) {
      if (!(problem instanceof TooShort)) throw problem;
      tooShort ??= problem;
    }
  }
  if (answers.length === 0) throw tooShort;
  hits.sort((a, b) => b.similarity - a.similarity); // ties stay in the order of the collections
  hits.splice(TOP);
  for (const collection of collections) {
    const own = hits.filter((hit) => hit.collection === collection);
    await Promise.all([describe(collection, own), loadLabels(collection, own)]);
  }
  return {
    hits,
    terms: Math.max(...answers.map(({ terms }) => terms)),
    candidates: answers.reduce((sum, { candidates }) => sum + candidates, 0),
    capped: answers.some(({ capped }) => capped),
  };
}

/**
 * The first titles of all for a text, in turn from each.
 * @param {Collection[]} collections
 * @param {string} text
 * @param {number} most
 * @param {typeof titlesOf} look how each is asked for some
 */
export async function titlesOfAll(collections, text, most, look = titlesOf) {
  const found = [];
  for (const collection of collections) {
    const titles = await look(collection, text, most);
    found.push(...titles.map((each, i) => ({ ...each, collection, i })));
  }
  found.sort((a, b) => a.i - b.i);
  return found.slice(0, most);
}
