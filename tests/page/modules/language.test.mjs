// Every language says all that the page says, with the same values and in its own plural forms.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import {
  anyOf,
  around,
  number,
  quoted,
  say,
  speak,
} from "../../../builder/page/web/base/language.js";
import { percent, size } from "../../../builder/page/web/base/numbers.js";
import { tables } from "./spoken.mjs";

const WEB = new URL("../../../builder/page/web/", import.meta.url);
const OTHERS = Object.keys(tables).filter((name) => name !== "en");

const formsOf = (sentence) => (typeof sentence === "string" ? { other: sentence } : sentence);
const placesOf = (sentence) =>
  new Set(
    Object.values(formsOf(sentence)).flatMap((form) =>
      Array.from(form.matchAll(/\{(\w+)\}/g), ([, name]) => name),
    ),
  );

// Run with the tables of the page, and one more.
function speaking(wanted, act, more = {}) {
  speak({ en: tables.en, ...tables, ...more }, wanted);
  try {
    return act();
  } finally {
    speak(tables, ["en"]);
  }
}

test("a language lacks no sentence, and has no other", () => {
  assert.ok(OTHERS.includes("de"));
  for (const name of OTHERS) {
    assert.deepEqual(Object.keys(tables[name]), Object.keys(tables.en), name);
  }
});

test("the values of a sentence are the same in each language", () => {
  for (const name of OTHERS) {
    for (const [key, sentence] of Object.entries(tables.en)) {
      assert.deepEqual(
        [...placesOf(tables[name][key])].sort(),
        [...placesOf(sentence)].sort(),
        `${name}: ${key}`,
      );
    }
  }
});

test("a sentence that counts has a form for each plural category of its language", () => {
  for (const [name, table] of Object.entries(tables)) {
    const { pluralCategories } = new Intl.PluralRules(name).resolvedOptions();
    for (const [key, sentence] of Object.entries(table)) {
      if (typeof sentence === "string") continue;
      const categories = Object.keys(sentence).filter((form) => !/^\d+$/.test(form));
      assert.deepEqual(categories.sort(), [...pluralCategories].sort(), `${name}: ${key}`);
    }
  }
});

test("every sentence is said somewhere, and page.html says none that there is not", () => {
  const page = readFileSync(new URL("page.html", WEB), "utf8");
  const asked = Array.from(page.matchAll(/data-(?:say|label)="([^"]*)"/g), ([, key]) => key);
  assert.deepEqual(
    asked.filter((key) => !(key in tables.en)),
    [],
  );
  const names = readdirSync(WEB, { recursive: true }).filter((name) => name.endsWith(".js"));
  const said = names.map((name) => readFileSync(new URL(name, WEB), "utf8")).join("\n");
  const unsaid = Object.keys(tables.en).filter(
    (key) => !asked.includes(key) && !said.includes(`"${key}"`),
  );
  assert.deepEqual(unsaid, []);
});

test("the first language of the visitor that there is is spoken, or else English", () => {
  const spoken = (...wanted) => speaking(wanted, () => [say("find"), number(1234.5)]);
  assert.deepEqual(spoken("fr-FR", "de-AT", "en"), ["Suchen", "1\u00a0234,5"]);
  assert.deepEqual(spoken("de"), ["Suchen", "1.234,5"]);
  assert.deepEqual(spoken("en-GB", "de"), ["Search", "1,234.5"]);
  assert.deepEqual(spoken("eo"), ["Search", "1,234.5"]);
  assert.deepEqual(spoken(), ["Search", "1,234.5"]);
  assert.equal(speak(tables, ["de-CH"]), "de");
  assert.equal(speak({ de: tables.de }, ["en-US"]), "de");
  speak(tables, ["en"]);
});

test("numbers, sizes and lists are those of the language", () => {
  const said = () => [
    say("documents", { count: 120_049 }),
    size(1_540_000),
    size(1),
    percent(1234),
    anyOf(["a", "b", "c"]),
    quoted(["a", "b", "c", "d", "e"]),
  ];
  assert.deepEqual(speaking(["en-US"], said), [
    "120,049 documents",
    "1.5 MB",
    "1 byte",
    "12 %",
    "a, b, or c",
    "“a”, “b”, “c” and 2 more",
  ]);
  assert.deepEqual(speaking(["de-DE"], said), [
    "120.049 Dokumente",
    "1,5 MB",
    "1 Byte",
    "12 %",
    "a, b oder c",
    "„a“, „b“, „c“ und 2 weitere",
  ]);
});

test("a third language is one file, with as many plural forms as it has", () => {
  const pl = {
    ...tables.en,
    documents: {
      one: "{count} dokument",
      few: "{count} dokumenty",
      many: "{count} dokumentów",
      other: "{count} dokumentu",
    },
  };
  const said = speaking(
    ["pl"],
    () => [1, 2, 5, 22, 1.5].map((count) => say("documents", { count })),
    { pl },
  );
  assert.deepEqual(said, [
    "1 dokument",
    "2 dokumenty",
    "5 dokumentów",
    "22 dokumenty",
    "1,5 dokumentu",
  ]);
});

test("a value is shown as it is, whatever it looks like", () => {
  assert.equal(
    say("replaced", { word: "{instead}", instead: "$&" }),
    "No document has “{instead}”. These are the hits for “$&”.",
  );
  assert.deepEqual(around("whyHit"), [" is “", "” a hit?"]);
});

test("one has a form of its own where the language has it for other numbers, too", () => {
  assert.equal(say("inBoth", { count: 1 }), "One passage is in your text, too.");
  assert.equal(say("inBoth", { count: 2 }), "2 passages are in your text, too.");
});
