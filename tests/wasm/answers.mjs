// Replay the vectors in WebAssembly: node answers.mjs MODULE.wasm CASES; prints what
// tests/c/answers.c prints.
import { readFileSync } from "node:fs";
import {
  ASKED_FILTER,
  ASKED_WORD,
  BYTES,
  HIT,
  PASSAGE,
  REPLACEMENT,
  REPORT,
  SEARCH_FOUND,
  SEARCH_OPTIONS,
  SOURCE,
  SOURCES_FOUND,
  STATUS,
  SUMMARY,
  WORD_HIT,
} from "../../builder/page/web/base/layout.js";
import { Core } from "../../builder/page/web/core/core.js";
import { orderSources } from "../../builder/page/web/core/sources.js";

const [, , modulePath, casesPath] = process.argv;
const MOST = 5; // hits
const MOST_LABELS = 255;
const LABEL_BYTES = 1024;
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const core = new Core(instance.exports);
const { calls } = core;

const hex = (data) => Buffer.from(data).toString("hex");
const u64 = (at) => core.view().getBigUint64(at, true);
const words = (at, count) => Array.from({ length: count }, (_, i) => core.u32(at + 4 * i));
const hex64 = (at) => u64(at).toString(16).padStart(16, "0");

function terms(stream, text) {
  return core.scratch((allocate) => {
    const at = allocate(text.length);
    core.bytes(at, text.length).set(text);
    const size = allocate(8);
    calls.pocket_terms_write(at, BigInt(text.length), stream, 0, 0n, size);
    const room = core.u64(size);
    const out = allocate(room);
    calls.pocket_terms_write(at, BigInt(text.length), stream, out, BigInt(room), size);
    const written = Buffer.from(core.bytes(out, room));
    return written.toString("latin1").split("\n").slice(0, -1).map(latin1InHex);
  });
}

const latin1InHex = (term) => hex(Buffer.from(term, "latin1"));

const answer = (path, probes, text) =>
  opened(path, (allocate, index) => answerOf(allocate, index, probes, text));

const sources = (path, most, cold, text) =>
  opened(path, (allocate, index) => sourcesOf(allocate, index, most, cold, text));

function opened(path, ask) {
  const file = readFileSync(path);
  const data = core.put(file);
  const out = core.allocate(4);
  if (calls.pocket_open(data, BigInt(file.length), out, 0) !== STATUS.ok) {
    throw new Error(`${path} is refused`);
  }
  const index = core.u32(out);
  try {
    return core.scratch((allocate) => ask(allocate, index));
  } finally {
    calls.pocket_close(index);
    core.free(data, out);
  }
}

function answerOf(allocate, index, probes, text) {
  const summary = allocate(BYTES.summary);
  calls.pocket_summarize(index, summary);
  const components = core.u32(summary + SUMMARY.components);
  const tables = core.u32(summary + SUMMARY.tables);
  const at = allocate(text.length);
  core.bytes(at, text.length).set(text);
  const length = BigInt(text.length);
  const digits = allocate(components);
  const weights = allocate(4 * components);
  const keys = allocate(8 * tables);
  const status = calls.pocket_sketch(index, at, length, digits, weights, keys, 0);
  if (status === STATUS.textTooShort) return copiesOf(allocate, index, probes, at, length);
  if (status !== STATUS.ok) throw new Error("no sketch");
  return [
    hex(core.bytes(digits, components)),
    ...words(weights, components),
    ...Array.from({ length: tables }, (_, i) => hex64(keys + 8 * i)),
    ...hitsOf(allocate, index, probes, at, length),
  ];
}

function sourcesOf(allocate, index, most, cold, text) {
  const at = allocate(text.length);
  core.bytes(at, text.length).set(text);
  const options = allocate(BYTES.sourcesOptions);
  [BYTES.sourcesOptions, most, cold].forEach((value, i) => {
    core.setU32(options + 4 * i, value);
  });
  const out = allocate(4);
  const length = BigInt(text.length);
  if (calls.pocket_sources(index, at, length, options, out, 0) !== STATUS.ok) {
    throw new Error("no sources");
  }
  const found = core.u32(out);
  const field = (place) => core.u32(found + place);
  const passages = field(SOURCES_FOUND.passages);
  const passageOf = (_, i) => {
    const passage = passages + i * BYTES.passage;
    const { start, end, first, last, documentStart, documentEnd } = PASSAGE;
    const { edited, documents, verified } = PASSAGE;
    return [
      ...[start, end].map((of) => u64(passage + of)),
      ...[first, last].map((of) => core.u32(passage + of)),
      ...[documentStart, documentEnd].map((of) => u64(passage + of)),
      ...[edited, documents, verified].map((of) => core.u32(passage + of)),
    ];
  };
  const every = Array.from({ length: field(SOURCES_FOUND.passageCount) }, passageOf);
  const rows = Array.from({ length: field(SOURCES_FOUND.count) }, (_, i) => {
    const source = field(SOURCES_FOUND.sources) + i * BYTES.source;
    const { document, coverage, added, evidence, first, count } = SOURCE;
    const own = [document, coverage, added, evidence].map((of) => core.u32(source + of));
    const from = core.u32(source + first);
    return [...own, ...every.slice(from, from + core.u32(source + count)).flat()].join(",");
  });
  const { all, terms, coverage, capped } = SOURCES_FOUND;
  const head = [all, terms, coverage, capped].map(field);
  calls.pocket_sources_free(found);
  return [...head, ...rows];
}

// Spans as 0-10,20-30 with a semicolon behind each source.
function order(least, most, given) {
  const sources = given
    .split(";")
    .slice(0, -1)
    .map((own) => own.split(",").filter(Boolean))
    .map((own) => own.map((span) => span.split("-").map(Number)))
    .map((own) => own.map(([first, last]) => ({ first, last })));
  return orderSources(core, sources, least, most).map(({ number, added }) => `${number},${added}`);
}

const search = (path, most, prefix, how, text) =>
  opened(path, (allocate, index) =>
    searchOf(
      allocate,
      index,
      {
        most,
        prefix,
        cold: how & 1,
        exact: 0,
        titles: (how >> 1) & 1,
        replace: how >> 2,
        having: 0,
        filters: 0,
      },
      text,
    ),
  );

function searchOf(allocate, index, how, text) {
  const at = allocate(text.length);
  core.bytes(at, text.length).set(text);
  const options = allocate(BYTES.searchOptions);
  core.setU32(options + SEARCH_OPTIONS.size, BYTES.searchOptions);
  for (const [name, value] of Object.entries(how)) {
    core.setU32(options + SEARCH_OPTIONS[name], value);
  }
  const out = allocate(4);
  if (calls.pocket_search(index, at, BigInt(text.length), options, out, 0) !== STATUS.ok) {
    throw new Error("no search");
  }
  const found = core.u32(out);
  const { all, any, capped, unchecked, ignored, pieces } = SEARCH_FOUND;
  const [asked, hits] = [SEARCH_FOUND.words, SEARCH_FOUND.hits].map((of) => core.u32(found + of));
  const wordOf = (_, i) => {
    const word = asked + i * BYTES.askedWord;
    const numbers = [ASKED_WORD.start, ASKED_WORD.end, ASKED_WORD.documents];
    return [...numbers.map((of) => u64(word + of)), core.u32(word + ASKED_WORD.flags)].join(",");
  };
  const hitOf = (_, i) => {
    const hit = hits + i * BYTES.wordHit;
    return [WORD_HIT.document, WORD_HIT.words, WORD_HIT.score]
      .map((of) => core.u32(hit + of))
      .join(",");
  };
  const rows = [
    ...[all, any, capped, unchecked, ignored, pieces].map((of) => core.u32(found + of)),
    ...Array.from({ length: core.u32(found + SEARCH_FOUND.wordCount) }, wordOf),
    ...Array.from({ length: core.u32(found + SEARCH_FOUND.count) }, hitOf),
  ];
  const replacements = core.u32(found + SEARCH_FOUND.replacements);
  for (let i = 0; i < core.u32(found + SEARCH_FOUND.replacementCount); i++) {
    const one = replacements + i * BYTES.replacement;
    const [start, end, first, last] = ["start", "end", "newStart", "newEnd"].map((name) =>
      u64(one + REPLACEMENT[name]),
    );
    rows.push([start, end, last - first, core.u32(one + REPLACEMENT.how)].join(","));
  }
  rows.push(core.u32(found + SEARCH_FOUND.allowed), core.u32(found + SEARCH_FOUND.unlabelled));
  for (let i = 0; i < core.u32(found + SEARCH_FOUND.filterCount); i++) {
    const one = core.u32(found + SEARCH_FOUND.filters) + i * BYTES.askedFilter;
    const { start, end, documents, flags, labels, nearCount, nearLabels } = ASKED_FILTER;
    const own = [start, end, documents].map((of) => u64(one + of));
    own.push(core.u32(one + flags), core.u32(one + labels));
    const near = core.u32(one + labels) ? 0 : core.u32(one + nearCount);
    for (let k = 0; k < near; k++) own.push(core.u32(one + nearLabels + 4 * k));
    rows.push(own.join(","));
  }
  const instead = core.bytes(
    core.u32(found + SEARCH_FOUND.text),
    Number(u64(found + SEARCH_FOUND.textLength)),
  );
  rows.push(`=${Buffer.from(instead).toString("hex")}`);
  calls.pocket_search_free(found);
  return rows;
}

const labels = (path, document) =>
  opened(path, (allocate, index) => {
    const numbers = allocate(4 * MOST_LABELS);
    const count = allocate(4);
    core.setU32(count, MOST_LABELS);
    if (calls.pocket_labels_get(index, document, numbers, count, 0) !== STATUS.ok) {
      throw new Error("no labels");
    }
    const name = allocate(LABEL_BYTES + 1);
    return words(numbers, core.u32(count)).map((number) => {
      if (calls.pocket_label_name(index, number, name, count, 0) !== STATUS.ok) {
        throw new Error("no label");
      }
      return hex(core.bytes(name, core.u32(count)));
    });
  });

// What a text without a sketch finds.
function copiesOf(allocate, index, probes, at, length) {
  const hits = allocate(MOST * BYTES.hit);
  const count = allocate(4);
  const report = allocate(BYTES.report);
  core.setU32(count, MOST);
  const options = core.queryOptions(probes, report);
  const { pocket_query } = calls;
  const status = pocket_query(index, at, length, options, hits, count, 0);
  core.free(options);
  if (status === STATUS.textTooShort) return ["short"];
  if (status !== STATUS.ok) throw new Error("no answer");
  const rows = Array.from({ length: core.u32(count) }, (_, i) =>
    [HIT.document, HIT.similarity].map((of) => core.u32(hits + i * BYTES.hit + of)).join(","),
  );
  return ["copies", core.u32(report + REPORT.candidates), ...rows];
}

function hitsOf(allocate, index, probes, at, length) {
  const hits = allocate(MOST * BYTES.hit);
  const count = allocate(4);
  const report = allocate(BYTES.report);
  core.setU32(count, MOST);
  const options = core.queryOptions(probes, report);
  const { pocket_query } = calls;
  if (pocket_query(index, at, length, options, hits, count, 0) !== STATUS.ok) {
    throw new Error("no answer");
  }
  const found = core.u32(count);
  core.free(options);
  const rows = Array.from({ length: found }, (_, i) => {
    const hit = hits + i * BYTES.hit;
    const [document, similarity] = [HIT.document, HIT.similarity].map((of) => core.u32(hit + of));
    return [document, similarity, u64(hit + HIT.tables)].join(",");
  });
  const { probes: looked, parts, candidates } = REPORT;
  const done = [looked, parts, candidates].map((of) => core.u32(report + of));
  const shown = calls.pocket_more_than_chance(index, 0n, 0, hits, found);
  return [u64(report + REPORT.terms), ...done, shown, ...rows];
}

const lines = [];
for (const line of readFileSync(casesPath, "utf8").split("\n")) {
  const [kind, first, second, third, fourth, fifth] = line.split(" ");
  if (kind === "t") lines.push(terms(Number(first), Buffer.from(second ?? "", "hex")));
  if (kind === "q") lines.push(answer(first, Number(second), Buffer.from(third ?? "", "hex")));
  if (kind === "s") {
    lines.push(sources(first, Number(second), Number(third), Buffer.from(fourth ?? "", "hex")));
  }
  if (kind === "w") {
    const how = [second, third, fourth].map(Number);
    lines.push(search(first, ...how, Buffer.from(fifth ?? "", "hex")));
  }
  if (kind === "o") lines.push(order(Number(first), Number(second), third ?? ""));
  if (kind === "l") lines.push(labels(first, Number(second)));
}
const printed = lines.map((fields) => `${fields.map((field) => ` ${field}`).join("")}\n`);
process.stdout.write(printed.join(""));
