// A text of the collection, to be read in the page.

import { messages } from "../base/messages.js";
import { number } from "../base/numbers.js";
import { byId, element } from "./elements.js";
import { linkTo, readable, safeLink } from "./links.js";

/**
 * What is read: pieces are those of its text; in both: how many passages are in the visitor's.
 * @typedef {object} Read
 * @property {string} name
 * @property {string} url
 * @property {string} collection its name, or "" where there is one only
 * @property {import("../texts/excerpts.js").Piece[]} pieces
 */

/** @typedef {{ scroll: number, from: Element | null }} Left where the visitor was */

/** @type {Left | null} */
let left = null;
let goneTo = -1; // the passage that was gone to last

/** @returns {boolean} */
export const isReading = () => document.body.classList.contains("reads");

/** @param {Read} read */
export function showReading({ name, url, collection, pieces }) {
  if (!isReading()) left = { scroll: scrollY, from: document.activeElement };
  const count = pieces.filter(({ same }) => same).length;
  byId("read-title").textContent = name;
  byId("read-about").replaceChildren(collection && `in ${collection}`, collection && url && " · ");
  byId("read-about").append(linkTo(safeLink(url), readable(url)));
  byId("read-common").textContent = count > 0 ? messages.inBoth(number(count), count === 1) : "";
  byId("next").hidden = count === 0;
  byId("read-text").replaceChildren(
    ...pieces.map(({ text, same }) => (same ? element("mark", { tabIndex: -1 }, text) : text)),
  );
  goneTo = -1;
  document.body.classList.add("reads");
  byId("reading").hidden = false;
  byId("read-title").focus({ preventScroll: true });
  scrollTo(0, 0);
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

/** To the next passage that is in both texts. */
export function goToNext() {
  const marks = byId("read-text").querySelectorAll("mark");
  if (marks.length === 0) return;
  goneTo = (goneTo + 1) % marks.length;
  marks[goneTo].focus({ preventScroll: true });
  marks[goneTo].scrollIntoView({ block: "center" });
}
