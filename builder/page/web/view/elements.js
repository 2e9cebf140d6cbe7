// Elements of the page. Every text of a collection goes through textContent.

import { around } from "../base/language.js";

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
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, unknown>} properties of the element, or attributes where it has none such
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) Object.assign(made, { [key]: value });
    else made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * A name in words that only a screen reader says; its letters do not turn the words about it.
 * @param {import("../base/language.js").Key} key
 * @param {string} name
 */
export function unseen(key, name) {
  const [before, behind] = around(key);
  return element("span", { className: "unseen" }, before, element("bdi", {}, name), behind);
}

/**
 * A sentence in which asterisks part what is marked from the rest.
 * @param {string} sentence
 */
export const withMarks = (sentence) =>
  sentence.split("*").map((part, i) => (i % 2 ? element("mark", {}, part) : part));

/**
 * Bring an answer before the visitor, under the box that it answers.
 * @param {HTMLElement} section
 */
export function goTo(section) {
  section.focus({ preventScroll: true });
  scrollTo(0, 0);
}
