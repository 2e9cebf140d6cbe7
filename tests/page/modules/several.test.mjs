// Several collections as one: whom to ask, and how their answers become one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { askAll, inLanguage, titlesOfAll } from "../../../builder/page/web/ask/several.js";
import { EXHAUSTIVE } from "../../../builder/page/web/base/layout.js";
import { Problem, TooShort } from "../../../builder/page/web/base/problem.js";
import { encoded, open, storedText } from "./opened.mjs";

// A collection of so many documents, as far as the choice by language goes.
const large = (collection) =>
  Object.assign(Object.create(collection), { documents: 5_000, name: "large" });

test("hits are merged by similarity, ties in the order of the collections", async () => {
  const collections = [await open("text"), await open("snippet"), await open("text")];
  const text = encoded(await storedText(collections[0], 7));
  const found = await askAll(collections, (collection) => collection.query(text, { all: true }));
  const [one, two] = await Promise.all(collections.slice(0, 2).map((each) => each.query(text)));
  assert.ok(found.hits.length <= 20);
  assert.deepEqual(
    found.hits
      .filter(({ similarity }) => similarity === 10000)
      .map((hit) => collections.indexOf(hit.collection)),
    [0, 1, 2],
  );
  const similarities = found.hits.map(({ similarity }) => similarity);
  assert.deepEqual(
    similarities,
    similarities.toSorted((a, b) => b - a),
  );
  assert.ok(found.hits.every(({ id }) => id.startsWith("doc-")));
  assert.equal(found.candidates, 2 * one.candidates + two.candidates);
  assert.equal(found.terms, one.terms);
});

test("what may be chance is told from the documents of all collections", async () => {
  const collections = [await open("rff"), await open("rff")];
  const own = (await storedText(await open("text"), 7)).split(" ");
  // So many words of a document that it is a hit of one collection, and none of a million.
  const other = Array.from({ length: 60 }, (_, i) => `strange${i}`);
  const shown = async (words, documents) => {
    const text = encoded([...own.slice(0, words), ...other.slice(words)].join(" "));
    return (await collections[0].query(text, { probes: EXHAUSTIVE, documents })).hits.length > 0;
  };
  const words = own.map((_, i) => i);
  const told = await Promise.all(
    words.map(async (n) => (await shown(n, 0)) && !(await shown(n, 1_000_000))),
  );
  assert.ok(told.some(Boolean));

  const asked = [];
  await askAll(collections, (collection, documents) => {
    asked.push(documents);
    return collection.query(encoded(own.join(" ")), { documents });
  });
  assert.deepEqual(asked, [90, 90]);
});

test("a text that is too short for one collection is asked in the others", async () => {
  const collections = [await open("text"), await open("snippet")];
  const text = encoded(await storedText(collections[0], 7));
  const ask = (collection) => {
    if (collection === collections[0]) throw new TooShort("too short");
    return collection.query(text);
  };
  const { hits } = await askAll(collections, ask);
  assert.ok(hits.length > 0 && hits.every(({ collection }) => collection === collections[1]));
  await assert.rejects(askAll(collections.slice(0, 1), ask), TooShort);
  await assert.rejects(
    askAll(collections, () => {
      throw new Problem("damaged");
    }),
    { message: "damaged" },
  );
});

test("collections that cannot tell are always asked", async () => {
  const [small, unweighed] = [await open("rff"), large(await open("text"))];
  assert.deepEqual(inLanguage([small, unweighed], encoded("anything at all")), [small, unweighed]);
});

test("a collection is left out where few of the text's words are common", async () => {
  const [own, silent] = [large(await open("rff")), large(await open("rff"))];
  const text = encoded("the of and to in is that it was for on are as with his they at be this");
  const share = (classes) => ({
    ...own.core.calls,
    pocket_classes: classes,
  });
  // One collection knows all the words as stop words, the other knows none of them.
  const told = (number, weight) => (_index, _text, _length, classes, count) => {
    const view = own.core.view();
    view.setBigUint64(count, 4n, true);
    for (let i = 0; classes && i < 4; i++) {
      view.setInt32(classes + 16 * i + 8, number, true);
      view.setInt32(classes + 16 * i + 12, weight, true);
    }
    return 0;
  };
  const known = Object.assign(Object.create(own.core), { calls: share(told(-1, 0)) });
  const foreign = Object.assign(Object.create(own.core), { calls: share(told(5, 0)) });
  own.core = known;
  silent.core = foreign;
  assert.deepEqual(inLanguage([own, silent], text), [own]);
  assert.deepEqual(inLanguage([silent], text), [silent]); // nobody's language: all are asked
});

test("titles come in turn from each collection", async () => {
  const [one, two] = [await open("titles"), await open("titles")];
  const found = await titlesOfAll([one, two], "l", 5);
  assert.equal(found.length, 5);
  assert.deepEqual(
    found.map(({ collection }) => collection),
    [one, two, one, two, one],
  );
  assert.equal(found[0].title, found[1].title);
});
