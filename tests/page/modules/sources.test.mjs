// The three ways to the bytes of a file: ranges, slices and shards.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { EXHAUSTIVE } from "../../../builder/page/web/base/layout.js";
import { FileSource } from "../../../builder/page/web/bytes/file_source.js";
import { RangeSource } from "../../../builder/page/web/bytes/range_source.js";
import { ShardSource } from "../../../builder/page/web/bytes/shard_source.js";
import { Collection } from "../../../builder/page/web/core/collection.js";
import { core, firstSketches, golden } from "./opened.mjs";

const IDENTITY = "0123456789abcdef";
const ESCAPES = { 92: "\\\\", 34: '\\"', 10: "\\n", 13: "\\r" };
let answers = {}; // bytes by address
let asked = [];

// As builder/page/shard.py writes it.
function shard(number, data, identity = IDENTITY) {
  const packed = Array.from(
    deflateRawSync(Buffer.from(data)),
    (byte) => ESCAPES[byte] ?? String.fromCharCode(byte),
  );
  return Buffer.from(`pocketShard("${identity}",${number},"${packed.join("")}");\n`, "latin1");
}

// A collection whose first shard has two ranges, as heads.js has, and the others one each.
function described(bytes, cuts) {
  const ranges = cuts.map((start, i) => [start, (cuts[i + 1] ?? bytes.length) - start]);
  const [first, second, ...rest] = ranges;
  const held = [[...first, ...rest.splice(-1)[0]], second, ...rest];
  const shards = held.map((each, i) => [`s${i}.js`, each]);
  shards.forEach(([name, each], number) => {
    const parts = [];
    for (let i = 0; i < each.length; i += 2)
      parts.push(bytes.slice(each[i], each[i] + each[i + 1]));
    answers[`c0/${name}`] = shard(number, Buffer.concat(parts));
  });
  return { name: "it", folder: "c0", identity: IDENTITY, size: bytes.length, shards };
}

beforeEach(() => {
  answers = {};
  asked = [];
  globalThis.location = new URL("http://example.org/");
  globalThis.fetch = async (address) => {
    asked.push(address);
    const body = answers[address];
    return new Response(body ?? "", { status: body ? 200 : 404 });
  };
});

test("shards give the file's bytes, whatever is asked for, each loaded once", async () => {
  const bytes = golden("text");
  const source = new ShardSource(described(bytes, [0, 900, 901, 7000, 15_000]));
  for (const [offset, length] of [
    [0, 20_730],
    [899, 3],
    [900, 1],
    [14_990, 500],
    [20_729, 1],
  ]) {
    assert.deepEqual(await source.read(offset, length), bytes.slice(offset, offset + length));
  }
  assert.equal(asked.length, 4);
  assert.equal(source.file(901), "c0/s2.js");
  assert.equal(source.file(99_999), "it");
  await assert.rejects(source.read(20_729, 2), /“it” is damaged \(offset 20730\)/);
});

test("a collection answers out of shards", async () => {
  const source = new ShardSource(described(golden("rff"), [0, 5000, 9000, 12_000]));
  const collection = await Collection.open(core, source);
  assert.equal((await collection.like(4)).hits[0].document, 4);
});

test("a shard that is missing, damaged or of another edition is named", async () => {
  const cases = [
    [undefined, "The file c0/s1.js cannot be loaded."],
    [Buffer.from("{}"), "The file c0/s1.js is damaged."],
    [shard(1, Buffer.from("short")), "The file c0/s1.js is damaged."],
    [shard(1, Buffer.from("short")).subarray(0, 40), "The file c0/s1.js is damaged."],
    [shard(2, Buffer.from("x")), "The file c0/s1.js belongs to another edition"],
    [shard(1, Buffer.from("x"), "0".repeat(16)), "The file c0/s1.js belongs to another edition"],
  ];
  for (const [body, message] of cases) {
    const source = new ShardSource(described(golden("text"), [0, 900, 7000]));
    answers["c0/s1.js"] = body;
    await assert.rejects(source.read(1000, 5), (problem) => problem.message.startsWith(message));
  }
});

test("what is damaged inside a shard is told by the shard's name", async () => {
  const bytes = golden("rff");
  const { offset, length } = await firstSketches("rff");
  const end = offset + length;
  const whole = described(bytes, [0, offset, end, bytes.length - 9]);
  answers["c0/s1.js"] = shard(1, [...bytes.slice(offset, end - 1), bytes[end - 1] ^ 1]);
  const collection = await Collection.open(core, new ShardSource(whole));
  const asking = collection.like(4, { probes: EXHAUSTIVE });
  await assert.rejects(asking, /^Error: The file c0\/s1\.js is damaged/);
});

test("of the shards no more are kept than there is room for, the last ones", async () => {
  const bytes = new Uint8Array(3 * 9_000_000);
  const source = new ShardSource(described(bytes, [0, 9_000_000, 18_000_000, 26_999_999]));
  await source.read(9_000_000, 1);
  await source.read(18_000_000, 1);
  await source.read(9_000_000, 1);
  assert.equal(asked.length, 3);
  assert.equal(source.kept.size, 1);
});

test("ranges are read where the server sends them, and only there", async () => {
  const bytes = golden("radix");
  let whole = false;
  globalThis.fetch = async (_, { headers }) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.Range);
    if (whole) return new Response(bytes, { status: 200 });
    const range = { "Content-Range": `bytes ${from}-${to}/${bytes.length}` };
    return new Response(bytes.slice(from, Number(to) + 1), { status: 206, headers: range });
  };
  const source = await RangeSource.probe("it.pocket", bytes.length, "it");
  assert.deepEqual(await source.read(5, 10), bytes.slice(5, 15));
  assert.equal(source.file(5), "it");
  assert.equal(await RangeSource.probe("it.pocket", bytes.length + 1, "it"), null);
  whole = true;
  assert.equal(await RangeSource.probe("it.pocket", bytes.length, "it"), null);
  await assert.rejects(source.read(5, 10), /stopped sending parts/);
  globalThis.fetch = async () => {
    throw new TypeError("no");
  };
  assert.equal(await RangeSource.probe("it.pocket", bytes.length, "it"), null);
  await assert.rejects(source.read(5, 10), /stopped sending parts/);
  const broken = { pull: (to) => to.error(new TypeError("the connection broke")) };
  globalThis.fetch = async () => new Response(new ReadableStream(broken), { status: 206 });
  assert.equal(await RangeSource.probe("it.pocket", bytes.length, "it"), null);
  await assert.rejects(source.read(5, 10), /stopped sending parts/);
});

test("a picked file is read in slices, and a change of it is told", async () => {
  const file = new File([golden("radix")], "radix.pocket");
  const source = new FileSource(file);
  assert.deepEqual(await source.read(8, 4), golden("radix").slice(8, 12));
  await assert.rejects(source.read(file.size - 1, 2), /“radix.pocket” was changed or moved/);
  file.slice = () => ({ arrayBuffer: () => Promise.reject(new Error("gone")) });
  await assert.rejects(source.read(0, 2), /“radix.pocket” was changed or moved/);
});
