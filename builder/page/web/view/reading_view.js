// A text of the collection, to be read in the page.

import { say } from "../base/language.js";
import { blocksOf, countOf } from "../texts/blocks.js";
import { byId, element } from "./elements.js";
import { linkTo, readable, safeLink } from "./links.js";

/** @typedef {import("../texts/blocks.js").Block} Block */
/** @typedef {import("../texts/blocks.js").MarkedPiece} MarkedPiece */

/**
 * What is read: text: null where none is kept; spans: what is marked in it; told: what they are, by
 * their number.
 * @typedef {object} Read
 * @property {string} name
 * @property {string} url
 * @property {string} collection its name, or "" where there is one only
 * @property {string | null} text
 * @property {import("../texts/blocks.js").Span[]} spans
 * @property {"inBoth" | "wordsAt"} told
 */

const ELEMENTS = /** @type {const} */ ({ heading: "h3", code: "pre", text: "p" });

/** @typedef {{ scroll: number, from: Element | null }} Left where the visitor was */

/** @type {Left | null} */
let left = null;
let marked = 0; // marks of what is read
let goneTo = 0; // the mark that was gone to last

/** @returns {boolean} */
export const isReading = () => document.body.classList.contains("reads");

/** @param {Read} read */
export function showReading({ name, url, collection, text, spans, told }) {
  const blocks = text === null ? [] : blocksOf(text, spans);
  marked = text === null ? 0 : countOf(spans);
  goneTo = 0;
  const none = element("p", { className: "note" }, say("keepsNoText"));
  openReading(name, text === null ? [none] : blocks.map(drawnBlock));
  const from = collection && say("in", { name: collection });
  byId("read-about").replaceChildren(from, from && url && " · ");
  byId("read-about").append(linkTo(safeLink(url), readable(url)));
  byId("read-common").textContent = marked > 0 ? say(told, { count: marked }) : "";
  for (const id of ["previous", "next"]) byId(id).hidden = marked === 0;
  byId("read-like").hidden = false;
  byId("like").replaceChildren();
  byId("like-note").textContent = "";
  scrollTo(0, 0);
  marksOfNumber(0)[0]?.scrollIntoView({ block: "center" });
}

/**
 * Show titles instead, with letters to choose from.
 * @param {{ name: string, letters: HTMLElement[], titles: HTMLElement[], note: string }} list
 */
export function showTitles({ name, letters, titles, note }) {
  openReading(name, [
    element("nav", { className: "letters", "aria-label": say("letters") }, ...letters),
    element("ul", { className: "titles" }, ...titles),
    element("p", { className: "note" }, note),
  ]);
  byId("read-about").replaceChildren();
  byId("read-common").textContent = "";
  for (const id of ["previous", "next", "read-like"]) byId(id).hidden = true;
  scrollTo(0, 0);
}

/**
 * @param {string} name
 * @param {Node[]} content
 */
function openReading(name, content) {
  if (!isReading()) left = { scroll: scrollY, from: document.activeElement };
  byId("read-title").textContent = name;
  byId("read-text").replaceChildren(...content);
  document.body.classList.add("reads");
  byId("reading").hidden = false;
  byId("read-title").focus({ preventScroll: true });
}

/** @param {Block} block */
function drawnBlock({ kind, rows }) {
  if (kind === "table") {
    const lines = rows.map((cells) =>
      element(
        "tr",
        {},
        ...cells.map((cell) => element("td", { dir: "auto" }, ...cell.map(pieceOf))),
      ),
    );
    return element("div", { className: "wide" }, element("table", {}, ...lines));
  }
  if (kind === "list") {
    const items = rows.map(([cell]) => element("li", { dir: "auto" }, ...cell.map(pieceOf)));
    return element("ul", {}, ...items);
  }
  return element(ELEMENTS[kind], { dir: "auto" }, ...rows[0][0].map(pieceOf));
}

/** @param {MarkedPiece} piece */
function pieceOf({ text, of }) {
  if (of < 0) return text;
  const mark = element("mark", { tabIndex: -1 }, text);
  mark.dataset.of = String(of);
  return mark;
}

/** Returns whether a text was being read. The visitor is where it was begun. */
export function leaveReading() {
  if (!isReading()) return false;
  const was = left;
  hideReading();
  if (was?.from instanceof HTMLElement && was.from.isConnected) {
    was.from.focus({ preventScroll: true });
  }
  scrollTo(0, was?.scroll ?? 0);
  return true;
}

export function hideReading() {
  document.body.classList.remove("reads");
  byId("reading").hidden = true;
  byId("read-text").replaceChildren();
  left = null;
}

/**
 * To the next mark, or to the one before it. The first one is in sight from the beginning.
 * @param {1 | -1} step
 */
export function goToMark(step) {
  if (marked === 0) return;
  goneTo = (goneTo + step + marked) % marked;
  const [first] = marksOfNumber(goneTo);
  byId("read-common").textContent = say("placeOf", { at: goneTo + 1, count: marked });
  first.focus({ preventScroll: true });
  first.scrollIntoView({ block: "center" });
}

/**
 * The pieces of a mark: one that goes over several blocks has some.
 * @param {number} i
 * @returns {HTMLElement[]}
 */
const marksOfNumber = (i) => Array.from(byId("read-text").querySelectorAll(`mark[data-of="${i}"]`));
