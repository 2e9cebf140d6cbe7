// Replay the vectors in WebAssembly: node answers.mjs MODULE.wasm CASES; prints what tests/c/answers.c prints.
import { readFileSync } from "node:fs";

const [, , modulePath, casesPath] = process.argv;
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const core = instance.exports;
const bytes = () => new Uint8Array(core.memory.buffer);
const words = (at, count) =>
  Array.from(new Uint32Array(core.memory.buffer.slice(at, at + 4 * count)));
const longs = (at, count) =>
  Array.from(new BigUint64Array(core.memory.buffer.slice(at, at + 8 * count)));
const take = (size) => {
  const at = core.pocket_malloc(size || 1);
  if (at === 0) throw new Error("no memory");
  return at;
};
const put = (data) => {
  const at = take(data.length);
  bytes().set(data, at);
  return at;
};
const hex = (data) => Buffer.from(data).toString("hex");
const TOO_SHORT = 2;
const NO_SHARED_BITS = 5;
const SUMMARY = 96; // bytes of a pocket_summary: three u64, then u32s

function terms(stream, text) {
  const at = put(text),
    size = take(8);
  core.pocket_terms_write(at, BigInt(text.length), stream, 0, 0n, size);
  const [room] = longs(size, 1);
  const out = take(Number(room));
  core.pocket_terms_write(at, BigInt(text.length), stream, out, room, size);
  const written = Buffer.from(bytes().slice(out, out + Number(room)));
  [out, size, at].forEach(core.pocket_free);
  const list = [];
  for (let start = 0, end; (end = written.indexOf(10, start)) >= 0; start = end + 1)
    list.push(hex(written.subarray(start, end)));
  return list;
}

function answer(path, probes, text) {
  const file = readFileSync(path);
  const data = put(file),
    handle = take(4),
    summary = take(SUMMARY);
  if (core.pocket_open(data, BigInt(file.length), handle, 0) !== 0)
    throw new Error(`${path} is refused`);
  const [index] = words(handle, 1);
  core.pocket_summarize(index, summary);
  const [, , , , tables, components] = words(summary + 24, 6);
  const sharedBits = core.pocket_shared_bits(index);
  const at = put(text),
    digits = take(components),
    weights = take(4 * components),
    keys = take(8 * tables);
  const hits = take(5 * 16),
    count = put([5, 0, 0, 0]),
    report = take(24);
  const out = [];
  const length = BigInt(text.length);
  const status = core.pocket_sketch(index, at, length, digits, weights, keys, 0);
  if (status === TOO_SHORT) {
    out.push("short");
  } else {
    if (status !== 0 || core.pocket_query(index, at, length, probes, hits, count, report, 0) !== 0)
      throw new Error(`${path}: no answer`);
    out.push(hex(bytes().slice(digits, digits + components)), ...words(weights, components));
    out.push(...longs(keys, tables).map((key) => key.toString(16).padStart(16, "0")));
    const [found] = words(count, 1);
    out.push(longs(report, 1)[0], ...words(report + 8, 3));
    const numbers = new Uint32Array(found).map((_, i) => words(hits + 16 * i, 1)[0]);
    const documents = put(new Uint8Array(numbers.buffer)),
      estimates = take(4 * found);
    const told = core.pocket_shared_estimate(index, at, length, documents, found, estimates, 0);
    if (told !== (sharedBits ? 0 : NO_SHARED_BITS)) throw new Error(`${path}: no shared text`);
    for (let i = 0; i < found; i++) {
      const more = sharedBits ? words(estimates + 4 * i, 1) : [];
      out.push([...words(hits + 16 * i, 2), longs(hits + 16 * i + 8, 1)[0], ...more].join(","));
    }
    [estimates, documents].forEach(core.pocket_free);
  }
  [report, count, hits, keys, weights, digits, at].forEach(core.pocket_free);
  core.pocket_close(index);
  [summary, handle, data].forEach(core.pocket_free);
  return out;
}

const lines = [];
for (const line of readFileSync(casesPath, "utf8").split("\n")) {
  const parts = line.split(" ");
  if (parts[0] === "t") lines.push(terms(Number(parts[1]), Buffer.from(parts[2] ?? "", "hex")));
  if (parts[0] === "q")
    lines.push(answer(parts[1], Number(parts[2]), Buffer.from(parts[3] ?? "", "hex")));
}
process.stdout.write(
  lines.map((fields) => fields.map((field) => ` ${field}`).join("") + "\n").join(""),
);
