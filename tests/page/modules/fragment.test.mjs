// Text fragments: words that lead to their own place of a page, and to no earlier one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { phraseAt, withFragment } from "../../../builder/page/web/site/fragment.js";

const TEXTS = [
  "Ferries.\nThe ferry leaves the harbour. The ferry comes back.",
  "Prices.\nA ticket for the ferry costs four crowns.\nferry\tten",
  "Dogs.\nThe ferry leaves the harbour.",
];

/**
 * The phrase for the nth place of a word in a part.
 * @param {number} part
 * @param {string} word
 */
function phrase(part, word, nth = 0) {
  const places = [...TEXTS[part].matchAll(new RegExp(word, "gi"))];
  const start = places[nth].index;
  return phraseAt(TEXTS, part, { start, end: start + word.length }, true);
}

test("a phrase has the words about a mark, as many as tell its place from earlier ones", () => {
  assert.equal(phrase(0, "ferry", 0), "The ferry leaves");
  assert.equal(phrase(0, "ferry", 1), "The ferry comes");
  assert.equal(phrase(1, "ferry"), "the ferry costs");
  assert.equal(phrase(0, "ferries"), "Ferries");
});

test("a phrase stays in its paragraph and its cell of a table", () => {
  assert.equal(phrase(1, "prices"), "Prices");
  assert.equal(phrase(1, "ten"), "ten");
});

test("there is no phrase where earlier places have the whole paragraph", () => {
  assert.equal(phrase(1, "ferry", 1), "");
  assert.equal(phrase(2, "ferry"), "");
});

test("of a script without spaces the mark alone is taken", () => {
  const text = `${"灯台守は毎晩".repeat(30)}海の色を書いた。`;
  const start = text.indexOf("海の色");
  assert.equal(phraseAt([text], 0, { start, end: start + 3 }, true), "海の色");
});

test("an address has the phrase behind its heading, with signs that mean something escaped", () => {
  assert.equal(withFragment("a.html#b", "a dry-run, so"), "a.html#b:~:text=a%20dry%2Drun%2C%20so");
  assert.equal(withFragment("a.html", "x"), "a.html#:~:text=x");
  assert.equal(withFragment("a.html#b", ""), "a.html#b");
});
