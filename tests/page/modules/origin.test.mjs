// Where a text comes from: places, colours, the sources of several files; and with the file that
// tests/page/test_page_modules.py builds, the sources that the core finds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { askBoth } from "../../../builder/page/web/ask/both.js";
import { askSources, merged, piecesOf } from "../../../builder/page/web/ask/sources.js";
import { KIND } from "../../../builder/page/web/base/layout.js";
import { percent } from "../../../builder/page/web/base/numbers.js";
import { Problem, TooLate, TooShort } from "../../../builder/page/web/base/problem.js";
import { Collection } from "../../../builder/page/web/core/collection.js";
import { commonPassages } from "../../../builder/page/web/core/given.js";
import { asksFewShingles, sourcesOf } from "../../../builder/page/web/core/sources.js";
import { coloured } from "../../../builder/page/web/texts/coloured.js";
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

const passage = (first, last, more = {}) => ({ first, last, start: first, end: last, ...more });
const source = (document, ...places) => ({
  document,
  coverage: 0,
  added: 0,
  passages: places.map(([first, last]) => passage(first, last)),
});
const found = (sources, all = sources.length) => ({
  sources,
  all,
  terms: 100,
  coverage: 100,
  capped: false,
});
// What merged takes, of collections that only have names.
const part = (name, answer, terms = 0, bytes = terms) => ({
  collection: names.get(name) ?? names.set(name, { name, core }).get(name),
  answer,
  terms,
  bytes,
});
const names = new Map();

test("the sources of several files are chosen by what each adds", () => {
  const { sources, coverage, all, least } = merged(
    [
      part("a", found([source(1, [0, 50])])),
      part("b", found([source(2, [20, 80]), source(3, [77, 83])])),
    ],
    100,
  );
  assert.deepEqual(
    sources.map(({ document, added, coverage: own, collection }) => [
      document,
      added,
      own,
      collection.name,
    ]),
    [
      [2, 6000, 6000, "b"],
      [1, 2000, 5000, "a"],
      [3, 0, 600, "b"],
    ],
  );
  assert.deepEqual([coverage, all, least], [8300, 3, false]);
  assert.deepEqual(merged([], 0).sources, []);
});

test("what one answer says stays as the core has it", () => {
  const own = { ...found([source(1, [0, 50])], 1168), coverage: 9900, capped: true };
  const { coverage, all, least, capped, sources } = merged([part("a", own)], 100);
  assert.deepEqual([coverage, all, least, capped, sources.length], [9900, 1168, false, true, 1]);
  assert.ok(merged([part("a", own), part("b", found([]))], 100).least, "more than were given");
});

test("a source of several pieces is one, with its places in the whole text", () => {
  const parts = [
    part("a", found([source(1, [0, 50])])),
    part("a", found([source(1, [10, 30]), source(2, [40, 60])]), 100, 700),
    part("b", found([source(1, [0, 9])]), 100, 700),
  ];
  const { sources, coverage, all } = merged(parts, 200);
  assert.deepEqual([all, coverage], [3, 4950]);
  assert.deepEqual(
    sources.map(({ document, passages }) => [document, passages.map(({ first }) => first)]),
    [
      [1, [0, 110]],
      [2, [140]],
      [1, [100]],
    ],
  );
  assert.deepEqual(sources[0].passages[1], passage(110, 130, { start: 710, end: 730 }));
});

test("a long text is cut where sentences end, and never within a character", () => {
  const sentences = encoded("One sentence of six words here. ".repeat(3000));
  const cuts = [...piecesOf(sentences)];
  assert.ok(cuts.length > 3);
  assert.deepEqual(
    cuts.map(([start]) => start),
    [0, ...cuts.slice(0, -1).map(([, end]) => end)],
  );
  for (const [start] of cuts) assert.equal(String.fromCharCode(sentences[start]), "O");
  const unspaced = encoded("灯台守".repeat(9000));
  const texts = [...piecesOf(unspaced)].map(([start, end]) =>
    new TextDecoder("utf-8", { fatal: true }).decode(unspaced.slice(start, end)),
  );
  assert.equal(texts.join("").length, 27_000);
  assert.deepEqual([...piecesOf(encoded(""))], [[0, 0]]);
});

const HALVES = ["less than 1 %", "2 %", "14 %", "20 %", "20 %", "26 %"];

test("shares are whole percents", () => {
  assert.deepEqual([0, 7, 5899, 10_000].map(percent), ["0 %", "less than 1 %", "59 %", "100 %"]);
  // As Python's "{:.0%}" has them: a half goes to the even one, where it is one in binary, too.
  assert.deepEqual([50, 150, 1450, 1950, 2050, 2650].map(percent), HALVES);
});

test("a file without the section is not asked", async () => {
  const collection = await open("text");
  assert.ok(!collection.traces && !collection.readable && !asksFewShingles(collection));
  assert.equal(await askSources([collection], encoded("a"), { ask: () => assert.fail() }), null);
});

test("a paragraph finds its document, and where it stands", { skip }, async () => {
  const collection = await opened();
  assert.ok(collection.traces && collection.readable);
  const stored = await storedText(collection, 12);
  const words = stored.split(" ").slice(5, 45).join(" ");
  const text = `Ωmega 𝒳 something of one's own before it. ${words}. And after.`;
  const found = await sourcesOf(collection, encoded(text));
  assert.equal(found.sources[0].document, 12);
  assert.ok(found.coverage > 6000 && found.coverage < 10_000 && !found.capped);
  assert.equal(found.sources[0].added, found.sources[0].coverage);
  const [{ owner }, passage] = coloured(text, found.sources);
  assert.deepEqual([owner, passage.owner], [-1, 0]);
  const shown = joined([passage])[0];
  const [{ verified, from, to }] = found.sources[0].passages;
  assert.ok(verified);
  const theirs = new TextDecoder().decode(encoded(stored).slice(from, to));
  assert.ok(theirs.includes(words.slice(60, -60)), theirs);
  assert.ok(shown.includes(words.slice(60, -60)) && !shown.includes("Ωmega"), shown);
  assert.equal((await sourcesOf(collection, encoded(""))).sources.length, 0);
});

test("what a text has in common with documents is told of each", { skip }, async () => {
  const collection = await opened();
  const theirs = await storedText(collection, 12);
  const own = theirs.split(" ").slice(5, 45);
  const edited = own.map((word, i) => (i === 20 ? "xyzzy" : word)).join(" ");
  const documents = [
    { document: 3, text: "nothing of it, in no way and by no means, at all" },
    { document: 12, text: theirs },
    { document: 7, text: `Ä. ${own.slice(0, 12).join(" ")}.` },
  ];
  const found = await commonPassages(collection, edited, documents);
  assert.deepEqual([...found.keys()].sort(), [12, 7]);
  const [passage] = found.get(12);
  assert.ok(
    passage.verified && passage.edited > 0 && passage.edited < 1000,
    String(passage.edited),
  );
  assert.equal(passage.end, encoded(edited).length);
  const seen = new TextDecoder().decode(encoded(theirs).slice(passage.from, passage.to));
  assert.equal(seen, own.join(" ").replace(/[.,]$/, ""));
  assert.equal((await commonPassages(collection, "", documents)).size, 0);
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

test("the core asks for blocks a few times only, and for no words where passages are enough", {
  skip,
}, async () => {
  const texts = await opened();
  const stored = [];
  for (let i = 0; i < 30; i++) stored.push((await storedText(texts, 7 * i)).split(" "));
  const sentence = stored[3].slice(0, 14).join(" ");
  const copied = stored[3].slice(5, 60).join(" ");
  const essay = stored.map((words, i) => `My own ${i}. ${words.slice(i, i + 20).join(" ")}.`);
  for (const [text, most, words] of [
    [sentence, 4, true],
    [copied, 4, false],
    [essay.join("\n"), 8, true],
    ["nothing of it at all, whatever is looked up", 4, true],
  ]) {
    const collection = await Collection.open(core, memory(), { once: false });
    const { blocks } = collection;
    const fetchMissed = blocks.fetchMissed.bind(blocks);
    let rounds = 0;
    blocks.fetchMissed = () => {
      rounds++;
      return fetchMissed();
    };
    await sourcesOf(collection, encoded(text), { cold: true });
    assert.ok(rounds <= most, `${text}: ${rounds} rounds`);
    const lent = blocks.loans.flatMap((loan) => loan.blocks);
    assert.equal(lent.some(({ section }) => section === KIND.words) && !words, false, text);
  }
});

test("a text too short for similar documents may have sources", { skip }, async () => {
  const collection = await opened();
  const text = encoded(await storedText(collection, 12));
  const short = () => Promise.reject(new TooShort("short"));
  const both = await askBoth([collection], short, () => askSources([collection], text));
  assert.deepEqual([both.short, both.hits.length], ["short", 0]);
  assert.equal(both.sources.sources[0].title, "Document 12 — Übersicht");
  const nothing = (how) => () => askSources([collection], encoded("nothing of it"), how);
  await assert.rejects(askBoth([collection], short, nothing()), { message: "short" });
  const late = await askBoth([collection], short, nothing({ seconds: 0 }));
  assert.deepEqual([late.sources.looked, late.sources.all], [0, 0]);
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

test("a limit of time ends a long text, and how far it was looked at is said", {
  skip,
}, async () => {
  const collection = await opened();
  const part = `${await storedText(collection, 12)} `;
  const text = encoded(part.repeat(Math.ceil(60_000 / part.length)));
  let asked = 0;
  const ask = async (...given) => {
    if (++asked > 1) throw new TooLate();
    return sourcesOf(...given);
  };
  const { looked, coverage, sources } = await askSources([collection], text, { ask });
  assert.ok(looked > 0.2 && looked < 0.5, String(looked));
  assert.ok(coverage > 9_900 * looked && coverage <= 10_000 * looked, String(coverage));
  assert.equal(sources[0].title, "Document 12 — Übersicht");
  const whole = await askSources([collection], text);
  assert.ok(whole.looked === 1 && whole.coverage > 9_900, String(whole.coverage));
});

test("the limit holds where nothing arrives", { skip }, async () => {
  const from = memory();
  const collection = await Collection.open(core, from, { once: false });
  from.read = () => new Promise(() => {});
  const began = performance.now();
  const { looked, all } = await askSources([collection], encoded("a few words of it"), {
    seconds: 0.05,
  });
  assert.deepEqual([looked, all], [0, 0]);
  assert.ok(performance.now() - began < 1000);
});

test("a question that nobody waits for any more is ended", { skip }, async () => {
  const collection = await opened();
  const text = encoded("some words or other. ".repeat(9000));
  let asked = 0;
  const ask = (...given) => {
    asked++;
    return sourcesOf(...given);
  };
  await askSources([collection], text, { ask, wanted: () => false });
  assert.equal(asked, 1);
});
