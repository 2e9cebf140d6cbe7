// What a visitor chooses: a collection, a file, a title.

import { ALL, titlesOfAll } from "../ask/several.js";
import { number } from "../base/numbers.js";
import { isPocketFile, textOf } from "../texts/reading.js";
import { showChoices } from "../view/choices.js";
import { Combobox, PROPOSED } from "../view/combobox.js";
import { byId, textField } from "../view/elements.js";
import { hideOrigin } from "../view/origin.js";
import { hideReading } from "../view/reading_view.js";
import { hideResults } from "../view/results.js";
import { showProblem, showStatus } from "../view/state.js";
import { setText, showWhatIsAsked } from "../view/text_field.js";
import { askLike, canAskAgain } from "./asking.js";
import { currentPlace, openFile, openSearched, places, searched, selectPlace } from "./places.js";
import { ask } from "./question.js";
import { fail } from "./turn.js";

/** @type {Combobox | null} */
let titles = null;

/**
 * Search in a place from now on.
 * @param {number} i or ALL
 */
export function choose(i) {
  selectPlace(i);
  titles?.close();
  const [passages, words] = [canSay("passages"), canSay("worded")];
  showWhatIsAsked(passages, words);
  byId("titles").hidden = !searched().some(({ titled }) => titled);
  showChoices(places, i, (chosen) => {
    choose(chosen);
    hideAnswer();
    if (canAskAgain()) ask();
  });
}

/** @param {"passages" | "worded"} what */
const canSay = (what) => searched().some((place) => place[what]);

function hideAnswer() {
  hideReading();
  hideResults();
  hideOrigin();
}

/** Propose titles from now on. */
export function proposeTitles() {
  titles = new Combobox(byId("title"), byId("proposals"), proposals, (proposal) => {
    askLike(proposal.document, proposal.place);
  });
}

/**
 * Titles that begin so, in turn from each collection that has some; its name where there are
 * several to search.
 * @param {string} text
 */
async function proposals(text) {
  const collections = await openSearched();
  const titled = collections.filter((collection) => collection.titled);
  const found = await titlesOfAll(titled, text, PROPOSED);
  const current = currentPlace();
  return found.map(({ document, title, collection }) => ({
    document,
    title,
    place: current === ALL ? collections.indexOf(collection) : current,
    name: current === ALL ? collection.name : "",
  }));
}

/**
 * Files that were picked or dropped, one after the other: texts, or pocket files.
 * @param {FileList} files
 */
export async function acceptAll(files) {
  for (const file of Array.from(files)) await accept(file, await isPocketFile(file));
}

/**
 * Files that were picked to be searched: one that is no pocket file is a mistake.
 * @param {FileList} files
 */
export async function acceptPockets(files) {
  for (const file of Array.from(files)) await accept(file, true);
}

/**
 * @param {File} file
 * @param {boolean} pocket
 */
async function accept(file, pocket) {
  showProblem("");
  try {
    if (pocket) {
      await acceptPocket(file);
      return;
    }
    setText(await textOf(file));
    await ask();
  } catch (problem) {
    fail(problem);
  }
}

/** @param {File} file */
async function acceptPocket(file) {
  const { collection, place } = await openFile(file);
  choose(place);
  showStatus(`“${file.name}” is open: ${number(collection.documents)} documents.`);
  hideAnswer();
  if (textField().value.trim()) await ask();
}
