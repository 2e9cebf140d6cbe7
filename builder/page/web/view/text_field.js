// The box for the visitor's words or text: a line that grows with what stands in it.

import { say } from "../base/language.js";
import { isFewWords } from "../texts/few_words.js";
import { byId, textField } from "./elements.js";

/** @param {string} text */
export function setText(text) {
  textField().value = text;
  showText();
  textField().scrollTop = 0;
}

let words = false; // can they be searched for?

/** What stands in the box has changed: it grows, and the page makes room for the answer. */
export function showText() {
  const field = textField();
  const text = field.value;
  document.body.classList.toggle("typed", text !== "");
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
  const count = text.match(/\S+/g)?.length ?? 0;
  const isText = count > 0 && !(words && isFewWords(text));
  byId("count").textContent = isText ? say("textOf", { count }) : "";
}

/**
 * @param {boolean} passages can the sources of a text be found, too?
 * @param {boolean} worded can words be searched for, too? By these sources are found as well.
 */
export function showWhatIsAsked(passages, worded) {
  words = worded;
  const asked = worded ? "askedWithWords" : passages ? "askedWithPassages" : "asked";
  byId("asked-for").textContent = say(asked);
  textField().placeholder = worded ? say("wordsOrText") : say("pasteText");
  showText();
}
