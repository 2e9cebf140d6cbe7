// What the page says of essays: node page_essays.mjs FILE.pocket ESSAYS.jsonl
// A line of JSON for each: the spans that it colours and the share that it shows, of the first
// answer and of the whole one.
import { openSync, readFileSync, readSync, statSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { askSources, SHOWN } from "../../builder/page/web/ask/sources.js";
import { Collection } from "../../builder/page/web/core/collection.js";
import { Core } from "../../builder/page/web/core/core.js";
import { coloured } from "../../builder/page/web/texts/coloured.js";
import "../../tests/page/modules/spoken.mjs";

const [path, essays] = process.argv.slice(2);
const wasm = readFileSync(new URL("../../data/pocket.wasm", import.meta.url));
const core = await Core.load(deflateRawSync(wasm).toString("base64"));
const file = openSync(path);
const source = {
  name: path,
  size: statSync(path).size,
  atHand: true, // as a file that the visitor picked
  file: () => path,
  read: async (offset, length) => {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
  },
};
const collection = await Collection.open(core, source);

async function asked(text, first) {
  const found = await askSources([collection], new TextEncoder().encode(text), { first });
  const spans = [];
  let at = 0; // in code points, as the command counts
  for (const { owner, stretches } of coloured(text, found.sources.slice(0, SHOWN))) {
    const size = Array.from(stretches.map((each) => each.text).join("")).length;
    if (owner >= 0) spans.push([at, at + size]);
    at += size;
  }
  return { spans, share: found.coverage, sources: found.all };
}

for (const line of readFileSync(essays, "utf8").split("\n").filter(Boolean)) {
  const { text } = JSON.parse(line);
  console.log(JSON.stringify({ first: await asked(text, true), all: await asked(text, false) }));
}
