// The parts of a zip archive, unpacked with what the browser has for that (APPNOTE.TXT 4.3).

import { Problem } from "../base/problem.js";

const ZIP_END = 0x06054b50; // signatures
const ZIP_ENTRY = 0x02014b50;
const ZIP_LOCAL = 0x04034b50;
const END_LENGTH = 22;
const MOST_COMMENT = 65_535;
const ENCRYPTED = 1; // a flag
const STORED = 0; // methods
const DEFLATED = 8;

/** @typedef {{ flags: number, method: number, size: number, offset: number }} Entry */

export class Zip {
  /**
   * Throws a Problem where the bytes are no whole archive, with what is said of that.
   * @param {Uint8Array<ArrayBuffer>} bytes
   * @param {string} damaged
   * @param {number} most bytes that a part may have, unpacked
   */
  constructor(bytes, damaged, most) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.damaged = damaged;
    this.most = most;
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    try {
      this.list();
    } catch (problem) {
      if (problem instanceof RangeError) throw new Problem(damaged);
      throw problem;
    }
  }

  list() {
    const { view, bytes } = this;
    const last = bytes.length - END_LENGTH;
    let end = last;
    while (end >= Math.max(0, last - MOST_COMMENT) && view.getUint32(end, true) !== ZIP_END) end--;
    if (end < 0 || view.getUint32(end, true) !== ZIP_END) throw new Problem(this.damaged);
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
      if (view.getUint32(at, true) !== ZIP_ENTRY) throw new Problem(this.damaged);
      const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
      const start = at + 46;
      const entry = {
        flags: view.getUint16(at + 8, true),
        method: view.getUint16(at + 10, true),
        size: view.getUint32(at + 20, true),
        offset: view.getUint32(at + 42, true),
      };
      this.entries.set(new TextDecoder().decode(bytes.subarray(start, start + name)), entry);
      at = start + name + extra + comment;
    }
  }

  /**
   * A part as text; null where there is none of this name.
   * @param {string} name
   */
  async text(name) {
    const entry = this.entries.get(name);
    if (!entry) return null;
    const { view } = this;
    const { flags, method, size, offset } = entry;
    const known = method === STORED || method === DEFLATED;
    if (offset + 30 > this.bytes.length || view.getUint32(offset, true) !== ZIP_LOCAL || !known) {
      throw new Problem(this.damaged);
    }
    if (flags & ENCRYPTED) throw new Problem(this.damaged);
    const start =
      offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    const packed = this.bytes.slice(start, start + size);
    const bytes = method === STORED ? packed : await this.inflated(packed);
    return new TextDecoder().decode(bytes);
  }

  /**
   * Chunk by chunk, so that a small part that unpacks to very much ends in time.
   * @param {Uint8Array<ArrayBuffer>} packed
   */
  async inflated(packed) {
    const chunks = [];
    let size = 0;
    try {
      const stream = new Blob([packed]).stream();
      const reader = stream.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        if (size > this.most) throw new Problem(this.damaged);
        chunks.push(value);
      }
    } catch {
      throw new Problem(this.damaged);
    }
    return new Blob(/** @type {Uint8Array<ArrayBuffer>[]} */ (chunks)).arrayBuffer();
  }
}
