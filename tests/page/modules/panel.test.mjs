// What the search element does without a browser: questions in addresses, sentences with numbers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { addressWith, askedIn } from "../../../builder/page/web/panel/asked.js";
import { localeOf, sayer } from "../../../builder/page/web/panel/say.js";

const ASKED = {
  text: "a & b",
  filters: { kind: ["x=1", "ü"], version: ["3.12"] },
  sort: { date: "desc" },
};

/** @param {string} language */
const table = (language) => {
  const file = new URL(
    `../../../builder/page/web/field/languages/${language}.json`,
    import.meta.url,
  );
  return JSON.parse(readFileSync(file, "utf-8"));
};

test("a question goes into an address and comes out of it, and the rest stays", () => {
  const address = addressWith("https://a.example/b.html?c=1&q=old&filter.kind=old#d", ASKED);

  assert.deepEqual(askedIn(new URL(address).searchParams), ASKED);
  assert.equal(new URL(address).searchParams.get("c"), "1");
  assert.equal(addressWith(address, null), "https://a.example/b.html?c=1#d");
  assert.equal(askedIn(new URLSearchParams("c=1")), null);
});

test("a key and an order that mean nothing are no order", () => {
  assert.deepEqual(askedIn(new URLSearchParams("q=a&sort=date:up"))?.sort, {});
});

test("a text has its numbers and values in the language's way", () => {
  const en = sayer(table("en").panel, "en");
  const de = sayer(table("de").panel, localeOf("de-AT"));

  assert.equal(en("pages", { n: 1 }), "1 page");
  assert.equal(en("pages", { n: 12345 }), "12,345 pages");
  assert.equal(de("pages", { n: 12345 }).replace(/\s/, "."), "12.345 Seiten");
  assert.equal(en("corrected", { word: "{n}", instead: "b" }).includes("“{n}”"), true);
  assert.equal(en("filter:kind"), "filter:kind");
  assert.equal(sayer({ a: "b {n}" }, localeOf("en_no-language"))("a", { n: 2 }), "b 2");

  const english = table("en").panel; // which a page in Japanese shows, where it has no own
  assert.equal(sayer(english, "ja", english)("pages", { n: 1 }), "1 page");
  assert.equal(sayer({ pages: { other: "{n} 件" } }, "ja", english)("pages", { n: 1 }), "1 件");
});

test("each language has the same texts, with the same places for values", () => {
  /** @param {unknown} value */
  const places = (value) =>
    [...new Set(JSON.stringify(value).match(/\{\w+\}/g) ?? [])].sort().join();
  for (const room of ["field", "panel", "related"]) {
    const [en, de] = [table("en")[room], table("de")[room]];
    assert.deepEqual(Object.keys(de), Object.keys(en));
    for (const name of Object.keys(en)) assert.equal(places(de[name]), places(en[name]), name);
  }
});
