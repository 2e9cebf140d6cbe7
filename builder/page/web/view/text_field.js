// The visitor's text, and how many words it has.

import { messages } from "../base/messages.js";
import { number } from "../base/numbers.js";
import { isFewWords } from "../texts/few_words.js";
import { byId, textField } from "./elements.js";

/** @param {string} text */
export function setText(text) {
  textField().value = text;
  showWordCount();
}

let words = false; // can they be searched for?

export function showWordCount() {
  const text = textField().value;
  const found = text.match(/\S+/g);
  const count = found?.length ?? 0;
  const said = `${number(count)} ${count === 1 ? "word" : "words"}`;
  const searched = words && isFewWords(text);
  byId("count").textContent = found ? said + (searched ? messages.enterSearches : "") : "";
}

/**
 * @param {boolean} passages can the sources of a text be found, too?
 * @param {boolean} worded can words be searched for, too? By these sources are found as well.
 */
export function showWhatIsAsked(passages, worded) {
  words = worded;
  const { asked, askedWithPassages, askedWithWords, find, findBoth, findSimilar } = messages;
  const [label, button] = worded
    ? [askedWithWords, find]
    : passages
      ? [askedWithPassages, findBoth]
      : [asked, findSimilar];
  byId("asked-for").textContent = label;
  byId("find").textContent = button;
  showWordCount();
}
