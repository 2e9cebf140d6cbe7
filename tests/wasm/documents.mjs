// What a page does beside queries: node documents.mjs MODULE.wasm FILE.pocket. Prints how many
// documents there are, then each document's id, title, url and what is kept of its text as JSON,
// and last what becomes of the file with its last byte changed.
import { readFileSync } from "node:fs";
import { BYTES, DOCUMENT, STATUS, SUMMARY, TEXT } from "../../builder/page/web/base/layout.js";
import { Core } from "../../builder/page/web/core/core.js";

const [, , modulePath, path] = process.argv;
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const core = new Core(instance.exports);
const { calls, error } = core;
const sentence = (status) => {
  const at = calls.pocket_sentence(status);
  return core.string(at, new Uint8Array(calls.memory.buffer, at).indexOf(0));
};
const check = (status) => {
  if (status !== STATUS.ok) {
    throw new Error(`${path}: ${sentence(status)} ${JSON.stringify(core.place())}`);
  }
};

const file = readFileSync(path);
const data = core.put(file);
const out = core.allocate(8);
check(calls.pocket_open(data, BigInt(file.length), out, error));
const index = core.u32(out);
const summary = core.allocate(BYTES.summary);
calls.pocket_summarize(index, summary);
const count = core.u64(summary + SUMMARY.documents);
console.log(count);
for (let number = 0; number < count; number++) {
  const fields = fieldsOf(number);
  if (calls.pocket_text_kept(index) !== 0) fields.push(textOf(number));
  console.log(JSON.stringify(fields));
  checkFound(fields[0], number);
}
check(calls.pocket_verify(index, error));
calls.pocket_close(index);

core.bytes(data, file.length)[file.length - 1] ^= 1;
let status = calls.pocket_open(data, BigInt(file.length), out, error);
if (status === STATUS.ok) status = calls.pocket_verify(core.u32(out), error);
console.log(sentence(status));

function fieldsOf(number) {
  check(calls.pocket_document_get(index, number, out, error));
  const document = core.u32(out);
  const { id, idLength, title, titleLength, url, urlLength } = DOCUMENT;
  const places = [
    [id, idLength],
    [title, titleLength],
    [url, urlLength],
  ];
  const fields = places.map(([bytes, length]) =>
    core.string(core.u32(document + bytes), core.u32(document + length)),
  );
  calls.pocket_document_free(document);
  return fields;
}

function textOf(number) {
  check(calls.pocket_text_get(index, number, out, error));
  const text = core.u32(out);
  const found = core.string(core.u32(text + TEXT.bytes), core.u32(text + TEXT.length));
  calls.pocket_text_free(text);
  return found;
}

function checkFound(id, number) {
  const bytes = new TextEncoder().encode(id);
  const at = core.put(bytes);
  check(calls.pocket_find(index, at, bytes.length, out, error));
  if (core.u32(out) !== number) throw new Error(`${id} is found elsewhere`);
  core.free(at);
}
