// The texts of a collection, read in the page: each has an address of its own.

import { WHOLE } from "../base/layout.js";
import { messages } from "../base/messages.js";
import { Problem } from "../base/problem.js";
import { describe, loadTexts } from "../core/documents.js";
import { commonPassages } from "../core/given.js";
import { marked } from "../texts/excerpts.js";
import { commonPlaces } from "../texts/places.js";
import { byId, textField } from "../view/elements.js";
import { goToNext, leaveReading, showReading } from "../view/reading_view.js";
import { sentence, showProblem, showStatus } from "../view/state.js";
import { addressedText } from "./address.js";
import { askLike } from "./asking.js";
import { opened, places } from "./places.js";
import { fail } from "./turn.js";

let reads = 0; // only the last one is shown
let within = false; // did the visitor come from another view of this page?

/**
 * Show the text of a document.
 * @param {{ place: number, document: number }} address
 * @param {boolean} atStart has the page just been opened?
 */
export async function read({ place, document }, atStart) {
  const mine = ++reads;
  within = !atStart;
  showProblem("");
  showStatus(messages.opening);
  try {
    if (!places[place]) throw new Problem(messages.noCollection);
    const collection = await opened(places[place]);
    if (collection.kept !== WHOLE) throw new Problem(messages.keepsNoText(collection.name));
    /** @type {import("../core/documents.js").Shown} */
    const hit = { document };
    await describe(collection, [hit]);
    await loadTexts(collection, [hit]);
    const stored = hit.text ?? "";
    const text = textField().value;
    const found = text.trim() ? await commonPassages(collection, text, [hit]) : new Map();
    if (mine !== reads || !addressedText()) return;
    showReading({
      name: hit.title || hit.id || "",
      url: hit.url || "",
      collection: places.length > 1 ? collection.name : "",
      pieces: marked(stored, commonPlaces(text, stored, found.get(document) ?? [])),
    });
    showStatus("");
  } catch (problem) {
    if (mine !== reads) return;
    if (atStart) fail(problem);
    else {
      showStatus("");
      showProblem(sentence(problem));
    }
  }
}

/** Stop reading, where a text is read; returns whether one was. */
export function stopReading() {
  reads++;
  if (byId("status").textContent === messages.opening) showStatus("");
  return leaveReading();
}

function back() {
  if (within) history.back();
  else location.hash = "";
}

/** What the buttons beside a text do. */
export function listenToReader() {
  byId("back").addEventListener("click", back);
  byId("next").addEventListener("click", goToNext);
  byId("alike").addEventListener("click", () => {
    const address = addressedText();
    if (address) askLike(address.document, address.place);
  });
}
