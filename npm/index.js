// pocketindex: search a pocket file in JavaScript. index.d.ts describes functions and types.

import {
  COLD,
  DEFAULT_SOURCES,
  EXHAUSTIVE,
  MOST_LABELS,
  WHOLE,
} from "../builder/page/web/base/layout.js";
import { Problem } from "../builder/page/web/base/problem.js";
import { Collection } from "../builder/page/web/core/collection.js";
import { Core, instantiated } from "../builder/page/web/core/core.js";
import { describe, loadTexts, numberOf } from "../builder/page/web/core/documents.js";
import { loadLabels } from "../builder/page/web/core/labels.js";
import { sourcesOf } from "../builder/page/web/core/sources.js";
import { titlesOf } from "../builder/page/web/core/titles.js";
import { marksOf, searchedWords } from "../builder/page/web/core/words.js";
import { unitsOf } from "../builder/page/web/texts/places.js";
import { sourceOf } from "./sources.js";

/** @typedef {import("./index.js").Index} Asked what index.d.ts says of an Index */
/** @typedef {import("../builder/page/web/core/documents.js").Shown} Shown */
/** @typedef {import("../builder/page/web/base/layout.js").Calls} Calls */
/** @typedef {{ pocket_describe(error: number, buffer: number, size: number): number }} Describing */

const SHARES = 10_000; // the core's unit of shares and similarities
const RARE = 2; // words that few documents have are replaced, too
const MOST_SAID = 512; // bytes of an error
/** @type {Array<"label" | "lang">} */
const KINDS = ["label", "lang"]; // of filters, by the core's bits

/** The core, whose errors are its own sentences. */
class Library extends Core {
  /**
   * @override
   * @param {number} _status
   * @param {string} name
   */
  said(_status, name) {
    const calls = /** @type {Calls & Describing} */ (this.calls);
    return this.scratch((allocate) => {
      const at = allocate(MOST_SAID);
      const length = calls.pocket_describe(this.error, at, MOST_SAID);
      return `${name}: ${this.string(at, Math.min(length, MOST_SAID - 1))}`;
    });
  }
}

/** @type {Promise<Library> | null} */
let loading = null;

/** All files are open in one module, which is loaded with the first of them. */
function library() {
  loading ??= import("./wasm.js")
    .then(({ wasm }) => instantiated(wasm))
    .then((calls) => new Library(calls));
  return loading;
}

/**
 * @param {import("./sources.js").Opened} what
 * @param {{ name?: string }} [options]
 */
export async function open(what, { name } = {}) {
  const source = await sourceOf(what, name);
  try {
    return new Index(await Collection.open(await library(), source), source);
  } catch (problem) {
    await source.close?.();
    throw problem;
  }
}

/** @implements {Asked} */
export class Index {
  /** @type {Collection} */
  #collection;
  /** @type {import("./sources.js").Closable} */
  #source;
  /** Is each read a request to a server? Then less is looked up, unless a call says otherwise. */
  #far;

  /**
   * @param {Collection} collection
   * @param {import("./sources.js").Closable} source
   */
  constructor(collection, source) {
    this.#collection = collection;
    this.#source = source;
    this.#far = !source.atHand;
    this.name = source.name;
    this.size = source.size;
    this.documents = collection.documents;
    this.keepsTexts = collection.kept === WHOLE;
    this.has = Object.freeze({
      passages: collection.runTerms > 0,
      words: collection.worded,
      titles: collection.titled,
    });
  }

  async close() {
    this.#collection.close();
    await this.#source.close?.();
  }

  /**
   * @param {string} text
   * @param {import("./index.js").QueryOptions} [options]
   */
  async query(text, options = {}) {
    const how = asOptions(options, this.#far);
    return this.#shown(await this.#collection.query(new TextEncoder().encode(text), how));
  }

  /**
   * @param {string | number} asked
   * @param {import("./index.js").QueryOptions} [options]
   */
  async like(asked, options = {}) {
    const number = await this.#numberOf(asked);
    if (number === null) throw new Problem(`${this.name}: there is no such document`, "notFound");
    const { top, ...how } = asOptions(options, this.#far);
    const answer = await this.#collection.like(number, { ...how, top: top + 1 });
    const others = answer.hits.filter(({ document }) => document !== number);
    return this.#shown({ ...answer, hits: others.slice(0, top) });
  }

  /** @param {import("../builder/page/web/core/collection.js").Answer} answer */
  async #shown(answer) {
    await describe(this.#collection, answer.hits);
    const hits = answer.hits.map((hit) => ({
      ...named(hit),
      similarity: hit.similarity / SHARES,
    }));
    return { ...answer, hits };
  }

  /** @param {string | number} asked */
  async #numberOf(asked) {
    if (typeof asked === "string") return numberOf(this.#collection, asked);
    return Number.isInteger(asked) && asked >= 0 && asked < this.documents ? asked : null;
  }

  /**
   * @param {string} text
   * @param {import("./index.js").SourcesOptions} [options]
   */
  async sources(text, { top = DEFAULT_SOURCES, cold = this.#far } = {}) {
    const collection = this.#collection;
    const found = await sourcesOf(collection, new TextEncoder().encode(text), { cold });
    const sources = found.sources.slice(0, top);
    const only = found.wordsOnly ? [found.wordsOnly] : [];
    await describe(collection, [...sources, ...only]);
    const passages = [...sources.flatMap((one) => one.passages), ...only, ...found.frequent];
    const units = unitsOf(
      text,
      passages.flatMap(({ start, end }) => [start, end]),
    );
    const inText = (/** @type {{ start: number, end: number }} */ { start, end }) => ({
      start: units.get(start) ?? 0,
      end: units.get(end) ?? 0,
    });
    return {
      coverage: found.coverage / SHARES,
      terms: found.terms,
      all: found.all,
      capped: found.capped,
      sources: sources.map((one) => ({
        ...named(one),
        coverage: one.coverage / SHARES,
        added: one.added / SHARES,
        passages: one.passages.map((passage) => ({
          ...inText(passage),
          verified: passage.verified,
          edited: passage.edited / SHARES,
          documents: passage.documents,
        })),
      })),
      wordsOnly: found.wordsOnly && {
        ...inText(found.wordsOnly),
        documents: found.wordsOnly.documents,
        example: named(found.wordsOnly),
      },
      frequent: found.frequent.map((one) => ({
        ...inText(one),
        documents: one.documents,
        verified: one.verified,
        examples: one.examples,
      })),
    };
  }

  /**
   * @param {string} words
   * @param {import("./index.js").SearchOptions} [options]
   */
  async search(words, options = {}) {
    const { top = 10, replace = true, ...how } = options;
    const bytes = new TextEncoder().encode(words);
    const { text, unlabelled, ...answer } = await searchedWords(this.#collection, bytes, {
      ...how,
      top,
      replace: replace ? RARE : 0,
    });
    await describe(this.#collection, answer.hits);
    return {
      ...answer,
      asked: new TextDecoder().decode(text),
      unlabelled: KINDS.filter((_, bit) => (unlabelled >> bit) & 1),
      replacements: answer.replacements.map(({ word, instead }) => ({ word, instead })),
      hits: answer.hits.map((hit) => ({ ...named(hit), words: hit.words, score: hit.score })),
    };
  }

  /**
   * @param {string} text
   * @param {string} words
   * @param {{ prefix?: boolean }} [options]
   */
  marks(text, words, { prefix = false } = {}) {
    return marksOf(this.#collection.core, text, new TextEncoder().encode(words), prefix);
  }

  /**
   * @param {string} beginning
   * @param {{ top?: number }} [options]
   */
  async titles(beginning, { top = 10 } = {}) {
    const found = await titlesOf(this.#collection, beginning, top);
    return found.map(({ document, title }) => ({ document, title }));
  }

  /** @param {string | number} asked */
  async document(asked) {
    const collection = this.#collection;
    const number = await this.#numberOf(asked);
    if (number === null) return null;
    /** @type {Shown} */
    const shown = { document: number };
    await describe(collection, [shown]);
    await loadTexts(collection, [shown]);
    await loadLabels(collection, [shown], MOST_LABELS);
    return { ...named(shown), text: shown.text ?? null, labels: shown.labels ?? [] };
  }
}

/**
 * @param {import("./index.js").QueryOptions} options
 * @param {boolean} far
 */
const asOptions = ({ top = 10, probes, exhaustive, cold, all, sketchesAlone }, far) => ({
  top,
  probes: exhaustive ? EXHAUSTIVE : (probes ?? ((cold ?? far) ? COLD : 0)),
  all,
  alone: sketchesAlone,
});

/** @param {Shown} shown */
const named = ({ document, id = "", title = "", url = "" }) => ({ document, id, title, url });
