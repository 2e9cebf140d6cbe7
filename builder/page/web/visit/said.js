// What stands in the page from the beginning, in the visitor's language.

import { say, speak } from "../base/language.js";
import { byId } from "../view/elements.js";
import { disc } from "./places.js";

/** @typedef {import("../base/language.js").Key} Key */

/** The page has the sentences of a language, or of all, the visitor's among them. */
export function sayPage() {
  const tables = JSON.parse(byId("languages").textContent ?? "");
  document.documentElement.lang = speak(tables, navigator.languages);
  byId("old").textContent = say("old", { browsers: disc.browsers });
  for (const each of saying("data-say")) each.textContent = keyed(each, "data-say");
  if (disc.reads) {
    byId("private").textContent = say("privateServed");
    byId("dropped").textContent = say("filesServed");
    byId("file").removeAttribute("accept"); // more than the page reads by itself
  }
  for (const each of saying("data-label")) {
    each.setAttribute("aria-label", keyed(each, "data-label"));
  }
}

/** @param {string} attribute */
const saying = (attribute) => document.querySelectorAll(`[${attribute}]`);

/**
 * @param {Element} element
 * @param {string} attribute
 */
const keyed = (element, attribute) => say(/** @type {Key} */ (element.getAttribute(attribute)));
