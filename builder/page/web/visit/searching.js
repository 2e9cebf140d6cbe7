// From a few words to what is shown.

import { ALL, titlesOfAll } from "../ask/several.js";
import { askWords, foldedAnswer, GROUPED } from "../ask/words.js";
import { messages } from "../base/messages.js";
import { describe, loadTexts } from "../core/documents.js";
import { titlesThatBegin } from "../core/titles.js";
import { foldsAtOnce, marksOf, searchedWords } from "../core/words.js";
import { oneLine } from "../texts/excerpts.js";
import { isFewWords, wordExcerpt } from "../texts/few_words.js";
import { textField } from "../view/elements.js";
import { nameOf } from "../view/links.js";
import { hideOrigin } from "../view/origin.js";
import { hideReading } from "../view/reading_view.js";
import { whenSeen } from "../view/seen.js";
import { sentence, showBusy, showProblem, showStatus } from "../view/state.js";
import { showMarkedTitle, showPiece } from "../view/word_item.js";
import { showWordResults } from "../view/word_results.js";
import { remember } from "./address.js";
import { currentPlace, opened, readingOf, searched } from "./places.js";
import { answered, fail, isMyTurn, nextTurn } from "./turn.js";

/** @typedef {import("../core/collection.js").Collection} Collection */
/** @typedef {import("../ask/words.js").FoundWords} FoundWords */
/** @typedef {import("../ask/words.js").FoundWordHit} FoundWordHit */
/** @typedef {import("../view/results.js").More} More */

/**
 * What is searched for, and how: typed: still being typed, so that its last word is a beginning;
 * deep: read all of common words; fold: also where that has to load much.
 * @typedef {object} Search
 * @property {string} text
 * @property {boolean} typed
 * @property {number} top
 * @property {boolean} deep
 * @property {boolean} fold
 * @property {More | null} offer
 */

const TOP_WORDS = 10; // hits: each loads a title and what is kept of its text
const MOST_WORDS = 100;
const MORE_WORDS = 3; // times as many
const TITLES_BESIDE = 4;
const TYPED = 2; // words that are searched for while they are typed
const LEAST_TYPED = 3; // letters
const PAUSE = 250; // milliseconds after a key

let timer = 0;

/**
 * Search for the words in the field.
 * @param {{ forced: boolean, offer: More | null }} how forced: though they are many
 */
export async function search({ forced, offer }) {
  const text = textField().value;
  remember({ q: text, ...(forced && { as: "words" }) }, currentPlace(), null);
  await answerWords({ text, typed: false, top: TOP_WORDS, deep: false, fold: false, offer });
}

/** What is being typed is not searched for any more. */
export const stopTyping = () => clearTimeout(timer);

/** Search for the words in the field when the visitor pauses. */
export function searchTyped() {
  stopTyping();
  const text = textField().value;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (!isFewWords(text, TYPED) || letters < LEAST_TYPED) return;
  const typed = { text, typed: true, top: TOP_WORDS, deep: false, fold: false, offer: null };
  timer = setTimeout(() => answerWords(typed), PAUSE);
}

/** @param {Search} asked */
async function answerWords(asked) {
  const mine = nextTurn();
  const { text, typed, top, deep, fold } = asked;
  const bytes = new TextEncoder().encode(text);
  showProblem("");
  if (!typed) {
    hideReading();
    showBusy(true);
    showStatus(messages.searching);
  }
  try {
    const places = searched().filter(({ worded }) => worded);
    const collections = await Promise.all(places.map(opened));
    const folds = collections.map((collection) => fold || foldsAtOnce(collection));
    /** @type {unknown[]} */
    const damage = []; // in the titles: it leaves the hits
    const [found, titles] = await Promise.all([
      askWords(
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
      ),
      titlesThatBeginSo(text, collections).catch((problem) => {
        damage.push(problem);
        return [];
      }),
    ]);
    if (!isMyTurn(mine)) return;
    for (const hit of found.hits) hit.reading = readingOf(hit.collection, hit.document);
    hideOrigin();
    hideReading();
    const named = currentPlace() === ALL && collections.length > 1;
    showWordResults({ ...found, titles, named }, offersOf(asked, found, folds), {
      typed,
      open: openLike,
    });
    showBusy(false);
    for (const problem of damage) showProblem(sentence(problem));
    await showMarks(found.hits, found.text, typed, mine);
    if (isMyTurn(mine)) answered();
  } catch (problem) {
    fail(problem, mine);
  }
}

/**
 * Give those that a hit stands for what is shown of them.
 * @param {FoundWordHit} hit
 */
async function openLike({ collection, like = [] }) {
  await describe(collection, like);
  for (const each of like) Object.assign(each, { reading: readingOf(collection, each.document) });
}

/**
 * @param {string} text
 * @param {Collection[]} collections
 */
async function titlesThatBeginSo(text, collections) {
  if (!isFewWords(text)) return [];
  const titled = collections.filter((collection) => collection.titled);
  const found = await titlesOfAll(titled, text, TITLES_BESIDE, titlesThatBegin);
  for (const collection of titled) {
    const own = found.filter((each) => each.collection === collection);
    await describe(collection, own);
  }
  return found.map((each) => ({ ...each, reading: readingOf(each.collection, each.document) }));
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
  const again = (label, change) => ({ label, ask: () => answerWords({ ...asked, ...change }) });
  const offers = [];
  if (found.more && top < MOST_WORDS)
    offers.push(again(messages.moreHits, { top: MORE_WORDS * top }));
  if (found.hits.length > 1 && folds.includes(false)) {
    offers.push(again(messages.fold, { fold: true }));
  }
  if (offer) offers.push(offer);
  return { deeper: partial && !deep ? again(messages.deeper, { deep: true }) : null, offers };
}

/**
 * Mark the words in titles, and in a piece of what the file keeps of the text of each hit that the
 * visitor sees: other texts are not loaded. Damage there leaves the hits as they are.
 * @param {FoundWordHit[]} hits
 * @param {Uint8Array} asked
 * @param {boolean} prefix
 * @param {number} mine
 */
async function showMarks(hits, asked, prefix, mine) {
  for (const hit of hits) {
    showMarkedTitle(hit, marksOf(hit.collection.core, nameOf(hit), asked, prefix));
  }
  /** @param {Element[]} seen */
  const showPieces = async (seen) => {
    const own = hits.filter(({ item }) => item && seen.includes(item));
    try {
      for (const collection of new Set(own.map((hit) => hit.collection))) {
        const each = own.filter((hit) => hit.collection === collection);
        await loadTexts(collection, each);
        if (!isMyTurn(mine)) return;
        for (const hit of each) {
          const line = oneLine(hit.text ?? "");
          showPiece(hit, wordExcerpt(line, marksOf(collection.core, line, asked, prefix)));
        }
      }
    } catch (problem) {
      if (isMyTurn(mine)) showProblem(sentence(problem));
    }
  };
  const kept = hits.filter(({ collection }) => collection.kept !== 0);
  await whenSeen(
    kept.flatMap(({ item }) => item ?? []),
    showPieces,
  );
}
