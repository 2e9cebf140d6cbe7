// The documents of a collection, read in the page: each has an address of its own.

import { element } from "../base/element.js";
import { say } from "../base/language.js";
import { WHOLE } from "../base/layout.js";
import { Problem, TooShort } from "../base/problem.js";
import { describe, loadTexts, numberOf } from "../core/documents.js";
import { commonPassages } from "../core/given.js";
import { marksOf } from "../core/words.js";
import { asksFor } from "../texts/few_words.js";
import { commonPlaces } from "../texts/places.js";
import { byId, textField } from "../view/elements.js";
import { linkTo, nameOf } from "../view/links.js";
import { goToMark, leaveReading, showReading } from "../view/reading_view.js";
import { whenSeen } from "../view/seen.js";
import { sentence, showProblem, showStatus } from "../view/state.js";
import { addressedView } from "./address.js";
import { askLike } from "./asking.js";
import { browse } from "./browsing.js";
import { addressOf, opened, places } from "./places.js";
import { isBeingTyped } from "./searching.js";
import { fail } from "./turn.js";

/** @typedef {import("../core/collection.js").Collection} Collection */
/** @typedef {import("../core/documents.js").Shown} Shown */
/** @typedef {import("../texts/blocks.js").Span} Span */

const LIKE = 8; // documents at the end of a text

let reads = 0; // only the last one is shown
let within = false; // did the visitor come from another view of this page?
/** @type {{ document: number, place: number } | null} */
let shown = null; // what is read

/**
 * Show what the address names.
 * @param {{ place: number, id: string | null, letter: string }} view
 * @param {boolean} atStart has the page just been opened?
 */
export async function read({ place, id, letter }, atStart) {
  const mine = ++reads;
  const isMine = () => mine === reads && addressedView() !== null;
  within = !atStart;
  shown = null;
  showProblem("");
  showStatus(say("opening"));
  try {
    if (!places[place]) throw new Problem(say("noCollection"));
    const collection = await opened(places[place]);
    if (id === null) await browse(collection, place, letter, isMine);
    else await readDocument(collection, place, id, isMine);
    if (isMine()) showStatus("");
  } catch (problem) {
    if (mine !== reads) return;
    if (atStart) fail(problem);
    else {
      showStatus("");
      showProblem(sentence(problem));
    }
  }
}

/**
 * @param {Collection} collection
 * @param {number} place
 * @param {string} id
 * @param {() => boolean} isMine
 */
async function readDocument(collection, place, id, isMine) {
  const document = await numberOf(collection, id);
  if (document === null) throw new Problem(say("noDocument", { name: collection.name }));
  /** @type {Shown} */
  const hit = { document };
  await describe(collection, [hit]);
  const whole = collection.kept === WHOLE;
  if (whole) await loadTexts(collection, [hit]);
  const asked = textField().value;
  const marks = whole
    ? await marksIn(collection, hit, asked)
    : { spans: [], told: /** @type {const} */ ("inBoth") };
  if (!isMine()) return;
  shown = { document, place };
  showReading({
    name: nameOf(hit),
    url: hit.url ?? "",
    collection: places.length > 1 ? collection.name : "",
    text: whole ? (hit.text ?? "") : null,
    ...marks,
  });
  const list = byId("read-like");
  whenSeen(
    [list],
    (seen) => (seen.length > 0 ? showLike(collection, document, isMine) : done),
    "like",
  );
}

const done = Promise.resolve();

/**
 * What of a text stands in the box, too: passages of it, or else its words.
 * @param {Collection} collection
 * @param {Shown} hit
 * @param {string} asked
 */
async function marksIn(collection, hit, asked) {
  const { document, text = "" } = hit;
  const kind = asksFor(asked);
  const long = asked.trim() !== "" && kind !== "words";
  const found = long ? await commonPassages(collection, asked, [hit]) : new Map();
  /** @type {Span[]} */
  const passages = commonPlaces(asked, text, found.get(document) ?? []).map((c) => [c.from, c.to]);
  if (kind === "text" || passages.length > 0)
    return { spans: passages, told: /** @type {const} */ ("inBoth") };
  const bytes = new TextEncoder().encode(asked);
  const words = marksOf(collection.core, text, bytes, isBeingTyped());
  return { spans: words, told: /** @type {const} */ ("wordsAt") };
}

/**
 * The documents that are like the one that is read, by their sketches.
 * @param {Collection} collection
 * @param {number} document
 * @param {() => boolean} isMine
 */
async function showLike(collection, document, isMine) {
  try {
    const { hits } = await collection.like(document, { top: LIKE + 1 });
    const others = hits.filter((hit) => hit.document !== document).slice(0, LIKE);
    await describe(collection, others);
    if (!isMine()) return;
    const items = others.map((hit) => {
      const link = linkTo(addressOf({ ...hit, collection }), nameOf(hit));
      return element(
        "li",
        {},
        link,
        ` ${say("percent", { share: Math.floor(hit.similarity / 100) })}`,
      );
    });
    byId("like").replaceChildren(...items);
    byId("like-note").textContent = others.length > 0 ? "" : say("nothing");
  } catch (problem) {
    if (!isMine()) return;
    const short = problem instanceof TooShort;
    byId("like-note").textContent = short ? say("tooShortDocument") : sentence(problem);
  }
}

/** Stop reading, where a text is read; returns whether one was. */
export function stopReading() {
  reads++;
  if (byId("status").textContent === say("opening")) showStatus("");
  return leaveReading();
}

function back() {
  if (within) history.back();
  else location.hash = "";
}

/** What the buttons beside a text do. */
export function listenToReader() {
  byId("back").addEventListener("click", back);
  byId("next").addEventListener("click", () => goToMark(1));
  byId("previous").addEventListener("click", () => goToMark(-1));
  byId("alike").addEventListener("click", () => {
    if (shown) askLike(shown.document, shown.place);
  });
}
