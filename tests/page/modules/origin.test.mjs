// Where a text comes from: places, colours, the sources of several files; and with the file that
// tests/page/test_page_modules.py builds, the sources that the core finds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { askBoth } from "../../../builder/page/web/ask/both.js";
import { askSources, merged } from "../../../builder/page/web/ask/sources.js";
import { percent } from "../../../builder/page/web/base/numbers.js";
import { Problem, TooShort } from "../../../builder/page/web/base/problem.js";
import { Collection } from "../../../builder/page/web/core/collection.js";
import { asksFewShingles, sourcesOf } from "../../../builder/page/web/core/sources.js";
import { coloured } from "../../../builder/page/web/texts/coloured.js";
import { marked } from "../../../builder/page/web/texts/excerpts.js";
import { unitsOf } from "../../../builder/page/web/texts/places.js";
import { core, encoded, MemorySource, open, storedText } from "./opened.mjs";

const file = process.env.POCKETINDEX_PASSAGES;
const skip = file ? false : "needs the file that test_page_modules.py builds";
const memory = () => new MemorySource("passages", new Uint8Array(readFileSync(file)));
const opened = (opening) => Collection.open(core, memory(), opening);

test("places in bytes are places in a string", () => {
  for (const text of ["plain", "Übersicht — 灯台守 𝒳 a\ud800b", ""]) {
    const characters = Array.from(text);
    const bytes = characters.map((_, i) => encoded(characters.slice(0, i).join("")).length);
    const units = unitsOf(text, [...bytes, encoded(text).length]);
    for (const [byte, unit] of units) assert.equal(encoded(text.slice(0, unit)).length, byte);
    assert.equal(units.get(encoded(text).length), text.length);
  }
});

const joined = (groups) =>
  groups.map(({ stretches }) => stretches.map(({ text }) => text).join(""));

test("a text is cut where passages begin and end; the first source has what several have", () => {
  const sources = [
    { passages: [{ start: 2, end: 6 }] },
    {
      passages: [
        { start: 4, end: 8 },
        { start: 8, end: 9 },
      ],
    },
  ];
  const groups = coloured("0123456789", sources);
  assert.deepEqual(joined(groups), ["01", "2345", "678", "9"]);
  assert.deepEqual(
    groups.map(({ owner }) => owner),
    [-1, 0, 1, -1],
  );
  assert.deepEqual(
    groups[1].stretches.map(({ of }) => of),
    [[0], [0, 1]],
  );
  assert.deepEqual(joined(coloured("none", [])), ["none"]);
});

test("of a long text what lies far from its passages is left out", () => {
  const text = `${"a ".repeat(40_000)}here${" b".repeat(40_000)}`;
  const [before, here, after] = coloured(text, [{ passages: [{ start: 80_000, end: 80_004 }] }]);
  assert.deepEqual(joined([here]), ["here"]);
  for (const { stretches } of [before, after]) {
    assert.ok(stretches.some(({ cut }) => cut));
    assert.ok(stretches.map(({ text: part }) => part).join("").length < 700);
  }
});

const source = (document, coverage, ...places) => ({
  document,
  coverage,
  added: 0,
  passages: places.map(([first, last]) => ({ first, last, start: first, end: last })),
  collection: { name: "x" },
});

test("the sources of several files are chosen by what each adds", () => {
  const { sources, coverage } = merged(
    core,
    [source(1, 5000, [0, 50]), source(2, 6000, [20, 80]), source(3, 500, [75, 85])],
    100,
  );
  assert.deepEqual(
    sources.map(({ document, added }) => [document, added]),
    [
      [2, 6000],
      [1, 2000],
      [3, 0],
    ],
  );
  assert.equal(coverage, 8000);
  assert.deepEqual(merged(core, [], 0), { sources: [], coverage: 0, more: false });
  const many = Array.from({ length: 9 }, (_, i) => source(i, 1000, [10 * i, 10 * i + 10]));
  const most = merged(core, many, 100);
  assert.deepEqual([most.sources.length, most.coverage, most.more], [8, 8000, true]);
  assert.ok(!merged(core, many.slice(1), 100).more);
});

test("shares are whole percents", () => {
  assert.deepEqual([0, 7, 5899, 10_000].map(percent), ["0 %", "less than 1 %", "58 %", "100 %"]);
});

test("what is marked of a text is what another has, and nothing is lost", () => {
  const pieces = marked("abcdef", [
    { from: 3, to: 5 },
    { from: 1, to: 4 },
    { from: 2, to: 3 },
  ]);
  assert.deepEqual(
    pieces.map(({ text, same }) => [text, same]),
    [
      ["a", false],
      ["bcde", true],
      ["f", false],
    ],
  );
});

test("a file without the section is not asked", async () => {
  const collection = await open("text");
  assert.equal(collection.runTerms, 0);
  assert.ok(!collection.readable && !asksFewShingles(collection));
  assert.equal(await askSources([collection], () => assert.fail()), null);
});

test("a paragraph finds its document, and where it stands", { skip }, async () => {
  const collection = await opened();
  assert.ok(collection.runTerms > 0 && collection.readable);
  const words = (await storedText(collection, 12)).split(" ").slice(5, 45).join(" ");
  const text = `Ωmega 𝒳 something of one's own before it. ${words}. And after.`;
  const found = await sourcesOf(collection, encoded(text));
  assert.equal(found.sources[0].document, 12);
  assert.ok(found.coverage > 6000 && found.coverage < 10_000 && !found.capped);
  assert.equal(found.sources[0].added, found.sources[0].coverage);
  const [{ owner }, passage] = coloured(text, found.sources);
  assert.deepEqual([owner, passage.owner], [-1, 0]);
  const shown = joined([passage])[0];
  assert.ok(shown.includes(words.slice(60, -60)) && !shown.includes("Ωmega"), shown);
  assert.equal((await sourcesOf(collection, encoded(""))).sources.length, 0);
});

test("a first answer on a slow disc reads fewer parts", { skip }, async () => {
  const read = [];
  for (const cold of [true, false]) {
    const from = memory();
    const collection = await Collection.open(core, from, { once: false });
    const text = encoded(await storedText(collection, 12));
    from.reads.length = 0;
    assert.equal((await sourcesOf(collection, text, { cold })).sources[0].document, 12);
    read.push(from.reads.reduce((sum, [, length]) => sum + length, 0));
  }
  assert.ok(read[0] < read[1], String(read));
});

test("a text too short for similar documents may have sources", { skip }, async () => {
  const collection = await opened();
  const text = encoded(await storedText(collection, 12));
  const short = () => Promise.reject(new TooShort("short"));
  const both = await askBoth([collection], short, (each) => sourcesOf(each, text));
  assert.deepEqual([both.short, both.hits.length], ["short", 0]);
  assert.equal(both.sources.sources[0].title, "Document 12 — Übersicht");
  const none = (each) => sourcesOf(each, encoded("nothing of it"));
  await assert.rejects(askBoth([collection], short, none), { message: "short" });
  await assert.rejects(askBoth([collection], short, null), TooShort);
});

test("what is the matter with passages leaves the hits", { skip }, async () => {
  const collection = await opened();
  const text = encoded(await storedText(collection, 12));
  const failing = () => Promise.reject(new Problem("damaged"));
  const both = await askBoth([collection], (each) => each.query(text), failing);
  assert.equal(both.hits[0].document, 12);
  assert.equal(both.sources, null);
  assert.equal(both.trouble.message, "damaged");
});
