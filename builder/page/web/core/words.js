// Which documents have a few words, where the file has a section for that.

import {
  ASKED_EXCLUDED,
  ASKED_FORMS,
  ASKED_PARTIAL,
  ASKED_PREFIX,
  ASKED_QUOTED,
  ASKED_WORD,
  BYTES,
  KIND,
  SEARCH_FOUND,
  SEARCH_OPTIONS,
  WORD_HIT,
} from "../base/layout.js";
import { unitsOf } from "../texts/places.js";
import { filtersAt, filtersNamed } from "./filters.js";
import { replacementsAt } from "./replacements.js";

/** @typedef {import("./collection.js").Collection} Collection */
/** @typedef {import("./core.js").Core} Core */

/**
 * A document that has words of a search; documents.js fills in the rest. words: how many; score:
 * BM25's in the core's unit; like: of a folded answer the other hits that are similar to this one.
 * @typedef {object} WordHit
 * @property {number} document its number
 * @property {number} words
 * @property {number} score
 * @property {WordHit[]} [like]
 * @property {string} [id]
 * @property {string} [title]
 * @property {string} [url]
 * @property {string} [text] or what is kept of it
 * @property {string[]} [labels] the first of them
 * @property {number} [labelled] how many it has
 */

/**
 * A word of a search as it was typed, and how many documents have it.
 * @typedef {object} AskedWord
 * @property {string} word
 * @property {number} documents
 * @property {boolean} excluded
 * @property {boolean} quoted
 * @property {boolean} prefix
 * @property {boolean} partial not all of its documents were read
 * @property {boolean} forms documents with other forms of it, or spellings, were looked for, too
 */

/** @typedef {import("./filters.js").Filter} Filter */
/** @typedef {import("./replacements.js").Replacement} Replacement */

/**
 * Hits, best first. all, any: how many documents have all words that a document has, and one of
 * them; unchecked: quotes were not looked for; ignored: quotation marks or a minus were not heeded;
 * pieces: `all` counts documents of which it is not known that they have longer words of scripts
 * without spaces as a whole; text: what was asked; replacements: what stands in it for words that
 * no document has; allowed: how many documents match the filters; unlabelled: 1 if the file keeps
 * no labels although they ask for some, 2 if no languages, 3 if neither.
 * @typedef {object} Words
 * @property {WordHit[]} hits
 * @property {AskedWord[]} words
 * @property {number} all
 * @property {number} any
 * @property {boolean} capped
 * @property {boolean} unchecked
 * @property {boolean} ignored
 * @property {boolean} pieces
 * @property {Uint8Array} text
 * @property {Replacement[]} replacements
 * @property {Filter[]} filters
 * @property {number} allowed
 * @property {number} unlabelled
 */

/**
 * How many documents have each word of a search, and how many there are.
 * @typedef {{ words: number[], all: number }} Having
 */

/**
 * titles: hits have all words in their titles; replace: others may be asked instead of words that
 * no document has; exact: other forms of the words are not looked for.
 * @typedef {object} SearchOptions
 * @property {number} top
 * @property {boolean} [prefix]
 * @property {boolean} [deep]
 * @property {boolean} [titles]
 * @property {boolean | number} [replace] 2: words that few documents have, too
 * @property {boolean} [exact]
 * @property {Having | null} [having] of all that are asked together
 */

/** @typedef {[number, number]} Span start and end in a string */

const MOST_MARKS = 10_000; // as reader/queries/marked.py
// Bytes of a section of sketches that an answer may load to fold what is alike: on a network or
// from a folder, and in a file that the visitor has picked.
const SMALL_SKETCHES = 64_000;
const SKETCHES_AT_HAND = 64_000_000;

/**
 * The documents that have words of a text (UTF-8). A first answer reads of common words those
 * where they weigh most, unless it is to be deep or the file is at hand.
 * @param {Collection} collection
 * @param {Uint8Array} text
 * @param {SearchOptions} options
 * @returns {Promise<Words>}
 */
export async function searchedWords(
  collection,
  text,
  {
    top,
    prefix = false,
    deep = false,
    titles = false,
    replace = false,
    exact = false,
    having = null,
  },
) {
  const { core, index, blocks } = collection;
  collection.makeRoom();
  const at = core.put(text);
  const options = core.allocate(BYTES.searchOptions);
  const out = core.allocate(4);
  core.setU32(options + SEARCH_OPTIONS.size, BYTES.searchOptions);
  core.setU32(options + SEARCH_OPTIONS.most, top);
  core.setU32(options + SEARCH_OPTIONS.prefix, Number(prefix));
  core.setU32(options + SEARCH_OPTIONS.cold, Number(!deep && !blocks.source.atHand));
  core.setU32(options + SEARCH_OPTIONS.exact, Number(exact));
  core.setU32(options + SEARCH_OPTIONS.titles, Number(titles));
  core.setU32(options + SEARCH_OPTIONS.replace, Number(replace));
  const words = having?.words ?? [];
  const numbers = core.allocate(8 * Math.max(1, words.length));
  words.forEach((each, i) => {
    core.setU64(numbers + 8 * i, each);
  });
  core.setU32(options + SEARCH_OPTIONS.having, having ? numbers : 0);
  core.setU64(options + SEARCH_OPTIONS.all, having?.all ?? 0);
  core.setU32(options + SEARCH_OPTIONS.filters, 0);
  core.setU64(options + SEARCH_OPTIONS.filtersLength, 0);
  const length = BigInt(text.length);
  try {
    await blocks.complete(() => {
      return core.calls.pocket_search(index, at, length, options, out, core.error);
    });
    const found = core.u32(out);
    const answer = wordsAt(core, found, text);
    const filters = filtersAt(core, found, answer.text);
    core.calls.pocket_search_free(found);
    return { ...answer, filters: await filtersNamed(collection, filters) };
  } finally {
    core.free(at, options, out, numbers);
  }
}

/**
 * @param {Core} core
 * @param {number} at a pocket_search_found
 * @param {Uint8Array} given
 */
function wordsAt(core, at, given) {
  const other = core.u32(at + SEARCH_FOUND.text);
  const size = core.u64(at + SEARCH_FOUND.textLength);
  const text = other ? core.bytes(other, size).slice() : given;
  const hits = core.u32(at + SEARCH_FOUND.hits);
  const words = core.u32(at + SEARCH_FOUND.words);
  return {
    hits: Array.from({ length: core.u32(at + SEARCH_FOUND.count) }, (_, i) => ({
      document: core.u32(hits + i * BYTES.wordHit + WORD_HIT.document),
      words: core.u32(hits + i * BYTES.wordHit + WORD_HIT.words),
      score: core.u32(hits + i * BYTES.wordHit + WORD_HIT.score),
    })),
    words: Array.from({ length: core.u32(at + SEARCH_FOUND.wordCount) }, (_, i) =>
      askedAt(core, words + i * BYTES.askedWord, text),
    ),
    all: core.u32(at + SEARCH_FOUND.all),
    any: core.u32(at + SEARCH_FOUND.any),
    capped: core.u32(at + SEARCH_FOUND.capped) !== 0,
    unchecked: core.u32(at + SEARCH_FOUND.unchecked) !== 0,
    ignored: core.u32(at + SEARCH_FOUND.ignored) !== 0,
    pieces: core.u32(at + SEARCH_FOUND.pieces) !== 0,
    text,
    replacements: replacementsAt(core, at, given, text),
    allowed: core.u32(at + SEARCH_FOUND.allowed),
    unlabelled: core.u32(at + SEARCH_FOUND.unlabelled),
  };
}

/**
 * @param {Core} core
 * @param {number} at a pocket_asked_word
 * @param {Uint8Array} text
 */
function askedAt(core, at, text) {
  const flags = core.u32(at + ASKED_WORD.flags);
  const word = text.slice(core.u64(at + ASKED_WORD.start), core.u64(at + ASKED_WORD.end));
  return {
    word: new TextDecoder().decode(word),
    documents: core.u64(at + ASKED_WORD.documents),
    excluded: (flags & ASKED_EXCLUDED) !== 0,
    quoted: (flags & ASKED_QUOTED) !== 0,
    prefix: (flags & ASKED_PREFIX) !== 0,
    partial: (flags & ASKED_PARTIAL) !== 0,
    forms: (flags & ASKED_FORMS) !== 0,
  };
}

/**
 * Where words that a search asks for stand in another text, rising.
 * @param {Core} core
 * @param {string} text
 * @param {Uint8Array} asked
 * @param {boolean} prefix
 * @returns {Span[]}
 */
export function marksOf(core, text, asked, prefix) {
  const bytes = new TextEncoder().encode(text);
  return core.scratch((allocate) => {
    const at = allocate(bytes.length);
    const words = allocate(asked.length);
    const places = allocate(16 * MOST_MARKS);
    const count = allocate(4);
    core.bytes(at, bytes.length).set(bytes);
    core.bytes(words, asked.length).set(asked);
    core.setU32(count, MOST_MARKS);
    const lengths = /** @type {const} */ ([BigInt(bytes.length), BigInt(asked.length)]);
    const { pocket_mark_words } = core.calls;
    pocket_mark_words(at, lengths[0], words, lengths[1], Number(prefix), places, count);
    const found = Array.from({ length: 2 * core.u32(count) }, (_, i) => core.u64(places + 8 * i));
    const units = unitsOf(text, found);
    return Array.from({ length: found.length / 2 }, (_, i) => [
      units.get(found[2 * i]) ?? 0,
      units.get(found[2 * i + 1]) ?? 0,
    ]);
  });
}

/**
 * Can hits be folded without much loading?
 * @param {Collection} collection
 */
export function foldsAtOnce(collection) {
  const small = collection.blocks.source.atHand ? SKETCHES_AT_HAND : SMALL_SKETCHES;
  return collection.loaded || collection.lengthOf(KIND.sketches) <= small;
}

/**
 * Of hits the best of each group, the others of it beside.
 * @param {Collection} collection
 * @param {WordHit[]} hits
 * @returns {Promise<WordHit[]>}
 */
export async function folded({ core, index, blocks }, hits) {
  if (hits.length === 0) return [];
  const numbers = core.allocate(4 * hits.length);
  const groups = core.allocate(4 * hits.length);
  hits.forEach((hit, i) => {
    core.setU32(numbers + 4 * i, hit.document);
  });
  try {
    await blocks.complete(() => {
      return core.calls.pocket_group(index, numbers, hits.length, groups, core.error);
    });
    const group = hits.map((_, i) => core.u32(groups + 4 * i));
    return hits
      .map((hit, i) => ({ ...hit, like: hits.filter((_, k) => k !== i && group[k] === i) }))
      .filter((_, i) => group[i] === i);
  } finally {
    core.free(numbers, groups);
  }
}
