// A pocket file is asked in the pieces that the core wants, and damage is named.
import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "../../../builder/page/web/ask/explain.js";
import { say } from "../../../builder/page/web/base/language.js";
import { COLD, EXHAUSTIVE, WHOLE } from "../../../builder/page/web/base/layout.js";
import { Problem, TooShort } from "../../../builder/page/web/base/problem.js";
import { Blocks, inReads } from "../../../builder/page/web/core/blocks.js";
import { Collection } from "../../../builder/page/web/core/collection.js";
import { describe, loadTexts, percentEncoded } from "../../../builder/page/web/core/documents.js";
import { titlesOf } from "../../../builder/page/web/core/titles.js";
import { core, encoded, firstSketches, golden, MemorySource, open, storedText } from "./opened.mjs";

test("a text finds its document first, in every way of asking", async () => {
  const collection = await open("text");
  const text = await storedText(collection, 7);
  for (const probes of [0, EXHAUSTIVE]) {
    const { hits, terms, candidates } = await collection.query(encoded(text), { probes });
    assert.deepEqual(hits[0], { document: 7, similarity: 10000 });
    assert.ok(terms > 10);
    assert.ok(candidates >= hits.length);
  }
  assert.equal((await collection.like(7)).hits[0].document, 7);
  collection.close();
});

test("no more documents are compared than there are, whatever words add", async () => {
  const collection = await open("words");
  const some = (await storedText(collection, 2)).split(/\s+/).slice(0, 20).join(" ");
  const asked = encoded(`${some} lighthouse`);
  const { candidates } = await collection.query(asked, { probes: EXHAUSTIVE });
  assert.equal(candidates, collection.documents);
  collection.close();
});

test("a first answer of a file with cells needs less than the whole", async () => {
  const source = new MemorySource("cells", golden("rff-cells"));
  const collection = await Collection.open(core, source, { once: false });
  const opening = source.reads.length;
  const { hits } = await collection.like(3, { probes: COLD });
  assert.equal(hits[0].document, 3);
  const read = source.reads.slice(opening).reduce((sum, [, length]) => sum + length, 0);
  assert.ok(read > 0 && read < source.size);
  collection.close();
});

test("all and top bound the hits that are shown", async () => {
  const collection = await open("text");
  const text = encoded(await storedText(collection, 7));
  const all = await collection.query(text, { probes: EXHAUSTIVE, all: true });
  assert.equal(all.hits.length, 20);
  assert.equal(
    (await collection.query(text, { probes: EXHAUSTIVE, all: true, top: 3 })).hits.length,
    3,
  );
});

test("what may be chance is left out", async () => {
  const collection = await open("rff");
  const other = encoded(Array.from({ length: 60 }, (_, i) => `strange${i}`).join(" "));
  assert.equal((await collection.query(other, { probes: EXHAUSTIVE, all: true })).hits.length, 20);
  assert.equal((await collection.query(other, { probes: EXHAUSTIVE })).hits.length, 0);
});

test("hits are described, by the file's addresses or a template", async () => {
  const [plain, linked] = [await open("text"), await open("text", { link: "a/{id}?{title}" })];
  const hits = [{ document: 1, similarity: 0 }];
  await describe(plain, hits);
  assert.equal(hits[0].id, "doc-1");
  assert.equal(hits[0].title, "Document 1 — Übersicht");
  assert.equal(hits[0].url, "https://example.org/1");
  await describe(linked, hits);
  assert.equal(hits[0].url, "a/doc-1?Document%201%20%E2%80%94%20%C3%9Cbersicht");
  await describe(plain, []);
});

test("percent encoding is the core's", () => {
  assert.equal(percentEncoded("a/b c'(!)*\ud800"), "a/b%20c%27%28%21%29%2A%EF%BF%BD");
});

test("texts are those that the file keeps", async () => {
  const [texts, snippets, none] = [await open("text"), await open("snippet"), await open("radix")];
  assert.equal(texts.kept, WHOLE);
  const hits = [0, 1, 2].map((document) => ({ document, similarity: 0 }));
  await loadTexts(texts, hits);
  const shorter = structuredClone(hits).map(({ document }) => ({ document, similarity: 0 }));
  await loadTexts(snippets, shorter);
  assert.ok(hits.every(({ text }) => text.length > 0));
  assert.ok(shorter.every(({ text }) => [...text].length <= 160));
  const without = [{ document: 0, similarity: 0 }];
  await loadTexts(none, without);
  assert.equal(without[0].text, undefined);
});

test("titles are found by how they begin", async () => {
  const collection = await open("titles");
  assert.ok(collection.titled);
  const found = await titlesOf(collection, "emile", 8);
  assert.deepEqual(
    found.map(({ title }) => title).sort(),
    ["EMILE, ZOLA!", "emile", "Émile Zola"].sort(),
  );
  assert.equal((await titlesOf(collection, "l", 2)).length, 2);
  await assert.rejects(titlesOf(await open("text"), "a", 2), Problem);
});

test("a short text is told how much is missing", async () => {
  const collection = await open("text");
  await assert.rejects(collection.query(encoded("one")), (problem) => {
    assert.ok(problem instanceof TooShort);
    assert.match(problem.message, /has 1 usable word, and at least \d+ are needed/);
    return true;
  });
});

test("a short text finds its copies and what has its words, and a short document the copies of its text", async () => {
  const collection = await open("short");
  const { hits } = await collection.query(encoded("alpha beta"));
  assert.deepEqual(
    hits.map(({ similarity }) => similarity),
    [10000, 10000, 10000, 9999, 9999, 9999],
  );
  const copies = hits.slice(0, 5);
  const alike = await collection.like(hits[1].document);
  assert.deepEqual(new Set(alike.hits.map(({ document }) => document)), documentsOf(copies));
  const copy = await collection.query(encoded("?!"));
  assert.equal(copy.hits.length, 1);
  const [{ document }] = copy.hits;
  await assert.rejects(explain(collection, encoded("?!"), document), { message: say("copy") });
  const last = collection.documents - 1;
  await assert.rejects(collection.like(last), { message: say("tooShortDocument") });
});

const documentsOf = (hits) => new Set(hits.map(({ document }) => document));

test("tables, cells and sketches come at once, and once, where they are small", async () => {
  const source = new MemorySource("rff", golden("rff"));
  const collection = await Collection.open(core, source);
  assert.ok(collection.once);
  const told = [];
  await collection.prepare((loaded, total) => told.push([loaded, total]));
  const before = source.reads.length;
  await collection.like(0);
  await collection.prepare();
  assert.equal(source.reads.length, before);
  assert.equal(told.at(-1)[0], told.at(-1)[1]);
  collection.forget();
  assert.equal(collection.blocks.lent, 0);
  await collection.like(0);
  assert.ok(source.reads.length > before);
});

test("damage names the file and the block", async () => {
  const bytes = golden("text");
  const { offset } = await firstSketches("text");
  bytes[offset] ^= 1;
  const collection = await Collection.open(core, new MemorySource("it.pocket", bytes));
  await assert.rejects(
    collection.like(0, { probes: EXHAUSTIVE }),
    /^Error: “it.pocket” is damaged \(sketches, block 0\)\. Copy or download it again\.$/,
  );
});

test("a source that fails leaves nothing that later calls stumble over", async () => {
  const source = new MemorySource("rff", golden("rff"));
  const collection = await Collection.open(core, source);
  const { read } = source;
  source.read = async () => {
    throw new Problem("gone");
  };
  await assert.rejects(collection.like(0), { message: "gone" });
  source.read = read;
  assert.equal((await collection.like(0)).hits[0].document, 0);
});

test("heads that are no pocket file's are refused with what is the matter", async () => {
  const bytes = golden("radix");
  const changed = (at, byte) => bytes.map((old, i) => (i === at ? byte : old));
  const cases = [
    [bytes.slice(0, 20), "is not a pocket file"],
    [changed(0, 0), "is not a pocket file"],
    [changed(8, 2), "was made by a newer version of pocketindex"],
    [bytes.slice(0, -1), "should have 2,710 bytes, but has 2,709"],
    [changed(12, 0), "is damaged (header)"],
    [changed(12, 65), "is damaged (header)"],
    [changed(32 + 15, 1), "is damaged (header)"],
    [changed(28, bytes[28] ^ 1), "is damaged (header)"],
  ];
  for (const [data, message] of cases) {
    await assert.rejects(Collection.open(core, new MemorySource("x", data)), (problem) => {
      assert.ok(problem instanceof Problem && problem.message.includes(message), problem.message);
      return true;
    });
  }
});

test("blocks near each other are read together, those of other sections are not", () => {
  const block = (section, number, offset, length = 10) => ({ section, number, offset, length });
  const near = [block(2, 0, 100), block(2, 1, 110), block(2, 2, 120 + 32_768)];
  const reads = inReads([...near, block(2, 3, 120 + 2 * 32_768 + 11), block(3, 0, 98_000)]);
  assert.deepEqual(
    reads.map(({ offset, length, blocks }) => [offset, length, blocks.length]),
    [
      [100, 32_798, 3],
      [65_667, 10, 1],
      [98_000, 10, 1],
    ],
  );
  const long = inReads([block(2, 0, 0, 3_000_000), block(2, 1, 3_000_000, 1_000_001)]);
  assert.equal(long.length, 2);
});

test("of many blocks that lie apart, the smallest gaps are read, too", () => {
  const apart = Array.from({ length: 60 }, (_, i) => {
    return { section: 2, number: i, offset: 50_000 * i + 500 * Math.max(0, i - 30), length: 10 };
  });
  const reads = inReads(apart);
  assert.equal(reads.length, 48); // twelve gaps of 49,990 bytes, and no thirteenth beyond 600,000
  assert.deepEqual(
    reads.flatMap(({ blocks }) => blocks),
    apart,
  );
  for (const { offset, length, blocks } of reads) {
    assert.equal(offset, blocks[0].offset);
    assert.equal(offset + length, (blocks.at(-1)?.offset ?? 0) + 10);
  }
  assert.equal(inReads(apart.slice(0, 40)).length, 40); // few are left as they are
  assert.equal(inReads(apart, 0).length, 60); // as are those in shards of their own
});

test("what another call fetches is waited for", async () => {
  const source = new MemorySource("rff", golden("rff"));
  const collection = await Collection.open(core, source, { once: false });
  const [one, two] = await Promise.all([collection.like(0), collection.like(0)]);
  assert.deepEqual(one, two);
  const offsets = source.reads.slice(3).map(([offset]) => offset);
  assert.equal(new Set(offsets).size, offsets.length);
  assert.equal(new Blocks(core, source, collection.index).lent, 0);
});

test("a file that is loaded once stays, however much was lent of it", async () => {
  const most = 512_000_000;
  for (const [once, lent, stays] of [
    [true, most + 1, true],
    [false, most, true],
    [false, most + 1, false],
  ]) {
    const source = new MemorySource("text", golden("text"));
    const collection = await Collection.open(core, source, { once });
    const text = encoded(await storedText(collection, 7));
    await collection.query(text);
    const before = source.reads.length;
    Object.defineProperty(collection.blocks, "lent", { value: lent });
    const { hits } = await collection.query(text);
    assert.equal(hits[0].document, 7);
    assert.equal(source.reads.length === before, stays, `${once} ${lent}`);
    collection.close();
  }
});
