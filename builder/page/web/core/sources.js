// Which documents passages of a text come from, where the file has passages or words.

import {
  BYTES,
  FREQUENT_PASSAGE,
  KIND,
  MOST_SOURCES,
  PASSAGE,
  SOURCE,
  SOURCES_FOUND,
  SOURCES_OPTIONS,
  SPAN,
  WORDS_ONLY,
} from "../base/layout.js";

/** @typedef {import("./collection.js").Collection} Collection */
/** @typedef {import("./core.js").Core} Core */

/**
 * A piece of the text: bytes from start up to end, terms from first up to last. verified: it was
 * found in the document's text, from byte from up to byte to. edited: the share of its terms, in
 * ten-thousandths, that the document does not have there; documents: how many have a sentence of it
 * word for word, as far as was looked.
 * @typedef {object} Passage
 * @property {number} start
 * @property {number} end
 * @property {number} first
 * @property {number} last
 * @property {boolean} verified
 * @property {number} from
 * @property {number} to
 * @property {number} edited
 * @property {number} documents
 */

/**
 * A document that passages come from; documents.js fills in the rest. coverage and added are in
 * ten-thousandths.
 * @typedef {object} Source
 * @property {number} document its number
 * @property {number} coverage
 * @property {number} added
 * @property {Passage[]} passages
 * @property {string} [id]
 * @property {string} [title]
 * @property {string} [url]
 */

/**
 * A sentence, bytes from start up to end, all words of which so many documents have, one of them
 * with this number: where no texts are kept their order is not known.
 * @typedef {object} WordsOnly
 * @property {number} start
 * @property {number} end
 * @property {number} document
 * @property {number} documents
 * @property {string} [id]
 * @property {string} [title]
 */

/**
 * A passage, bytes from start up to end, that so many documents have that none of them is its
 * source; examples: the numbers of some.
 * @typedef {object} FrequentPassage
 * @property {number} start
 * @property {number} end
 * @property {number} documents
 * @property {boolean} verified
 * @property {number[]} examples
 */

/**
 * The sources of a text, the one that explains most first, MOST_SOURCES of them; coverage and all,
 * their number, are of every one that there is. wordsOnly: null where there is no such sentence.
 * @typedef {object} Sources
 * @property {Source[]} sources
 * @property {number} all
 * @property {number} terms
 * @property {number} coverage
 * @property {boolean} capped
 * @property {WordsOnly | null} wordsOnly
 * @property {FrequentPassage[]} frequent
 */

// Bytes of a section of which all shingles of a text are looked up at once: on a network or from a
// folder, and in a file that the visitor has picked.
const SMALL_PASSAGES = 1_000_000;
const SMALL_AT_HAND = 64_000_000;

/**
 * Is a first answer to look up few shingles, those of passages that were copied word by word?
 * @param {Collection} collection
 */
export function asksFewShingles(collection) {
  const small = collection.blocks.source.atHand ? SMALL_AT_HAND : SMALL_PASSAGES;
  return collection.lengthOf(KIND.passages) > small;
}

/**
 * The sources of a text (UTF-8). cold: look up few shingles; until: when to give up, as
 * performance.now() tells it. Throws TooLate.
 * @param {Collection} collection
 * @param {Uint8Array} text
 * @param {{ cold?: boolean, until?: number }} options
 * @returns {Promise<Sources>}
 */
export async function sourcesOf(collection, text, { cold = false, until = Infinity } = {}) {
  const { core, index, blocks } = collection;
  collection.makeRoom();
  const at = core.put(text);
  const options = sourcesOptions(core, cold);
  const out = core.allocate(4);
  const length = BigInt(text.length);
  try {
    await blocks.complete(() => {
      return core.calls.pocket_sources(index, at, length, options, out, core.error);
    }, until);
    const found = core.u32(out);
    const sources = sourcesAt(core, found);
    core.calls.pocket_sources_free(found);
    return sources;
  } finally {
    core.free(at, options, out);
  }
}

/**
 * A pocket_sources_options, to be freed.
 * @param {Core} core
 */
export function sourcesOptions(core, cold = false) {
  const at = core.allocate(BYTES.sourcesOptions);
  core.setU32(at + SOURCES_OPTIONS.size, BYTES.sourcesOptions);
  core.setU32(at + SOURCES_OPTIONS.most, MOST_SOURCES);
  core.setU32(at + SOURCES_OPTIONS.cold, Number(cold));
  return at;
}

/**
 * @param {Core} core
 * @param {number} at a pocket_sources_found
 * @returns {Sources}
 */
export function sourcesAt(core, at) {
  const sources = core.u32(at + SOURCES_FOUND.sources);
  const passages = core.u32(at + SOURCES_FOUND.passages);
  return {
    all: core.u32(at + SOURCES_FOUND.all),
    terms: core.u32(at + SOURCES_FOUND.terms),
    coverage: core.u32(at + SOURCES_FOUND.coverage),
    capped: core.u32(at + SOURCES_FOUND.capped) !== 0,
    wordsOnly: wordsOnlyAt(core, at + SOURCES_FOUND.wordsOnly),
    frequent: frequentAt(core, at),
    sources: Array.from({ length: core.u32(at + SOURCES_FOUND.count) }, (_, i) => {
      const source = sources + i * BYTES.source;
      const first = passages + core.u32(source + SOURCE.first) * BYTES.passage;
      return {
        document: core.u32(source + SOURCE.document),
        coverage: core.u32(source + SOURCE.coverage),
        added: core.u32(source + SOURCE.added),
        passages: Array.from({ length: core.u32(source + SOURCE.count) }, (_, k) =>
          passageAt(core, first + k * BYTES.passage),
        ),
      };
    }),
  };
}

/**
 * @param {Core} core
 * @param {number} at a pocket_sources_found
 */
function frequentAt(core, at) {
  const list = core.u32(at + SOURCES_FOUND.frequent);
  const examples = core.u32(at + SOURCES_FOUND.examples);
  return Array.from({ length: core.u32(at + SOURCES_FOUND.frequentCount) }, (_, i) => {
    const one = list + i * BYTES.frequentPassage;
    const first = examples + 4 * core.u32(one + FREQUENT_PASSAGE.firstExample);
    return {
      start: core.u64(one + FREQUENT_PASSAGE.start),
      end: core.u64(one + FREQUENT_PASSAGE.end),
      documents: core.u32(one + FREQUENT_PASSAGE.documents),
      verified: core.u32(one + FREQUENT_PASSAGE.verified) !== 0,
      examples: Array.from({ length: core.u32(one + FREQUENT_PASSAGE.exampleCount) }, (_, k) =>
        core.u32(first + 4 * k),
      ),
    };
  });
}

/**
 * @param {Core} core
 * @param {number} at a pocket_words_only
 */
function wordsOnlyAt(core, at) {
  const documents = core.u32(at + WORDS_ONLY.documents);
  if (documents === 0) return null;
  return {
    start: core.u64(at + WORDS_ONLY.start),
    end: core.u64(at + WORDS_ONLY.end),
    document: core.u32(at + WORDS_ONLY.document),
    documents,
  };
}

/**
 * @param {Core} core
 * @param {number} at a pocket_passage
 */
function passageAt(core, at) {
  return {
    start: core.u64(at + PASSAGE.start),
    end: core.u64(at + PASSAGE.end),
    first: core.u32(at + PASSAGE.first),
    last: core.u32(at + PASSAGE.last),
    verified: core.u32(at + PASSAGE.verified) !== 0,
    from: core.u64(at + PASSAGE.documentStart),
    to: core.u64(at + PASSAGE.documentEnd),
    edited: core.u32(at + PASSAGE.edited),
    documents: core.u32(at + PASSAGE.documents),
  };
}

/**
 * The numbers of at most top sources of one text, by what each adds to those before it, and that;
 * one that adds fewer terms than least comes behind the others, and adds 0.
 * @param {Core} core
 * @param {Array<Array<{ first: number, last: number }>>} sources the spans of each
 * @param {number} least
 * @param {number} top
 */
export function orderSources(core, sources, least, top) {
  const most = Math.min(top, sources.length);
  return core.scratch((allocate) => {
    const spans = allocate(BYTES.span * sources.flat().length);
    const ends = allocate(4 * sources.length);
    const count = allocate(4);
    const order = allocate(4 * most);
    const added = allocate(4 * most);
    let end = 0;
    for (const [i, own] of sources.entries()) {
      for (const { first, last } of own) {
        const at = spans + BYTES.span * end++;
        core.setU32(at + SPAN.first, first);
        core.setU32(at + SPAN.last, last);
      }
      core.setU32(ends + 4 * i, end);
    }
    core.setU32(count, sources.length);
    core.calls.pocket_order_sources(spans, ends, count, least, most, order, added, core.error);
    return Array.from({ length: core.u32(count) }, (_, i) => ({
      number: core.u32(order + 4 * i),
      added: core.u32(added + 4 * i),
    }));
  });
}
