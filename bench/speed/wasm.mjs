// The time of queries in WebAssembly: node wasm.mjs MODULE.wasm FILE.pocket TEXTS.json PROBES ROUNDS; prints the median microseconds of each text.
import { readFileSync } from "node:fs";

const [, , modulePath, path, texts, probes, rounds] = process.argv;
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const core = instance.exports;
const TOP = 10;
const put = (data) => {
  const at = core.pocket_malloc(data.length);
  new Uint8Array(core.memory.buffer).set(data, at);
  return at;
};
const file = readFileSync(path);
const handle = core.pocket_malloc(4);
if (core.pocket_open(put(file), BigInt(file.length), handle, 0) !== 0) throw new Error(`${path} is refused`);
const [index] = new Uint32Array(core.memory.buffer, handle, 1);
const hits = core.pocket_malloc(16 * TOP);
const count = core.pocket_malloc(4);
const options = core.pocket_malloc(12);
new Uint32Array(core.memory.buffer, options, 3).set([12, Number(probes), 0]);
const medians = JSON.parse(readFileSync(texts, "utf8")).map((text) => {
  const bytes = Buffer.from(text);
  const at = put(bytes);
  const took = Array.from({ length: Number(rounds) }, () => {
    new Uint32Array(core.memory.buffer, count, 1)[0] = TOP;
    const start = performance.now();
    if (core.pocket_query(index, at, BigInt(bytes.length), options, hits, count, 0) !== 0) throw new Error("no answer");
    return 1000 * (performance.now() - start);
  });
  core.pocket_free(at);
  return took.sort((a, b) => a - b)[rounds >> 1];
});
process.stdout.write(JSON.stringify(medians));
