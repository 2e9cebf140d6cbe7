// What the page makes of texts: files, numbers, addresses. Snippets are compared with Python's in
// tests/page/test_disc_texts.py.
import assert from "node:assert/strict";
import { test } from "node:test";
import { number } from "../../../builder/page/web/base/language.js";
import { size } from "../../../builder/page/web/base/numbers.js";
import { excerpt, oneLine } from "../../../builder/page/web/texts/excerpts.js";
import { commonPlaces } from "../../../builder/page/web/texts/places.js";
import { decoded, isPocketFile, textOf } from "../../../builder/page/web/texts/reading.js";
import { readable } from "../../../builder/page/web/view/links.js";
import { encoded, golden } from "./opened.mjs";

test("a pocket file is known by its name or its first bytes", async () => {
  assert.ok(await isPocketFile(new File([], "a.POCKET")));
  assert.ok(await isPocketFile(new File([golden("empty")], "a.txt")));
  assert.ok(!(await isPocketFile(new File(["text"], "a.txt"))));
  assert.ok(!(await isPocketFile(new File([golden("empty").slice(0, 7)], "a.txt"))));
});

test("texts are read in the encodings that their first bytes name", async () => {
  assert.equal(await textOf(new File(["Übersicht"], "a.txt")), "Übersicht");
  assert.equal(decoded(new Uint8Array([0xff, 0xfe, 0x61, 0])), "a");
  assert.equal(decoded(new Uint8Array([0xfe, 0xff, 0, 0x61])), "a");
  assert.equal(decoded(new Uint8Array([0x61, 0])), null);
  await assert.rejects(
    textOf(new File([new Uint8Array(9)], "a.bin")),
    /“a.bin” cannot be read as text/,
  );
});

test("where links of Markdown lead is left out", async () => {
  const source =
    '---\ntitle: x\n---\n[link](http://a.b) and ![image](c.png "d")\n[1]: http://e.f\n<b>bold</b>';
  const text = await textOf(new File([source], "a.md"));
  for (const word of ["link", "and", "image", "bold"]) assert.ok(text.includes(word), word);
  for (const word of ["title", "http", "c.png", "<b>"]) assert.ok(!text.includes(word), word);
});

test("a file that cannot be read or is too long is told", async () => {
  const gone = new File(["a"], "a.txt");
  gone.arrayBuffer = () => Promise.reject(new Error("gone"));
  await assert.rejects(textOf(gone), /“a.txt” was changed or moved/);
  await assert.rejects(textOf({ size: 268_435_457 }), /longer than 256 MB/);
});

test("places of a passage are found in both texts, and an excerpt marks it, the longest first", () => {
  const text = "Ä one two three. Four";
  const document = "zero 𝒳 one two three six Four";
  const bytesOf = (of, part) => {
    const start = encoded(of.slice(0, of.indexOf(part))).length;
    return [start, start + encoded(part).length];
  };
  const passages = ["Four", "one two three"].map((part) => {
    const [[start, end], [from, to]] = [bytesOf(text, part), bytesOf(document, part)];
    return { start, end, from, to };
  });
  const common = commonPlaces(text, document, passages);
  assert.deepEqual(
    common.map(({ start, end }) => text.slice(start, end)),
    ["one two three", "Four"],
  );
  assert.deepEqual(excerpt(document, common), [
    { text: "zero 𝒳 ", same: false },
    { text: "one two three", same: true },
    { text: " six ", same: false },
    { text: "Four", same: true },
  ]);
  assert.equal(oneLine(" a\t\nb "), "a b");
});

test("numbers and sizes are short and readable", () => {
  assert.equal(number(1234567), "1,234,567");
  const sizes = [0, 999, 1000, 1500, 12_345, 999_999, 2_500_000, 3e12].map(size);
  assert.deepEqual(sizes, [
    "0 bytes",
    "999 bytes",
    "1 KB",
    "1.5 KB",
    "12 KB",
    "1,000 KB",
    "2.5 MB",
    "3,000 GB",
  ]);
});

test("addresses are shown readable", () => {
  assert.equal(readable("http://a/%C3%9Cb"), "http://a/Üb");
  assert.equal(readable("%"), "%");
});
