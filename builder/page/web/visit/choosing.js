// What a visitor chooses: a collection, a file.

import { say } from "../base/language.js";
import { isPocketFile, textOf } from "../texts/reading.js";
import { textByServer } from "../texts/served.js";
import { showChoices } from "../view/choices.js";
import { textField } from "../view/elements.js";
import { hideOrigin } from "../view/origin.js";
import { hideReading } from "../view/reading_view.js";
import { hideResults } from "../view/results.js";
import { showProblem, showStatus } from "../view/state.js";
import { setText, showWhatIsAsked } from "../view/text_field.js";
import { canAskAgain } from "./asking.js";
import { showStart } from "./browsing.js";
import { disc, openFile, places, searched, selectPlace } from "./places.js";
import { ask } from "./question.js";
import { fail } from "./turn.js";

/**
 * Search in a place from now on.
 * @param {number} i or ALL
 */
export function choose(i) {
  selectPlace(i);
  const [passages, words] = [canSay("passages"), canSay("worded")];
  showWhatIsAsked(passages, words);
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
    const { text, notes } = await readFile(file);
    setText(text);
    await ask();
    if (notes.length > 0) {
      showProblem(say("readBut", { name: file.name, notes: notes.join("; ") }));
    }
  } catch (problem) {
    fail(problem);
  }
}

/** @param {File} file */
const readFile = async (file) =>
  disc.reads ? textByServer(file, disc.reads) : { text: await textOf(file), notes: [] };

/** @param {File} file */
async function acceptPocket(file) {
  const { collection, place } = await openFile(file);
  choose(place);
  showStart();
  showStatus(say("isOpen", { name: file.name, count: collection.documents }));
  hideAnswer();
  if (textField().value.trim()) await ask();
}
