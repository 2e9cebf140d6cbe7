// The documents of several collections that have a few words, as those of one.

import { describe } from "../core/documents.js";
import { loadLabels } from "../core/labels.js";
import { folded } from "../core/words.js";

/** @typedef {import("../core/collection.js").Collection} Collection */
/** @typedef {import("../core/words.js").AskedWord} AskedWord */
/** @typedef {import("../core/words.js").Having} Having */
/** @typedef {import("../core/replacements.js").Replacement} Replacement */
/** @typedef {import("../core/words.js").Words} Words */

/**
 * item: where it is shown; reading: the address of its text in the page, where it has one.
 * @typedef {import("../core/words.js").WordHit & {
 *   collection: Collection,
 *   item?: HTMLElement,
 *   reading?: string,
 * }} FoundWordHit
 */

/**
 * unchecked: names of the collections in which quotes were not looked for; more: are there other
 * hits?
 * @typedef {Omit<Words, "hits" | "unchecked"> & {
 *   hits: FoundWordHit[],
 *   unchecked: string[],
 *   more: boolean,
 * }} FoundWords
 */

export const GROUPED = 200; // hits that are looked at to fold what is alike
const MOST_REPLACED = 4;

/**
 * How many of the asked words a document has.
 * @param {AskedWord[]} words
 */
export const wanted = (words) =>
  words.filter(({ documents, excluded }) => documents > 0 && !excluded).length;

/**
 * What no hit has: words, and quotes in quotation marks, as WordHits.excluded has it.
 * @param {AskedWord[]} words
 */
export function leftOut(words) {
  /** @type {string[][]} */
  const quotes = [];
  /** @type {string[]} */
  const said = [];
  words.forEach(({ word, excluded, quoted }, i) => {
    const before = words[i - 1];
    if (excluded && !quoted) said.push(`“${word}”`);
    if (!excluded || !quoted) return;
    if (before?.excluded && before.quoted) quotes[quotes.length - 1].push(word);
    else quotes.push([word]);
  });
  return [...said, ...quotes.map((quote) => `“${quote.join(" ")}”`)];
}

/**
 * The words of all answers, whose documents are added up.
 * @param {Words[]} answers
 * @returns {AskedWord[]}
 */
const joint = ([first, ...others]) =>
  first.words.map((word, i) => ({
    ...word,
    documents: others.reduce((sum, { words }) => sum + words[i].documents, word.documents),
    forms: word.forms || others.some(({ words }) => words[i].forms),
    partial: word.partial || others.some(({ words }) => words[i].partial),
  }));

/**
 * The filters of all answers, whose documents are added up.
 * @param {Words[]} answers
 */
const jointFilters = ([first, ...others]) =>
  first.filters.map((filter, i) => ({
    ...filter,
    documents: others.reduce((sum, { filters }) => sum + filters[i].documents, filter.documents),
    labels: others.reduce((most, { filters }) => Math.max(most, filters[i].labels), filter.labels),
    near: [...new Set([first, ...others].flatMap(({ filters }) => filters[i].near))],
  }));

/**
 * How a collection is asked. replace: others may be asked instead of words that no document has;
 * having: how rare words are, null for its own.
 * @typedef {(
 *   collection: Collection,
 *   text: Uint8Array,
 *   how: { replace: boolean, having: Having | null },
 * ) => Promise<Words>} Ask
 */

/**
 * What is asked instead, in the order of the text: of what overlaps, what a collection finds in the
 * earliest step, of equal ones that of the first collection.
 * @param {Replacement[]} found
 */
function chosenOf(found) {
  /** @type {Replacement[]} */
  const chosen = [];
  for (const one of found.sort((a, b) => a.step - b.step)) {
    if (chosen.every(({ start, end }) => one.end <= start || end <= one.start)) chosen.push(one);
  }
  return chosen.slice(0, MOST_REPLACED).sort((a, b) => a.start - b.start);
}

/**
 * @param {Uint8Array} text
 * @param {Replacement[]} replacements
 */
function replacedText(text, replacements) {
  const pieces = [...replacements, { start: text.length, end: text.length, instead: "" }];
  const parts = pieces.flatMap(({ start, instead }, i) => [
    ...text.subarray(pieces[i - 1]?.end ?? 0, start),
    ...new TextEncoder().encode(instead),
  ]);
  return Uint8Array.from(parts);
}

/**
 * What was asked of all: the text, or where it has words that none of them knows, what they ask
 * instead.
 * @param {Collection[]} collections
 * @param {Uint8Array} text
 * @param {Ask} ask
 */
async function answersOf(collections, text, ask) {
  /** @type {(text: Uint8Array, having: Having | null, replace?: boolean) => Promise<Words[]>} */
  const askEach = async (text, having, replace = false) => {
    const answers = [];
    for (const collection of collections) {
      answers.push(await ask(collection, text, { replace, having }));
    }
    return answers;
  };
  // How rare a word is, all collections say together: so their scores compare.
  /** @type {(text: Uint8Array) => Promise<{ answers: Words[], having: Having | null }>} */
  const askAll = async (text) => {
    const answers = await askEach(text, null);
    if (collections.length < 2) return { answers, having: null };
    const having = {
      words: joint(answers).map(({ documents }) => documents),
      all: collections.reduce((sum, { documents }) => sum + documents, 0),
    };
    return { answers: await askEach(text, having), having };
  };
  const { answers, having } = await askAll(text);
  if (joint(answers).every(({ documents, excluded }) => documents || excluded)) {
    return { answers, text, replacements: [] };
  }
  const others = await askEach(text, having, true);
  const replacements = chosenOf(others.flatMap(({ replacements }) => replacements));
  if (replacements.length === 0) return { answers, text, replacements };
  const other = replacedText(text, replacements);
  return { answers: (await askAll(other)).answers, text: other, replacements };
}

/**
 * The hits of all, as reader/queries/word_search.py merges them, of collections that have words.
 * @param {Collection[]} collections
 * @param {Uint8Array} asked
 * @param {Ask} ask
 * @param {number} top
 * @returns {Promise<FoundWords>}
 */
export async function askWords(collections, asked, ask, top) {
  /** @type {FoundWordHit[]} */
  const hits = [];
  const { answers, text, replacements } = await answersOf(collections, asked, ask);
  collections.forEach((collection, i) => {
    hits.push(...answers[i].hits.map((hit) => ({ ...hit, collection })));
  });
  const words = joint(answers);
  const most = wanted(words);
  // Those with all words first; ties stay in the order of the collections. One alone has its own.
  if (collections.length > 1) {
    hits.sort((a, b) => Number(a.words < most) - Number(b.words < most) || b.score - a.score);
  }
  const more = hits.length > top;
  hits.splice(top);
  for (const collection of collections) {
    const own = hits.filter((hit) => hit.collection === collection);
    await Promise.all([describe(collection, own), loadLabels(collection, own)]);
  }
  const whole = answers.filter((answer) => wanted(answer.words) === most);
  return {
    hits,
    words,
    more,
    all: whole.reduce((sum, { all }) => sum + all, 0),
    any: answers.reduce((sum, { any }) => sum + any, 0),
    capped: answers.some(({ capped }) => capped),
    ignored: answers.some(({ ignored }) => ignored),
    pieces: answers.some(({ pieces }) => pieces),
    text,
    replacements,
    filters: jointFilters(answers),
    allowed: answers.reduce((sum, { allowed }) => sum + allowed, 0),
    unlabelled: answers.reduce((kinds, answer) => kinds | answer.unlabelled, 0),
    unchecked: collections.filter((_, i) => answers[i].unchecked).map(({ name }) => name),
  };
}

/**
 * An answer in which each hit stands for those that are like it.
 * @param {Collection} collection
 * @param {Words} answer
 * @returns {Promise<Words>}
 */
export async function foldedAnswer(collection, answer) {
  return { ...answer, hits: await folded(collection, answer.hits) };
}
