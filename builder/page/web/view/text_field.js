// The visitor's text, and how many words it has.

import { messages } from "../base/messages.js";
import { number } from "../base/numbers.js";
import { byId, textField } from "./elements.js";

/** @param {string} text */
export function setText(text) {
  textField().value = text;
  showWordCount();
}

export function showWordCount() {
  const found = textField().value.match(/\S+/g);
  const count = found?.length ?? 0;
  const words = `${number(count)} ${count === 1 ? "word" : "words"}`;
  byId("count").textContent = found ? words : "";
}

/** @param {boolean} passages can the sources of a text be found, too? */
export function showWhatIsAsked(passages) {
  byId("asked-for").textContent = passages ? messages.textOrParagraph : messages.yourText;
  byId("find").textContent = passages ? messages.findBoth : messages.findSimilar;
}
