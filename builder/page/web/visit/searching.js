// From a few words to what is shown: titles and documents, and of a sentence its sources.

import { ALL, titlesOfAll } from "../ask/several.js";
import { askSources } from "../ask/sources.js";
import { askWords, foldedAnswer, GROUPED } from "../ask/words.js";
import { say } from "../base/language.js";
import { describe } from "../core/documents.js";
import { titlesOf, titlesThatBegin } from "../core/titles.js";
import { foldsAtOnce, searchedWords } from "../core/words.js";
import { isBegun, isFewWords } from "../texts/few_words.js";
import { textField } from "../view/elements.js";
import { hideOrigin, showOrigin } from "../view/origin.js";
import { hideReading } from "../view/reading_view.js";
import { hideResults, showStale } from "../view/results.js";
import { sentence, showBusy, showProblem, showStatus } from "../view/state.js";
import { showWordResults } from "../view/word_results.js";
import { remember } from "./address.js";
import { addressOf, currentPlace, opened, readingOf, searched } from "./places.js";
import { answered, fail, isMyTurn, nextTurn } from "./turn.js";
import { showMarks } from "./word_pieces.js";

/** @typedef {import("../core/collection.js").Collection} Collection */
/** @typedef {import("../ask/words.js").FoundWords} FoundWords */
/** @typedef {import("../ask/words.js").FoundWordHit} FoundWordHit */
/** @typedef {import("../view/results.js").More} More */

/** @typedef {import("../ask/sources.js").FoundSources} FoundSources */

/**
 * What is searched for, and how: typed: still being typed, so that its last word is a beginning;
 * traced: also for the sources of its passages; deep: read all of common words; fold: also where
 * that has to load much; behind: so many hits
 * are shown already.
 * @typedef {object} Search
 * @property {string} text
 * @property {boolean} typed
 * @property {boolean} traced
 * @property {number} top
 * @property {boolean} deep
 * @property {boolean} fold
 * @property {number} behind
 * @property {More | null} offer
 */

const TOP_WORDS = 10; // hits: each loads a title and what is kept of its text
const MOST_WORDS = 100;
const MORE_WORDS = 3; // times as many
const TITLES_BESIDE = 4;
const TITLES_ALONE = 20; // where there are no words to search for
const PAUSE = 200; // milliseconds after a key
/** @type {FoundWords} */
const NO_WORDS = {
  hits: [],
  words: [],
  all: 0,
  any: 0,
  more: false,
  capped: false,
  ignored: false,
  pieces: false,
  text: new Uint8Array(),
  replacements: [],
  filters: [],
  allowed: 0,
  unlabelled: 0,
  unchecked: [],
};

let timer = 0;
let isTyped = false; // is what is shown the answer to what is being typed?

/**
 * Search for the words in the box.
 * @param {{ forced: boolean, traced: boolean, offer: More | null }} how forced: though they are
 *   many; traced: they may be a passage
 */
export async function search({ forced, traced, offer }) {
  const text = textField().value;
  remember({ q: text, ...(forced && { as: "words" }) }, currentPlace(), null);
  await answerWords({ ...NEW, text, traced, offer });
}

const NEW = {
  typed: false,
  traced: false,
  top: TOP_WORDS,
  deep: false,
  fold: false,
  behind: 0,
  offer: null,
};

/** Is what is shown found by the beginning of a word? */
export const isBeingTyped = () => isTyped;

/** What is being typed is not searched for any more. */
export const stopTyping = () => clearTimeout(timer);

/**
 * Search for the words in the box when the visitor pauses. The answer to another question goes at
 * once; that to what was typed before stays until there is a newer one.
 */
export function searchTyped() {
  stopTyping();
  const text = textField().value;
  const places = searched().filter(isSearched);
  const begun = isFewWords(text) && places.some(({ worded }) => !worded || isBegun(text));
  if (!isTyped || !begun) clearAnswer();
  if (!begun) return;
  // What the search needs first is loaded during the pause; it says what cannot be.
  for (const place of places) opened(place).catch(() => null);
  timer = setTimeout(() => answerWords({ ...NEW, text, typed: true }), PAUSE);
}

function clearAnswer() {
  nextTurn(); // what is under way is not shown any more
  isTyped = false;
  showProblem("");
  showStatus("");
  showBusy(false);
  hideResults();
  hideOrigin();
}

/**
 * Can a collection say anything of a few words?
 * @param {{ worded: boolean, titled: boolean }} place
 */
const isSearched = ({ worded, titled }) => worded || titled;

/** @param {Search} asked */
async function answerWords(asked) {
  const { text, typed } = asked;
  if (!typed && asked.behind === 0) clearAnswer();
  const mine = nextTurn();
  const bytes = new TextEncoder().encode(text);
  showProblem("");
  if (typed) {
    showStale();
  } else {
    hideReading();
    showBusy(true);
    showStatus(say("searching"));
  }
  try {
    const collections = await Promise.all(searched().filter(isSearched).map(opened));
    const worded = collections.filter((collection) => collection.worded);
    const folds = worded.map((collection) => asked.fold || foldsAtOnce(collection));
    /** @type {unknown[]} */
    const damage = []; // beside the hits: it leaves them
    /** @param {unknown} problem */
    const note = (problem) => {
      damage.push(problem);
      return null;
    };
    const [found, titles, sources] = await Promise.all([
      worded.length > 0 ? wordsOf(worded, folds, asked, bytes) : NO_WORDS,
      titlesThatBeginSo(text, collections, worded.length > 0).catch(note),
      asked.traced ? sourcesOfText(worded, bytes, mine).catch(note) : null,
    ]);
    if (!isMyTurn(mine)) return;
    for (const hit of found.hits) hit.reading = readingOf(hit);
    hideReading();
    const named = currentPlace() === ALL && searched().length > 1;
    const view = {
      typed,
      behind: asked.behind,
      asked: worded.length > 0,
      open: openLike,
      untraced: isUntraced(sources),
    };
    showWordResults({ ...found, titles: titles ?? [], named }, offersOf(asked, found, folds), view);
    if (sources && sources.all > 0) {
      showOrigin(sources, text, { named, again: false, others: false, stays: false });
    } else hideOrigin();
    isTyped = typed;
    showBusy(false);
    for (const problem of damage) showProblem(sentence(problem));
    await showMarks(found.hits, found.text, typed, mine);
    if (isMyTurn(mine)) answered();
  } catch (problem) {
    fail(problem, mine);
  }
}

/**
 * @param {Collection[]} collections
 * @param {boolean[]} folds
 * @param {Search} asked
 * @param {Uint8Array} bytes
 */
function wordsOf(collections, folds, { top, typed, deep }, bytes) {
  return askWords(
    collections,
    bytes,
    async (collection, text, { replace, having }) => {
      const folded = folds[collections.indexOf(collection)];
      const most = folded ? Math.max(GROUPED, top + 1) : top + 1;
      const how = { top: most, prefix: typed, deep, replace, having };
      const words = await searchedWords(collection, text, how);
      return folded ? foldedAnswer(collection, words) : words;
    },
    top,
  );
}

/**
 * @param {Collection[]} collections
 * @param {Uint8Array} bytes
 * @param {number} mine
 */
async function sourcesOfText(collections, bytes, mine) {
  const found = await askSources(collections, bytes, { first: true, wanted: () => isMyTurn(mine) });
  for (const each of found?.sources ?? []) each.reading = readingOf(each);
  return found;
}

/**
 * Was all looked at, and no document has a passage of it?
 * @param {FoundSources | null} sources
 */
const isUntraced = (sources) => sources !== null && sources.all === 0 && !sources.few;

/**
 * Give those that a hit stands for what is shown of them.
 * @param {FoundWordHit} hit
 */
async function openLike({ collection, like = [] }) {
  await describe(collection, like);
  for (const each of like) Object.assign(each, { reading: readingOf({ ...each, collection }) });
}

/**
 * @param {string} text
 * @param {Collection[]} collections
 * @param {boolean} beside are there hits beside them?
 */
async function titlesThatBeginSo(text, collections, beside) {
  const titled = collections.filter((collection) => collection.titled);
  const [most, look] = beside ? [TITLES_BESIDE, titlesThatBegin] : [TITLES_ALONE, titlesOf];
  const found = await titlesOfAll(titled, text, most, look);
  for (const collection of titled) {
    const own = found.filter((each) => each.collection === collection);
    await describe(collection, own);
  }
  return found.map((each) => ({ ...each, reading: addressOf(each) }));
}

/**
 * What else can be done, each on a button: deeper: the same question, with all that there is.
 * @param {Search} asked
 * @param {FoundWords} found
 * @param {boolean[]} folds
 */
function offersOf(asked, found, folds) {
  const { top, deep, offer } = asked;
  const partial = found.capped || found.words.some((word) => word.partial);
  /** @type {(label: string, change: Partial<Search>) => More} */
  const again = (label, change) => ({
    label,
    ask: () => answerWords({ ...asked, behind: 0, ...change }),
  });
  const offers = [];
  if (found.more && top < MOST_WORDS)
    offers.push(again(say("moreHits"), { top: MORE_WORDS * top, behind: found.hits.length }));
  if (found.hits.length > 1 && folds.includes(false)) {
    offers.push(again(say("fold"), { fold: true }));
  }
  if (offer) offers.push(offer);
  return { deeper: partial && !deep ? again(say("deeper"), { deep: true }) : null, offers };
}
