// What there is without a question: what the collections are, their titles from A to Z, a document
// by chance.

import { say } from "../base/language.js";
import { describe } from "../core/documents.js";
import { titlesOf } from "../core/titles.js";
import { byId, element, withMarks } from "../view/elements.js";
import { linkTo, nameOf } from "../view/links.js";
import { showTitles } from "../view/reading_view.js";
import { sentence, showProblem } from "../view/state.js";
import { addressOf, opened, places, searched } from "./places.js";

/** @typedef {import("../core/collection.js").Collection} Collection */

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
const MOST_TITLES = 500; // on a page

/** Say what the page is for, and what is here: under the box while nothing stands in it. */
export function showStart() {
  const count = places.reduce((sum, place) => sum + place.documents, 0);
  const among = count > 0 ? say("among", { count }) : "";
  byId("lead").replaceChildren(...withMarks(say(leadOf(), { among })));
  const items = places.map(({ name, documents, titled }, place) => {
    const item = element(
      "li",
      {},
      element("b", {}, name),
      ` ${say("documents", { count: documents })}`,
    );
    if (titled) item.append(" · ", element("a", { href: titlesAt("", place) }, say("titles")));
    return item;
  });
  byId("holds").replaceChildren(...items);
  byId("start").hidden = places.length === 0;
}

function leadOf() {
  if (places.some(({ worded }) => worded)) return "leadWords";
  return places.some(({ passages }) => passages) ? "leadPassages" : "leadTexts";
}

/**
 * The address of the titles that begin with a letter.
 * @param {string} letter
 * @param {number} place
 */
const titlesAt = (letter, place) =>
  `#${new URLSearchParams({ titles: letter, ...(places.length > 1 && { c: String(place) }) })}`;

/**
 * Show the titles of a collection that begin with a letter; without one, the first there are.
 * @param {Collection} collection
 * @param {number} place
 * @param {string} letter
 * @param {() => boolean} isMine
 */
export async function browse(collection, place, letter, isMine) {
  const found = await titlesOf(collection, letter, MOST_TITLES + 1);
  const shown = found.slice(0, MOST_TITLES);
  await describe(collection, shown);
  if (!isMine()) return;
  const letters = LETTERS.map((each) => {
    const link = element("a", { href: titlesAt(each, place) }, each);
    if (each === letter) link.setAttribute("aria-current", "page");
    return link;
  });
  const titles = shown.map((each) =>
    element("li", {}, linkTo(addressOf({ ...each, collection }), nameOf(each))),
  );
  const note =
    found.length === 0
      ? say("noTitle")
      : found.length > MOST_TITLES
        ? say("moreTitles", { count: MOST_TITLES })
        : "";
  const name = letter ? say("titlesWith", { letter }) : say("titlesFromTo");
  showTitles({
    name: places.length > 1 ? `${collection.name}: ${name}` : name,
    letters,
    titles,
    note,
  });
}

/** Open a document of those that are searched, each as likely as any other. */
export async function openRandom() {
  const all = searched();
  const documents = all.reduce((sum, place) => sum + place.documents, 0);
  let at = Math.floor(Math.random() * documents);
  for (const place of all) {
    if (at >= place.documents) {
      at -= place.documents;
      continue;
    }
    try {
      const collection = await opened(place);
      const hit = { document: at };
      await describe(collection, [hit]);
      location.hash = addressOf({ ...hit, collection });
    } catch (problem) {
      showProblem(sentence(problem));
    }
    return;
  }
}
