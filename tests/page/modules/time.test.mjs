// Texts that would keep an expression busy: the time is in proportion to the text, or the page
// stands still for whoever drops such a file on it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { excerpt, oneLine } from "../../../builder/page/web/texts/excerpts.js";
import { isFewWords } from "../../../builder/page/web/texts/few_words.js";
import { unitsOf } from "../../../builder/page/web/texts/places.js";
import { bare, textOfMarkdown, tidied } from "../../../builder/page/web/texts/reading.js";

const SIZE = 120_000;
const SECONDS = 3; // a quadratic expression takes ten and more

// What is repeated, and what may stand before and behind all of it.
const UNITS = [
  "\u00a0",
  " ",
  "\t",
  "\n",
  " \n",
  "\u00a0\n",
  "\r",
  "a",
  "a ",
  "<",
  "<a ",
  '<a "',
  "<a '",
  "<a \"'",
  "<a \"x'",
  "<a x='\"' ",
  '""',
  "\"'",
  "<style",
  "<style>",
  "</style",
  "</style ",
  "<style></style ",
  "<!--",
  "[",
  "]",
  "](",
  "]( ",
  ']("',
  '](a "',
  "[a]: ",
  "[a]:\n",
  "[a]:\n\n",
  "   [",
  "---\n",
  "\n---  ",
  "+++\n",
  "&",
  "\\",
  "*",
  "_",
  "é",
  "\u2028",
  "\ud800",
  "東",
];
const AROUND = [
  ["", ""],
  ["x", "x"],
  ["---\n", ""],
  ["<a ", ""],
  ["<style>", ">"],
  ["[a](", '"'],
  ["[a]:", ""],
];
const WAYS = {
  bare,
  tidied,
  textOfMarkdown,
  oneLine,
  isFewWords: (text) => isFewWords(text, 10),
  unitsOf: (text) => unitsOf(text, [text.length / 2, text.length]),
  excerpt: (text) => excerpt(text, [{ from: text.length / 2, to: text.length }]),
};

const MARKUP = new Set(["bare", "textOfMarkdown"]);

for (const [name, way] of Object.entries(WAYS)) {
  test(`${name} takes a time in proportion to the text`, () => {
    for (const unit of UNITS) {
      const middle = unit.repeat(SIZE / unit.length);
      for (const [before, behind] of AROUND.slice(0, MARKUP.has(name) ? undefined : 1)) {
        const began = performance.now();
        way(before + middle + behind);
        const took = (performance.now() - began) / 1000;
        assert.ok(took < SECONDS, `${JSON.stringify(before + unit)}: ${took.toFixed(1)} s`);
      }
    }
  });
}

test("white space is tidied as it was", () => {
  for (const [text, expected] of [
    ["a \u00a0 b", "a \u00a0 b"],
    ["a \n\u00a0\n b  c", "a\nb c"],
    [" \n a\t\tb\r\n\u2003c \n", "a b\nc"],
    ["a\u00a0\u00a0\nb", "a\nb"],
  ]) {
    assert.equal(tidied(text), expected);
  }
});
