// A few words: what is one, which documents have them, and where they stand in a text.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { askWords, foldedAnswer, GROUPED } from "../../../builder/page/web/ask/words.js";
import { KIND } from "../../../builder/page/web/base/layout.js";
import { Collection } from "../../../builder/page/web/core/collection.js";
import { marksOf, searchedWords } from "../../../builder/page/web/core/words.js";
import { oneLine } from "../../../builder/page/web/texts/excerpts.js";
import { asksFor, isBegun, wordExcerpt } from "../../../builder/page/web/texts/few_words.js";
import { core, encoded, MemorySource, open, storedText } from "./opened.mjs";

const file = process.env.POCKETINDEX_WORDS;
const searched = JSON.parse(readFileSync(process.env.POCKETINDEX_SEARCHED, "utf8"));

async function worded(name = "words") {
  const source = new MemorySource(name, new Uint8Array(readFileSync(file)));
  const collection = await Collection.open(core, source);
  source.reads = [];
  return { source, collection };
}

test("a few words are searched for, a text is asked with, a sentence is both", () => {
  const sentence = "the lighthouse keeper wrote every evening about the colour of the sea";
  for (const [text, kind] of [
    ["", "text"],
    [" \n ", "text"],
    ["iceland", "words"],
    ["new york city", "words"],
    ["one two three four", "both"],
    [' "new york"  -city a b c d ', "words"],
    [sentence, "both"],
    [`"${sentence}"`, "both"],
    ["word ".repeat(32), "both"],
    ["word ".repeat(33), "text"],
    ["灯台守", "words"],
    ["灯台守は毎晩海の色と", "both"],
    ["x".repeat(9_000), "words"],
  ]) {
    assert.equal(asksFor(text), kind, text);
  }
  assert.deepEqual(["ab", "abc", "日"].map(isBegun), [false, true, true]);
});

test("the answers are those of Python, and so are the pieces that are shown", async () => {
  const { collection } = await worded();
  assert.equal(collection.worded, true);
  assert.equal((await open("text")).worded, false);
  assert.ok(searched.length >= 8);
  for (const { asked, prefix, hits, groups, words, counts, pieces, text } of searched) {
    const bytes = encoded(asked);
    const how = { top: 12, prefix, deep: true };
    const own = (each, text, more) => searchedWords(each, text, { ...how, ...more });
    const found = await askWords([collection], bytes, own, 12);
    assert.equal(new TextDecoder().decode(found.text), text);
    assert.deepEqual(
      found.hits.map((hit) => [hit.document, hit.words]),
      hits,
    );
    assert.deepEqual([found.all, found.any], counts);
    assert.deepEqual(
      found.words.map((each) => [each.word, each.documents, each.excluded]),
      words,
    );
    const wide = { ...how, top: GROUPED };
    const folded = await askWords(
      [collection],
      found.text,
      async (each, text) => foldedAnswer(each, await searchedWords(each, text, wide)),
      5,
    );
    assert.deepEqual(
      folded.hits.map(({ document, like }) => [document, like.length]),
      groups,
    );
    for (const [i, [piece, marked]] of pieces.entries()) {
      const line = oneLine(await storedText(collection, hits[i][0]));
      const own = wordExcerpt(line, marksOf(core, line, found.text, prefix));
      assert.equal(own.map(({ text }) => text).join(""), piece);
      const same = own.filter((each) => each.same).map(({ text }) => text);
      assert.deepEqual(same, marked);
    }
  }
});

test("several collections are merged: all words first, then the score", async () => {
  const { collection } = await worded();
  const other = (await worded("second")).collection;
  const answers = new Map([
    [collection, answer([hit(1, 2, 50), hit(2, 1, 90)], [5, 3])],
    [other, { ...answer([hit(3, 2, 60), hit(4, 1, 95)], [2, 0]), unchecked: true }],
  ]);
  const found = await askWords(
    [collection, other],
    encoded(""),
    async (each) => answers.get(each),
    3,
  );
  assert.deepEqual(
    found.hits.map(({ document }) => document),
    [3, 1, 4],
  );
  assert.equal(found.more, true);
  assert.deepEqual(found.unchecked, ["second"]);
  assert.deepEqual(
    found.words.map(({ documents }) => documents),
    [7, 3],
  );
  // Where a word is in no document of a file, none of it has all.
  assert.deepEqual([found.all, found.any], [2, 8]);
});

test("of what several collections ask instead, the earliest step is taken", async () => {
  const both = [(await worded()).collection, (await worded("second")).collection];
  const one = (start, end, instead, step) => ({ word: "", instead, start, end, step });
  const others = new Map([
    [both[0], [one(0, 5, "spelt", 3), one(10, 12, "ü", 3)]],
    [both[1], [one(0, 9, "joined", 1), one(10, 12, "form", 0), one(13, 15, "last", 2)]],
  ]);
  const asked = [];
  const found = await askWords(
    both,
    encoded("éone two ab cd."),
    async (each, text, { replace, having }) => {
      asked.push([new TextDecoder().decode(text), replace, having?.words]);
      return { ...answer([], [0, 0]), replacements: replace ? others.get(each) : [] };
    },
    3,
  );
  assert.equal(new TextDecoder().decode(found.text), "joined form last.".replace(" l", "\u0020l"));
  assert.deepEqual(
    found.replacements.map(({ instead }) => instead),
    ["joined", "form", "last"],
  );
  // Each says what it has of the words; of the same numbers it then asks others instead.
  assert.deepEqual(asked[4], ["éone two ab cd.", true, [0, 0]]);
});

const hit = (document, words, score) => ({ document, words, score });
const answer = (hits, counts) => ({
  hits,
  words: counts.map((documents, i) => ({ word: `w${i}`, documents, excluded: false })),
  all: 2,
  any: 4,
  capped: false,
  unchecked: false,
  filters: [],
  allowed: 0,
  unlabelled: 0,
});

test("a search reads blocks of words alone", async () => {
  const { collection, source } = await worded();
  await searchedWords(collection, encoded("lighthouse keeper"), { top: 10 });
  const sections = new Set(
    collection.blocks.loans.flatMap(({ blocks }) => blocks).map(({ section }) => section),
  );
  assert.deepEqual([...sections], [KIND.words]);
  assert.ok(source.reads.length <= 2);
});
