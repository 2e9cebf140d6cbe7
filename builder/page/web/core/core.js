// The core, pocket.wasm: pocket.h says what its functions take. A pointer is a number; memory is
// looked at anew after every call that may have made it grow.

import { say } from "../base/language.js";
import { BYTES, ERROR, KIND, QUERY_OPTIONS, STATUS } from "../base/layout.js";
import { Problem } from "../base/problem.js";

/** @typedef {(length: number) => number} Allocate */

/** @type {Map<number, string>} */
const PLACE_NAMES = new Map([
  [0, "header"],
  ...Object.entries(KIND).map(([name, kind]) => /** @type {const} */ ([kind, name])),
]);

export class Core {
  /** @param {string} base64 the module, deflated: so a server packs it, too, to few bytes */
  static async load(base64) {
    const packed = new Blob([fromBase64(base64)]).stream();
    const module = new Response(packed.pipeThrough(new DecompressionStream("deflate-raw")));
    const { instance } = await WebAssembly.instantiate(await module.arrayBuffer(), {});
    return new Core(/** @type {any} */ (instance.exports));
  }

  /** @param {import("../base/layout.js").Calls} calls */
  constructor(calls) {
    this.calls = calls;
    this.error = this.allocate(BYTES.error);
  }

  view() {
    return new DataView(this.calls.memory.buffer);
  }

  /** @param {number} at */
  u32(at) {
    return this.view().getUint32(at, true);
  }

  /** @param {number} at */
  i32(at) {
    return this.view().getInt32(at, true);
  }

  /** @param {number} at */
  u64(at) {
    return Number(this.view().getBigUint64(at, true));
  }

  /**
   * @param {number} at
   * @param {number} value
   */
  setU32(at, value) {
    this.view().setUint32(at, value, true);
  }

  /**
   * @param {number} at
   * @param {number} value
   */
  setU64(at, value) {
    this.view().setBigUint64(at, BigInt(value), true);
  }

  /**
   * @param {number} at
   * @param {number} length
   */
  bytes(at, length) {
    return new Uint8Array(this.calls.memory.buffer, at, length);
  }

  /**
   * @param {number} at
   * @param {number} length
   */
  string(at, length) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.bytes(at, length));
  }

  /** @type {Allocate} */
  allocate(length) {
    const at = this.calls.pocket_malloc(length || 1);
    if (at === 0) throw new Problem(say("noMemory"));
    return at;
  }

  /** @param {Uint8Array} bytes */
  put(bytes) {
    const at = this.allocate(bytes.length);
    this.bytes(at, bytes.length).set(bytes);
    return at;
  }

  /**
   * A pocket_query_options, to be freed.
   * @param {number} probes
   * @param {number} report a pocket_report, or 0
   */
  queryOptions(probes, report) {
    const at = this.allocate(BYTES.queryOptions);
    this.setU32(at + QUERY_OPTIONS.size, BYTES.queryOptions);
    this.setU32(at + QUERY_OPTIONS.probes, probes);
    this.setU32(at + QUERY_OPTIONS.report, report);
    this.setU32(at + QUERY_OPTIONS.sketchesAlone, 0);
    return at;
  }

  /** @param {...number} places */
  free(...places) {
    for (const at of places) this.calls.pocket_free(at);
  }

  /**
   * work(allocate) with memory that is freed when it is done.
   * @template Result
   * @param {(allocate: Allocate) => Result} work
   */
  scratch(work) {
    /** @type {number[]} */
    const places = [];
    try {
      return work((length) => {
        const at = this.allocate(length);
        places.push(at);
        return at;
      });
    } finally {
      this.free(...places);
    }
  }

  /** Where the last call failed: the number of a section, and of its block or -1. */
  place() {
    const at = this.error;
    return { section: this.u32(at + ERROR.section), block: this.i32(at + ERROR.block) };
  }

  /**
   * The Problem for a status, with what the core said of the place.
   * @param {number} status
   * @param {string} name of the file
   */
  problem(status, name) {
    if (status === STATUS.notFound) return new Problem(say("noDocument", { name }));
    if (status === STATUS.textTooLong) return new Problem(say("tooLong"));
    if (status === STATUS.noMemory) return new Problem(say("noMemory"));
    if (status === STATUS.notPocket) return new Problem(say("noPocketFile", { name }));
    if (status === STATUS.tooNew) return new Problem(say("tooNew", { name }));
    if (status === STATUS.needsCmph) return new Problem(say("needsCmph", { name }));
    const { section, block } = this.place();
    const where = PLACE_NAMES.get(section) ?? say("section", { section: String(section) });
    const place = block < 0 ? where : say("block", { place: where, block: String(block) });
    return new Problem(say("damaged", { name, place }));
  }
}

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
function fromBase64(text) {
  const own = /** @type {{ fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }} */ (
    Uint8Array
  );
  if (own.fromBase64) return own.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
