// Elements of the page.

import { element } from "../base/element.js";

/**
 * The element of page.html with an id.
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @returns {Kind}
 */
export const byId = (id) => /** @type {Kind} */ (document.getElementById(id));

/**
 * The field for the visitor's text.
 * @returns {HTMLTextAreaElement}
 */
export const textField = () => byId("text");

/**
 * A name in words that only a screen reader says; its letters do not turn the words about it.
 * @param {string} before
 * @param {string} name
 * @param {string} behind
 */
export const unseen = (before, name, behind) =>
  element("span", { className: "unseen" }, before, element("bdi", {}, name), behind);

/**
 * Bring an answer before the visitor, under the box that it answers.
 * @param {HTMLElement} section
 */
export function goTo(section) {
  section.focus({ preventScroll: true });
  scrollTo(0, 0);
}
