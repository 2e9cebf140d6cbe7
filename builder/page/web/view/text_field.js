// The visitor's text, and how many words it has.

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
