// What a page does beside queries: node documents.mjs MODULE.wasm FILE.pocket. Prints how many documents there are, then each document's id, title,
// url and what is kept of its text as JSON, and last what becomes of the file with its last byte changed.
import { readFileSync } from "node:fs";

const [, , modulePath, path] = process.argv;
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const core = instance.exports;
const [DOCUMENTS, ERROR] = [8, 40]; // place in a pocket_summary; bytes of a pocket_error
const view = () => new DataView(core.memory.buffer);
const take = (size) => {
  const at = core.pocket_malloc(size);
  if (at === 0) throw new Error("no memory");
  return at;
};
const put = (data) => {
  const at = take(data.length);
  new Uint8Array(core.memory.buffer).set(data, at);
  return at;
};
const string = (at, length) =>
  new TextDecoder().decode(new Uint8Array(core.memory.buffer, at, length));
const cstring = (at) => string(at, new Uint8Array(core.memory.buffer, at).indexOf(0));
const error = take(ERROR),
  out = take(8);
const check = (status) => {
  if (status !== 0)
    throw new Error(
      `${path}: ${cstring(core.pocket_sentence(status))} ${view().getUint32(error, true)}`,
    );
};

const file = readFileSync(path),
  data = put(file);
check(core.pocket_open(data, BigInt(file.length), out, error));
const index = view().getUint32(out, true);
const summary = take(96);
core.pocket_summarize(index, summary);
const count = Number(view().getBigUint64(summary + DOCUMENTS, true));
console.log(count);
for (let number = 0; number < count; number++) {
  check(core.pocket_document_get(index, number, out, error));
  const document = view().getUint32(out, true);
  const fields = [0, 1, 2].map((i) =>
    string(view().getUint32(document + 4 * i, true), view().getUint32(document + 12 + 4 * i, true)),
  );
  core.pocket_document_free(document);
  if (core.pocket_text_kept(index) !== 0) {
    check(core.pocket_text_get(index, number, out, error));
    const text = view().getUint32(out, true);
    fields.push(string(view().getUint32(text, true), view().getUint32(text + 4, true)));
    core.pocket_text_free(text);
  }
  console.log(JSON.stringify(fields));
  const id = put(new TextEncoder().encode(fields[0]));
  check(core.pocket_find(index, id, new TextEncoder().encode(fields[0]).length, out, error));
  if (view().getUint32(out, true) !== number) throw new Error(`${fields[0]} is found elsewhere`);
  core.pocket_free(id);
}
check(core.pocket_verify(index, error));
core.pocket_close(index);

new Uint8Array(core.memory.buffer)[data + file.length - 1] ^= 1;
let status = core.pocket_open(data, BigInt(file.length), out, error);
if (status === 0) status = core.pocket_verify(view().getUint32(out, true), error);
console.log(cstring(core.pocket_sentence(status)));
