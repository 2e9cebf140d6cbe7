// The box for the visitor's words or text: a line that grows with what stands in it.

import { messages } from "../base/messages.js";
import { number } from "../base/numbers.js";
import { isFewWords } from "../texts/few_words.js";
import { byId, textField } from "./elements.js";

/** @param {string} text */
export function setText(text) {
  textField().value = text;
  showText();
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
  byId("count").textContent = isText ? messages.textOf(number(count), count === 1) : "";
}

/**
 * @param {boolean} passages can the sources of a text be found, too?
 * @param {boolean} worded can words be searched for, too? By these sources are found as well.
 */
export function showWhatIsAsked(passages, worded) {
  words = worded;
  const { asked, askedWithPassages, askedWithWords } = messages;
  const label = worded ? askedWithWords : passages ? askedWithPassages : asked;
  byId("asked-for").textContent = label;
  textField().placeholder = worded ? messages.wordsOrText : messages.pasteText;
  showText();
}
