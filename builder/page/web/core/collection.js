// A pocket file, open in the core by its heads, and what can be asked of it.

import { say } from "../base/language.js";
import {
  BYTES,
  HIT,
  KIND,
  QUERY_OPTIONS,
  REPORT,
  SECTION,
  STATUS,
  SUMMARY,
  WHOLE,
} from "../base/layout.js";
import { TooShort } from "../base/problem.js";
import { Blocks } from "./blocks.js";
import { readHeads } from "./heads.js";

/**
 * A document that was found; documents.js fills in the rest. similarity is in ten-thousandths.
 * @typedef {object} Hit
 * @property {number} document its number
 * @property {number} similarity
 * @property {string} [id]
 * @property {string} [title]
 * @property {string} [url]
 * @property {string} [text] or what is kept of it
 * @property {string[]} [labels] the first of them
 * @property {number} [labelled] how many it has
 */

/** @typedef {{ terms: number, candidates: number, capped: boolean }} Effort */
/** @typedef {{ hits: Hit[] } & Effort} Answer */

/**
 * How a query is put: probes is 0 for the file's own way, EXHAUSTIVE for every document; documents
 * are those of all collections that are asked, without it this one's; all shows what chance finds,
 * too; alone: neither words nor texts are asked.
 * @typedef {object} Options
 * @property {number} [probes]
 * @property {number} [top]
 * @property {number} [documents]
 * @property {boolean} [all]
 * @property {boolean} [alone]
 */

/**
 * How a collection is opened: once means that all tables, cells and sketches are loaded before the
 * first query; link is a template for the hits' links.
 * @typedef {{ once?: boolean, link?: string }} Opening
 */

export const TOP = 20; // hits
const LOADED_ONCE = 4_000_000; // bytes of tables, cells, sketches and copy keys
const KEPT = 512_000_000; // bytes lent before a query; beyond that it begins anew
const LOOK_UP = [KIND.tables, KIND.sketches, KIND.cells, KIND.copies];

export class Collection {
  /**
   * @param {import("./core.js").Core} core
   * @param {import("../bytes/range_source.js").Source} source
   * @param {Opening} [opening]
   * @param {import("../bytes/range_source.js").Source} [heading] where its heads are read
   */
  static async open(core, source, opening = {}, heading = source) {
    const heads = await readHeads(heading);
    return new Collection(core, source, heads, opening);
  }

  /**
   * @param {import("./core.js").Core} core
   * @param {import("../bytes/range_source.js").Source} source
   * @param {Uint8Array} heads
   * @param {Opening} opening
   */
  constructor(core, source, heads, opening) {
    this.core = core;
    this.name = source.name;
    this.link = opening.link ?? "";
    this.index = openIndex(core, heads, source.name);
    this.blocks = new Blocks(core, source, this.index);
    /** @type {Promise<void> | null} */
    this.preparing = null;
    this.loaded = false; // is what a look-up needs at hand?
    const summary = summaryOf(core, this.index);
    const { documents, scheme, stream, components, leastTerms, runTerms } = summary;
    this.documents = documents;
    this.scheme = scheme;
    this.stream = stream;
    this.components = components;
    this.leastTerms = leastTerms;
    this.runTerms = runTerms; // 0 where the file has no passages
    this.worded = summary.wordsRoom > 0;
    this.titled = core.calls.pocket_title_count(this.index) > 0;
    this.kept = core.calls.pocket_text_kept(this.index);
    const lookUp = LOOK_UP.reduce((sum, kind) => sum + this.lengthOf(kind), 0);
    this.traces = runTerms > 0 || this.worded; // can the sources of a text be found?
    // A text is read in the page where passages of it can be found.
    this.readable = this.kept === WHOLE && this.traces;
    this.once = opening.once ?? lookUp <= LOADED_ONCE;
  }

  close() {
    this.forget();
    this.core.calls.pocket_close(this.index);
  }

  /**
   * Bytes of a section; 0 where the file has none of its kind.
   * @param {number} kind
   */
  lengthOf(kind) {
    const { core } = this;
    return core.scratch((allocate) => {
      const at = allocate(BYTES.section);
      for (let i = 0; core.calls.pocket_section_get(this.index, i, at) === STATUS.ok; i++) {
        if (core.u32(at + SECTION.kind) === kind) return core.u64(at + SECTION.length);
      }
      return 0;
    });
  }

  /**
   * Load what a look-up needs, when that is done once.
   * @param {import("./blocks.js").Tell} [tell]
   */
  async prepare(tell) {
    if (!this.once) return;
    this.preparing ??= this.load(tell).catch((problem) => {
      this.preparing = null;
      throw problem;
    });
    await this.preparing;
  }

  /** @param {import("./blocks.js").Tell} [tell] */
  async load(tell) {
    for (const kind of LOOK_UP) this.core.calls.pocket_miss(this.index, kind);
    await this.blocks.fetchMissed(tell);
    this.loaded = true;
  }

  /** Take back all that was lent: it has become too much. */
  forget() {
    this.blocks.reclaimAll();
    this.preparing = null;
    this.loaded = false;
  }

  /** Before a question: where much was lent, begin anew. */
  makeRoom() {
    if (!this.loaded && this.blocks.lent > KEPT) this.forget();
  }

  /**
   * The hits of a text (UTF-8), best first.
   * @param {Uint8Array} text
   * @param {Options} options
   */
  async query(text, options = {}) {
    const { core, index } = this;
    const length = BigInt(text.length);
    const at = core.put(text);
    try {
      return await this.hits(
        (asked, hits, count) => {
          const { pocket_query } = core.calls;
          const status = pocket_query(index, at, length, asked, hits, count, core.error);
          if (status === STATUS.textTooShort) throw this.tooShort(asked);
          return status;
        },
        false,
        options,
      );
    } finally {
      core.free(at);
    }
  }

  /**
   * The core says of a short text only that it is one.
   * @param {number} asked a pocket_query_options
   */
  tooShort(asked) {
    const report = this.core.u32(asked + QUERY_OPTIONS.report);
    const found = this.core.u64(report + REPORT.terms);
    const key = this.worded && found > 0 ? "tooShortOrWords" : "tooShort";
    return new TooShort(say(key, { count: found, least: this.leastTerms }));
  }

  /**
   * The hits of a stored document by its sketch, itself among them.
   * @param {number} document
   * @param {Options} options
   */
  like(document, options = {}) {
    const { core, index } = this;
    return this.hits(
      (asked, hits, count) => {
        const { pocket_query_document } = core.calls;
        const status = pocket_query_document(index, document, asked, hits, count, core.error);
        if (status === STATUS.textTooShort) throw new TooShort(say("tooShortDocument"));
        return status;
      },
      true,
      options,
    );
  }

  /**
   * @param {(asked: number, hits: number, count: number) => number} ask the core's query
   * @param {boolean} stored whether a stored document asks
   * @param {Options} options
   * @returns {Promise<Answer>}
   */
  async hits(ask, stored, { probes = 0, top = TOP, documents = 0, all = false, alone = false }) {
    await this.prepare();
    this.makeRoom();
    const { core } = this;
    const found = core.allocate(top * BYTES.hit);
    const count = core.allocate(4);
    const report = core.allocate(BYTES.report);
    const asked = core.queryOptions(probes, report, alone);
    try {
      await this.blocks.complete(() => {
        core.setU32(count, top);
        return ask(asked, found, count);
      });
      const { pocket_more_than_chance } = core.calls;
      const beside = BigInt(documents);
      const length = all
        ? core.u32(count)
        : pocket_more_than_chance(this.index, beside, Number(stored), found, core.u32(count));
      const hits = Array.from({ length }, (_, i) => ({
        document: core.u32(found + i * BYTES.hit + HIT.document),
        similarity: core.u32(found + i * BYTES.hit + HIT.similarity),
      }));
      return {
        hits,
        terms: core.u64(report + REPORT.terms),
        candidates: core.u32(report + REPORT.candidates),
        capped: core.u32(report + REPORT.capped) !== 0,
      };
    } finally {
      core.free(found, count, report, asked);
    }
  }
}

/**
 * The number by which the core knows a file. Throws a Problem.
 * @param {import("./core.js").Core} core
 * @param {Uint8Array} heads
 * @param {string} name
 */
function openIndex(core, heads, name) {
  return core.scratch((allocate) => {
    const out = allocate(4);
    const at = core.put(heads);
    const status = core.calls.pocket_open_pieces(at, BigInt(heads.length), out, core.error);
    core.free(at);
    if (status !== STATUS.ok) throw core.problem(status, name);
    return core.u32(out);
  });
}

/**
 * @param {import("./core.js").Core} core
 * @param {number} index
 */
function summaryOf(core, index) {
  return core.scratch((allocate) => {
    const at = allocate(BYTES.summary);
    core.calls.pocket_summarize(index, at);
    return {
      documents: core.u64(at + SUMMARY.documents),
      scheme: core.u32(at + SUMMARY.scheme),
      stream: core.u32(at + SUMMARY.stream),
      components: core.u32(at + SUMMARY.components),
      leastTerms: core.u32(at + SUMMARY.leastTerms),
      runTerms: core.u32(at + SUMMARY.runTerms),
      wordsRoom: core.u32(at + SUMMARY.wordsRoom),
    };
  });
}
