// Golden pocket files, opened as the page opens them, from memory.
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { KIND } from "../../../builder/page/web/base/layout.js";
import { Collection } from "../../../builder/page/web/core/collection.js";
import { Core } from "../../../builder/page/web/core/core.js";
import { loadTexts } from "../../../builder/page/web/core/documents.js";
import "./spoken.mjs";

const ROOT = new URL("../../../", import.meta.url);

export const bytesOf = (name) => new Uint8Array(readFileSync(new URL(name, ROOT)));
export const golden = (name) => bytesOf(`tests/golden/${name}.pocket`);

export const core = await Core.load(deflateRawSync(bytesOf("data/pocket.wasm")).toString("base64"));

// A source that remembers what was read of it: [offset, length].
export class MemorySource {
  constructor(name, bytes) {
    this.name = name;
    this.bytes = bytes;
    this.size = bytes.length;
    this.reads = [];
  }

  file() {
    return this.name;
  }

  async read(offset, length) {
    this.reads.push([offset, length]);
    return this.bytes.slice(offset, offset + length);
  }
}

export function open(name, opening) {
  return Collection.open(core, new MemorySource(name, golden(name)), opening);
}

export const encoded = (text) => new TextEncoder().encode(text);

// What a file keeps of a document's text.
export async function storedText(collection, document) {
  const hit = { document, similarity: 0 };
  await loadTexts(collection, [hit]);
  return hit.text;
}

// Where the first block of a file's sketches lies: {offset, length}.
export async function firstSketches(name) {
  const { blocks, index } = await open(name);
  core.calls.pocket_miss(index, KIND.sketches);
  return blocks.missed()[0];
}
