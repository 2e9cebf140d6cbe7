// What opening a pocket file needs of it (docs/format.md 1.1 to 1.3).

import { say } from "../base/language.js";
import {
  DIRECTORY_BYTES,
  ENTRY_BYTES,
  HEADER_BYTES,
  MAGIC,
  MOST_SECTIONS,
} from "../base/layout.js";
import { Problem } from "../base/problem.js";
import { inReads } from "./blocks.js";

const MAJOR = 1; // version of the format
const MOST_HEADS = 256_000_000; // bytes
// Places in the header and in an entry of the section table.
const HEADER = { major: 8, sections: 12, size: 16 };
const ENTRY = { offset: 8, parameters: 24, blocks: 28 };

/**
 * The header, the section table and each section's head. The core checks them; here only so much
 * that nothing absurd is read.
 * @param {import("../bytes/range_source.js").Source} source
 */
export async function readHeads(source) {
  const { size, name } = source;
  if (size < HEADER_BYTES) throw new Problem(say("noPocketFile", { name }), "notPocket");
  const header = await source.read(0, HEADER_BYTES);
  const sections = sectionCount(header, size, name);
  const table = await source.read(HEADER_BYTES, ENTRY_BYTES * sections);
  const heads = [];
  let total = header.length + table.length;
  for (let i = 0; i < sections; i++) {
    const { offset, length } = headOf(table, i);
    total += length;
    if (offset + length > size || total > MOST_HEADS) {
      throw new Problem(say("damaged", { name, place: "header" }), "damagedHeader");
    }
    if (length > 0) heads.push({ section: 0, number: i, offset, length });
  }
  const next = inReads(heads, 0); // those that follow each other are one read
  const read = next.map(({ offset, length }) => source.read(offset, length));
  return new Uint8Array(
    await new Blob([header, table, ...(await Promise.all(read))]).arrayBuffer(),
  );
}

/**
 * @param {Uint8Array} header
 * @param {number} size
 * @param {string} name
 */
function sectionCount(header, size, name) {
  const view = new DataView(header.buffer, header.byteOffset);
  if (MAGIC.some((byte, i) => header[i] !== byte)) {
    throw new Problem(say("noPocketFile", { name }), "notPocket");
  }
  if (view.getUint16(HEADER.major, true) !== MAJOR) {
    throw new Problem(say("tooNew", { name }), "tooNew");
  }
  const sections = view.getUint32(HEADER.sections, true);
  const said = Number(view.getBigUint64(HEADER.size, true));
  if (said !== size) {
    throw new Problem(say("cutOff", { name, expected: said, found: size }), "damagedLength");
  }
  const end = HEADER_BYTES + ENTRY_BYTES * sections;
  if (sections < 1 || sections > MOST_SECTIONS || end > size) {
    throw new Problem(say("damaged", { name, place: "header" }), "damagedHeader");
  }
  return sections;
}

/**
 * Where the head of a section lies: its parameters and its directory.
 * @param {Uint8Array} table
 * @param {number} i
 */
function headOf(table, i) {
  const entry = new DataView(table.buffer, table.byteOffset + ENTRY_BYTES * i);
  const blocks = entry.getUint32(ENTRY.blocks, true);
  return {
    offset: Number(entry.getBigUint64(ENTRY.offset, true)),
    length: entry.getUint32(ENTRY.parameters, true) + DIRECTORY_BYTES * blocks,
  };
}
