// The sources of a text in one collection or several, as those of one. A long text is asked piece
// by piece, so that the page stays alive and a limit of time holds.

import { LEAST_ADDED, MOST_SOURCES, SEGMENT_TERMS, WHOLE } from "../base/layout.js";
import { TooLate } from "../base/problem.js";
import { describe } from "../core/documents.js";
import { asksFewShingles, orderSources, sourcesOf } from "../core/sources.js";

/** @typedef {import("../core/collection.js").Collection} Collection */
/** @typedef {import("../core/sources.js").Sources} Sources */
/** @typedef {import("../core/sources.js").WordsOnly} WordsOnly */

/**
 * reading: the address of its text in the page, where it has one.
 * @typedef {import("../core/sources.js").Source & {
 *   collection: Collection,
 *   reading?: string,
 * }} FoundSource
 */

/**
 * What a collection has of a piece of the text, before which there were so many terms and bytes.
 * @typedef {{ collection: Collection, terms: number, bytes: number, answer: Sources }} Part
 */

/**
 * @typedef {Omit<Sources, "sources" | "frequent"> & {
 *   sources: FoundSource[],
 *   least: boolean,
 * }} Merged
 */

/**
 * The first SHOWN are described. least: there are more than all of them; looked: the share of the
 * text that was looked at; few: few shingles were looked up; estimated, unable: names of the
 * collections that keep no whole texts, and of those that have no passages and no words; wordsOnly:
 * the longest such sentence.
 * @typedef {Merged & {
 *   looked: number,
 *   few: boolean,
 *   estimated: string[],
 *   unable: string[],
 * }} FoundSources
 */

/**
 * first: is it the first answer, from little and in little time? wanted: does anybody wait for it?
 * @typedef {object} How
 * @property {boolean} [first]
 * @property {() => boolean} [wanted]
 * @property {number} [seconds]
 * @property {typeof sourcesOf} [ask]
 */

export const SHOWN = 20; // sources
const SECONDS = 5; // that a first answer takes, at most
const MORE_SECONDS = 100; // that another one does
// Bytes of a piece: about as many terms as the core looks at together; where a first answer has to
// load its words, some hundreds, so that there is an answer when the time is over.
const PIECE = 6 * SEGMENT_TERMS;
const SMALL_PIECE = SEGMENT_TERMS / 2;
const ENDS = ["\n\n", ". ", "\n", " "]; // of a piece, the best first
const WHOLE_SHARE = 10_000;

/**
 * Where the pieces of a text begin and end, in bytes.
 * @param {Uint8Array} text
 * @param {number} size
 * @returns {Generator<[number, number]>}
 */
export function* piecesOf(text, size = PIECE) {
  let start = 0;
  while (text.length - start > size) {
    const end = pieceEnd(text, start + size / 2, start + size);
    yield [start, end];
    start = end;
  }
  yield [start, text.length];
}

/**
 * @param {Uint8Array} text
 * @param {number} from
 * @param {number} to
 */
function pieceEnd(text, from, to) {
  const bytes = new TextDecoder("latin1").decode(text.subarray(from, to)); // a character each
  for (const end of ENDS) {
    const at = bytes.lastIndexOf(end);
    if (at >= 0) return from + at + end.length;
  }
  let place = to;
  while ((text[place] & 0xc0) === 0x80) place--; // never within a character
  return place;
}

/**
 * All parts in one order, by what each source adds to those before it. A term has the same number
 * in every file.
 * @param {Part[]} parts
 * @param {number} terms of the text
 * @returns {Merged}
 */
export function merged(parts, terms) {
  if (parts.length === 0) {
    const none = { all: 0, least: false, terms: 0, coverage: 0, capped: false, wordsOnly: null };
    return { sources: [], ...none };
  }
  if (parts.length === 1) {
    const [{ collection, answer }] = parts;
    const sources = answer.sources.map((source) => ({ ...source, collection }));
    return { ...answer, sources, least: false };
  }
  /** @param {number} count */
  const share = (count) => (terms > 0 ? Math.floor((count * WHOLE_SHARE) / terms) : 0);
  const sources = joined(parts);
  const passages = sources.map((source) => source.passages);
  const { core } = parts[0].collection;
  const ordered = orderSources(core, passages, LEAST_ADDED, MOST_SOURCES);
  return {
    sources: ordered.map(({ number, added }) => ({
      ...sources[number],
      coverage: share(unionOf(passages[number])),
      added: share(added),
    })),
    all: sources.length,
    least: parts.some(({ answer }) => answer.all > answer.sources.length),
    terms,
    coverage: share(unionOf(passages.flat())),
    capped: parts.some(({ answer }) => answer.capped),
    wordsOnly: null,
  };
}

/**
 * How many terms spans have together.
 * @param {{ first: number, last: number }[]} spans
 */
function unionOf(spans) {
  let size = 0;
  let end = 0;
  for (const { first, last } of [...spans].sort((a, b) => a.first - b.first)) {
    size += Math.max(0, last - Math.max(first, end));
    end = Math.max(end, last);
  }
  return size;
}

/**
 * The sources of all parts, those of one document as one, with places in the whole text.
 * @param {Part[]} parts
 */
function joined(parts) {
  /** @type {Map<Collection, Map<number, FoundSource>>} */
  const found = new Map();
  for (const { collection, terms, bytes, answer } of parts) {
    const own = found.get(collection) ?? new Map();
    found.set(collection, own);
    for (const source of answer.sources) {
      const passages = source.passages.map((passage) => ({
        ...passage,
        start: passage.start + bytes,
        end: passage.end + bytes,
        first: passage.first + terms,
        last: passage.last + terms,
      }));
      const before = own.get(source.document);
      if (before) before.passages.push(...passages);
      else own.set(source.document, { ...source, passages, collection });
    }
  }
  return [...found.values()].flatMap((own) => [...own.values()]);
}

/**
 * The sources in all collections that can say them; null where none can.
 * @param {Collection[]} collections
 * @param {Uint8Array} text UTF-8
 * @param {How} how
 * @returns {Promise<FoundSources | null>}
 */
export async function askSources(
  collections,
  text,
  {
    first = false,
    wanted = () => true,
    seconds = first ? SECONDS : MORE_SECONDS,
    ask = sourcesOf,
  } = {},
) {
  const able = collections.filter(({ traces }) => traces);
  if (able.length === 0) return null;
  const few = first && able.some(asksFewShingles);
  const until = performance.now() + 1000 * seconds;
  /** @type {Part[]} */
  const parts = [];
  let terms = 0;
  let bytes = 0;
  for (const [start, end] of piecesOf(text, few ? SMALL_PIECE : PIECE)) {
    if (start > 0) await new Promise((resolve) => setTimeout(resolve));
    const own = await askPiece(able, text.subarray(start, end), first, until, ask);
    if (!own || !wanted()) break;
    parts.push(...own.map(({ collection, answer }) => ({ collection, terms, bytes, answer })));
    terms += Math.max(...own.map(({ answer }) => answer.terms));
    bytes = end;
  }
  const found = merged(parts, terms);
  for (const collection of able) {
    const shown = found.sources.slice(0, SHOWN);
    await describe(
      collection,
      shown.filter((source) => source.collection === collection),
    );
  }
  const longest = longestOf(parts);
  if (longest) await describe(longest.collection, [longest.wordsOnly]);
  const looked = text.length > 0 ? bytes / text.length : 1;
  return {
    ...found,
    coverage: Math.floor(found.coverage * looked),
    wordsOnly: longest?.wordsOnly ?? null,
    looked,
    few,
    estimated: able.filter(({ kept }) => kept !== WHOLE).map(({ name }) => name),
    unable: collections.filter(({ traces }) => !traces).map(({ name }) => name),
  };
}

/**
 * The longest sentence of which words alone are known.
 * @param {Part[]} parts
 */
function longestOf(parts) {
  /** @type {{ collection: Collection, wordsOnly: WordsOnly } | null} */
  let longest = null;
  let most = 0;
  for (const { collection, answer, bytes } of parts) {
    const { wordsOnly } = answer;
    if (!wordsOnly || wordsOnly.end - wordsOnly.start <= most) continue;
    most = wordsOnly.end - wordsOnly.start;
    const place = { start: wordsOnly.start + bytes, end: wordsOnly.end + bytes };
    longest = { collection, wordsOnly: { ...wordsOnly, ...place } };
  }
  return longest;
}

/**
 * What each collection has of a piece; null where the time is over.
 * @param {Collection[]} collections
 * @param {Uint8Array} piece
 * @param {boolean} first
 * @param {number} until
 * @param {typeof sourcesOf} ask
 */
async function askPiece(collections, piece, first, until, ask) {
  /** @type {{ collection: Collection, answer: Sources }[]} */
  const found = [];
  try {
    for (const collection of collections) {
      if (performance.now() > until) return null;
      const cold = first && asksFewShingles(collection);
      found.push({ collection, answer: await ask(collection, piece, { cold, until }) });
    }
  } catch (problem) {
    if (problem instanceof TooLate) return null;
    throw problem;
  }
  return found;
}
