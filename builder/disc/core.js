// The core, pocket.wasm: pocket.h says what its functions take. A pointer is a number; memory is looked at anew after every call that may have
// made it grow.

const STATUS = { ok: 0, notFound: 1, tooShort: 2, tooLong: 3, noMemory: 10, notAtHand: 13, notPocket: 20, tooNew: 21, needsCmph: 22 };
const SECTION = { profile: 1, tables: 2, sketches: 3, documents: 4, ids: 5, texts: 6, titles: 7, cells: 8 };
const SECTION_NAMES = ["header", "profile", "tables", "sketches", "documents", "ids", "texts", "titles"];
const KEPT_TEXT = 1; // whole texts; 2 for snippets, 0 for nothing
const EXHAUSTIVE = 0xffffffff;
const COLD = 0xfffffffe; // a first answer from few blocks
const BYTES = { error: 40, block: 24, document: 24, hit: 16, report: 24, options: 12, summary: 96, termClass: 16, title: 12 };

class Core {
  static async load() {
    const bytes = fromBase64(document.getElementById("core").textContent);
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Core(instance.exports);
  }

  constructor(calls) {
    this.calls = calls;
    this.error = this.take(BYTES.error);
  }

  view() {
    return new DataView(this.calls.memory.buffer);
  }

  u32(at) {
    return this.view().getUint32(at, true);
  }

  i32(at) {
    return this.view().getInt32(at, true);
  }

  u64(at) {
    return Number(this.view().getBigUint64(at, true));
  }

  setU32(at, value) {
    this.view().setUint32(at, value, true);
  }

  bytes(at, length) {
    return new Uint8Array(this.calls.memory.buffer, at, length);
  }

  string(at, length) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.bytes(at, length));
  }

  // A pocket_query_options, to be freed.
  options(probes, report) {
    const at = this.take(BYTES.options);
    [BYTES.options, probes, report].forEach((value, i) => this.setU32(at + 4 * i, value));
    return at;
  }

  // How many terms the query with these options had, by its report.
  reported(options) {
    return this.u64(this.u32(options + 8));
  }

  take(length) {
    const at = this.calls.pocket_malloc(length || 1);
    if (at === 0) throw new Problem(words.noMemory);
    return at;
  }

  put(bytes) {
    const at = this.take(bytes.length);
    this.bytes(at, bytes.length).set(bytes);
    return at;
  }

  // work(take) with memory that is freed when it is done.
  scratch(work) {
    const taken = [];
    try {
      return work((length) => {
        taken.push(this.take(length));
        return taken[taken.length - 1];
      });
    } finally {
      taken.forEach((at) => this.calls.pocket_free(at));
    }
  }

  // The Problem for a status, with what the core said of the place.
  problem(status, name) {
    const [section, block] = [this.u32(this.error + 4), this.i32(this.error + 8)];
    if (status === STATUS.notFound) return new Problem(words.noDocument(name));
    if (status === STATUS.tooLong) return new Problem(words.tooLong);
    if (status === STATUS.noMemory) return new Problem(words.noMemory);
    if (status === STATUS.notPocket) return new Problem(words.noPocketFile(name));
    if (status === STATUS.tooNew) return new Problem(words.tooNew(name));
    if (status === STATUS.needsCmph) return new Problem(words.needsCmph(name));
    const where = SECTION_NAMES[section] ?? `section ${section}`;
    return new Problem(words.damaged(name, block < 0 ? where : `${where}, block ${block}`));
  }
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
