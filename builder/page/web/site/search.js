// A website's search: open its index, and ask it.

import { Dictionary } from "./dictionary.js";
import { countsOf, testOf } from "./filters.js";
import { hitOf, inText } from "./hits.js";
import { orderedPages } from "./order.js";
import { Pages, pageOf } from "./pages.js";
import { checkFormat, coreOf, Pieces, parsed } from "./pieces.js";
import { scored } from "./ranking.js";
import { runsOf, sharedRuns } from "./runs.js";
import { termOf, typedOf, unitsOfQuestion } from "./terms.js";
import { askedOf, WHOLE_WORD, wordsOf } from "./words.js";

/** @typedef {import("./filters.js").Facets} Facets */
/** @typedef {import("./terms.js").Term} Term */
/** @typedef {import("./words.js").Quote} Quote */
/** @typedef {[string, Record<string, string>, import("./excerpts.js").Part[]]} Page address,
 *  metadata, parts */

/**
 * @typedef {object} Language
 * @property {string} code
 * @property {number} pages
 * @property {boolean} stemmed
 * @property {Record<string, string>} letters
 * @property {[string, string][]} rules
 * @property {[string, string][]} words
 * @property {[number, string][]} texts
 * @property {string} all
 * @property {string[]} filters
 * @property {string[]} sorts
 * @property {string} facets
 */

/**
 * runs: of words of a text that was pasted, none of another question.
 * @typedef {{ pages: Pages, headed: Map<number, number>, scores: Map<number, number>,
 *  terms: Term[], unknown: any[], corrected: any[], partial: boolean, runs: string[] }} Found
 */

const PASTED = 8; // whole words of a text that was pasted
const MOST_COMPARED = 5; // pages whose texts are compared with it
const MOST_QUOTED = 200; // pages that are looked into for a quote
const MOST_ELSEWHERE = 8; // other languages that are asked, the largest ones

/**
 * Open the index of a website.
 * @param {string} base the address of its folder
 * @param {{ format: number, core: string, index: string }} entry what entry.js says
 */
export async function openSite(base, entry) {
  checkFormat(entry.format);
  const pieces = new Pieces(base);
  const stem = (/** @type {string} */ file) => file.replace(/\.js$/, "");
  const [core, index] = await Promise.all([
    pieces.get(stem(entry.core), (bytes) => bytes).then(coreOf),
    pieces.json(stem(entry.index)),
  ]);
  return new Site(pieces, core, index.languages);
}

/** @type {Map<number, number>} */
const NONE = new Map();
const wordIn = (/** @type {import("./words.js").Word} */ { word }) => word;

class Site {
  /**
   * @param {Pieces} pieces
   * @param {import("../core/core.js").Core} core
   * @param {Language[]} languages
   */
  constructor(pieces, core, languages) {
    this.pieces = pieces;
    this.core = core;
    this.all = languages;
    this.languages = languages.map(({ code, pages }) => ({ code, pages }));
    this.filterKeys = languages[0]?.filters ?? [];
    this.sortKeys = languages[0]?.sorts ?? [];
    this.root = new URL("..", pieces.base).href;
  }

  /**
   * The index that a page of a language asks: its own, else that of its main part, else the
   * largest one.
   * @param {string} code
   */
  languageOf(code) {
    const wanted = code.trim().toLowerCase();
    const main = wanted.split("-")[0];
    return (
      this.all.find((one) => one.code === wanted) ??
      this.all.find((one) => one.code === main) ??
      this.all.find((one) => main !== "" && one.code.split("-")[0] === main) ??
      this.all[0]
    );
  }

  /**
   * @param {string | null} text
   * @param {{ filters?: any, sort?: Record<string, string>, language?: string, top?: number,
   *  from?: number }} [options]
   */
  async search(text, { filters = {}, sort = {}, language = "", top = 10, from = 0 } = {}) {
    const own = this.languageOf(language);
    const { facets, found, slots } = await this.matching(own, text, filters);
    const values = facets.filters;
    let ordered = orderedPages(facets, found.scores, slots, sort);
    if (Object.keys(sort ?? {}).length === 0) ordered = await this.nearest(own, found, ordered);
    const shown = await Promise.all(
      ordered.slice(from, from + top).map(async (slot) => {
        const { page, whole, rest } = await this.read(own, found, slot);
        return { ...hitOf(this, own, page, found.terms, whole), rest };
      }),
    );
    return {
      total: ordered.length,
      hits: shown,
      counts: countsOf(values, () => slots),
      totals: countsOf(values, () => new Set(found.scores.keys())),
      ticked: countsOf(values, (key) => {
        const others = testOf(values, { ...filters, [key]: [] });
        return new Set([...found.scores.keys()].filter(others));
      }),
      unfiltered: found.scores.size,
      unknown: found.unknown,
      corrected: found.corrected,
      language: own.code,
      partial: found.partial,
    };
  }

  /**
   * How many pages of each other language, of the largest ones, have all words as they are written
   * or their forms. Quotes are no more than their words here.
   * @param {string} text
   * @param {{ filters?: any, language?: string }} [options]
   * @returns {Promise<{ code: string, total: number }[]>} those that have any
   */
  async elsewhere(text, { filters = {}, language = "" } = {}) {
    if (!text.trim()) return [];
    const own = this.languageOf(language);
    const others = this.all.filter((one) => one !== own).slice(0, MOST_ELSEWHERE);
    const counts = await Promise.all(
      others.map(async (other) => {
        const { found, slots } = await this.matching(other, text, filters, false);
        return { code: other.code, total: found.unknown.length > 0 ? 0 : slots.size };
      }),
    );
    return counts.filter(({ total }) => total > 0);
  }

  /**
   * The pages of a language that have what is asked for. closely: are typing errors corrected, and
   * quotes looked for?
   * @param {Language} own
   * @param {string | null} text
   * @param {any} filters
   * @param {boolean} [closely]
   */
  async matching(own, text, filters, closely = true) {
    const wanted = (text ?? "").trim();
    const all = !wanted && (text === null || Object.keys(filters ?? {}).length > 0);
    const [facets, found] = await Promise.all([
      this.facets(own),
      all ? this.everything(own) : this.found(own, wanted, closely),
    ]);
    const test = testOf(facets.filters, filters);
    return { facets, found, slots: new Set([...found.scores.keys()].filter(test)) };
  }

  /** @param {Language} own */
  async everything(own) {
    const pages = await this.pages(own);
    return {
      ...{ pages, headed: NONE, terms: [], unknown: [], corrected: [], partial: false, runs: [] },
      scores: new Map([...pages.lengths.keys()].map((slot) => [slot, 0])),
    };
  }

  /**
   * @param {Language} own
   * @param {string} text
   * @param {boolean} closely
   */
  async found(own, text, closely) {
    const dictionary = new Dictionary(this.pieces, own);
    const { words, quotes } = askedOf(this.core, text, own.letters);
    const wanted = words.filter((word) => !word.excluded && !word.idle);
    const excluded = words.filter((word) => word.excluded);
    const said = wordsOf(this.core, text, own.letters);
    const asked = said.map(wordIn);
    const loading = this.pages(own);
    const [pages, headed, { units, unknown, corrected }] = await Promise.all([
      loading,
      dictionary.headedBy(asked, loading),
      unitsOfQuestion(dictionary, wanted, loading, closely),
    ]);
    const pasted = wanted.filter((word) => word.kind === WHOLE_WORD).length >= PASTED;
    const lacks = unknown.some((word) => word.quoted);
    let scores = lacks ? new Map() : scored(units, pasted, headed);
    for (const word of excluded) {
      const term = await termOf(dictionary, word, loading, true);
      for (const slot of term.pages.keys()) scores.delete(slot);
    }
    const terms = units.flatMap(({ terms, compound }) => (compound ? [...terms, compound] : terms));
    const quoted = await this.quoted(own, pages, scores, closely ? quotes : []);
    scores = quoted.scores;
    const partial = quoted.partial || terms.some((term) => term.partial);
    const runs = pasted ? runsOf(said) : [];
    return { pages, headed, scores, terms, unknown: typedOf(unknown), corrected, partial, runs };
  }

  /**
   * What a hit is made from, and how many other texts of the page have some of the question.
   * @param {Language} own
   * @param {Pick<Found, "pages" | "terms" | "headed">} found
   * @param {number} slot
   */
  async read(own, { pages, terms, headed }, slot) {
    const { texts, whole, rest } = pages.toRead(slot, terms, headed);
    const page = pageOf(await Promise.all(texts.map((text) => this.text(own, text))));
    return { page, whole, rest };
  }

  /**
   * Pages, best first; of the first ones, that first which has most of a text that was pasted, word
   * for word.
   * @param {Language} own
   * @param {Found} found
   * @param {number[]} ordered
   */
  async nearest(own, found, ordered) {
    if (found.runs.length === 0) return ordered;
    const compared = await Promise.all(
      ordered.slice(0, MOST_COMPARED).map(async (slot) => {
        const { page } = await this.read(own, found, slot);
        const texts = page[2].map((part) => wordsOf(this.core, part[3], own.letters));
        return { slot, count: sharedRuns(found.runs, texts) };
      }),
    );
    const first = compared.sort((a, b) => b.count - a.count).map(({ slot }) => slot);
    return [...first, ...ordered.slice(MOST_COMPARED)];
  }

  /**
   * Those of some pages that have quotes.
   * @param {Language} own
   * @param {Pages} pages
   * @param {Map<number, number>} scores
   * @param {Quote[]} quotes
   */
  async quoted(own, pages, scores, quotes) {
    if (quotes.length === 0) return { scores, partial: false };
    const ordered = [...scores].sort((a, b) => b[1] - a[1]);
    const looked = await Promise.all(
      ordered.slice(0, MOST_QUOTED).map(async ([slot, score]) => {
        const texts = pages.textsOf(slot).map((text) => this.text(own, text));
        const page = pageOf(await Promise.all(texts));
        const has = quotes.every(
          ({ words, negative }) => inText(this.core, own, page, words) !== negative,
        );
        return /** @type {const} */ ([slot, has ? score : -1]);
      }),
    );
    const having = looked.filter(([, score]) => score >= 0);
    return { scores: new Map(having), partial: ordered.length > MOST_QUOTED };
  }

  /**
   * @param {Language} own
   * @param {number} slot
   * @returns {Promise<Page>} what a text has of its page
   */
  async text(own, slot) {
    const piece = own.texts.filter(([first]) => first <= slot).pop()?.[1];
    const texts = await this.pieces.json(`t-${piece}`);
    return texts.find((/** @type {[number, Page]} */ one) => one[0] === slot)[1];
  }

  /**
   * @param {Language} own
   * @returns {Promise<Pages>}
   */
  async pages(own) {
    return this.pieces.get(`a-${own.all}`, (bytes) => new Pages(parsed(bytes)));
  }

  /**
   * @param {Language} own
   * @returns {Promise<Facets>}
   */
  async facets(own) {
    return own.facets ? this.pieces.json(`f-${own.facets}`) : { filters: {}, sorts: {} };
  }
}
