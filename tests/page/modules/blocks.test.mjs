// A kept text as a reader sees it: paragraphs, tables and code, with its marks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blocksOf, countOf } from "../../../builder/page/web/texts/blocks.js";

const shown = (text, spans = []) =>
  blocksOf(text, spans).map(({ kind, rows }) => [
    kind,
    ...rows.map((cells) => cells.map((cell) => cell.map((piece) => piece.text).join("")).join("|")),
  ]);

test("a line is a paragraph, lines with tabs are a table, indented ones are code", () => {
  assert.deepEqual(
    shown("Heading\nA paragraph.\nH1\tH2\nc1\tc2\ndef f(x):\n    return x\nThe end."),
    [
      ["text", "Heading"],
      ["text", "A paragraph."],
      ["table", "H1|H2", "c1|c2"],
      ["text", "def f(x):"],
      ["code", "    return x"],
      ["text", "The end."],
    ],
  );
  assert.deepEqual(shown(""), []);
});

test("headings and items begin with a space of their own, which is not shown", () => {
  const text =
    "\u2005Head\n\u2006one\n\u2006two\nmore of it\n\u2005a\tb\n\u2005One\n\u2005Two\n\u2006";
  assert.deepEqual(shown(text), [
    ["heading", "Head"],
    ["list", "one", "two"],
    ["text", "more of it"],
    ["table", "a|b"],
    ["heading", "One"],
    ["heading", "Two"],
  ]);
});

test("each line of code begins with a space of its own, and keeps the rest", () => {
  const text =
    "one\n\u2004def f(x):\n\u2004\n\u2004    return\tx\n\u2004end\ntwo\nthree\n\u2006  four";
  assert.deepEqual(shown(text, [[text.indexOf("def"), text.indexOf("end") + 3]]), [
    ["text", "one"],
    ["code", "def f(x):\n\n    return\tx\nend"],
    ["text", "two"],
    ["text", "three"],
    ["list", "  four"],
  ]);
});

test("where blank lines part paragraphs, a paragraph has several lines", () => {
  assert.deepEqual(shown("one\nline\n\n\ntwo\n\n  a\n\n  b\nthree\n"), [
    ["text", "one\nline"],
    ["text", "two"],
    ["code", "  a\n\n  b"],
    ["text", "three"],
  ]);
});

test("no letter is lost, and marks are numbered as they stand in the text", () => {
  const text = "alpha beta\ngamma\tdelta\n    code here\nomega";
  const spans = [
    [6, 13], // from one block into the next
    [8, 10],
    [19, 21],
    [text.length - 5, text.length],
  ];
  assert.equal(countOf(spans), 3);
  const pieces = blocksOf(text, spans).flatMap(({ rows }) => rows.flat(2));
  assert.equal(pieces.map((piece) => piece.text).join(""), text.replace(/[\n\t]/g, ""));
  assert.deepEqual(
    pieces.filter(({ of }) => of >= 0).map(({ text: own, of }) => [own, of]),
    [
      ["beta", 0],
      ["ga", 0],
      ["lt", 1],
      ["omega", 2],
    ],
  );
});

test("a long text with many marks takes no time", () => {
  const text = "word word word word\n".repeat(20_000);
  const spans = Array.from({ length: 20_000 }, (_, i) => [20 * i, 20 * i + 4]);
  const begun = performance.now();
  assert.equal(blocksOf(text, spans).length, 20_000);
  assert.ok(performance.now() - begun < 2_000);
});
