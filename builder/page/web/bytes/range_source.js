// A file on a server that sends byte ranges.

import { say } from "../base/language.js";
import { Problem } from "../base/problem.js";

/**
 * A way to the bytes of a pocket file: RangeSource, FileSource and ShardSource are such.
 * @typedef {object} Source
 * @property {number} size of the file
 * @property {string} name of the file
 * @property {(offset: number, length: number) => Promise<Uint8Array<ArrayBuffer>>} read
 * @property {boolean} [atHand] is a read quick?
 * @property {boolean} [apart] is what lies between two places better not read?
 * @property {(offset: number) => string} file what to name when the bytes at an offset are bad
 */

/** @implements {Source} */
export class RangeSource {
  /**
   * A source, or null where the server sends anything but the 32 bytes asked for: then nothing more
   * of the answer is read.
   * @param {string} url
   * @param {number} size
   * @param {string} name
   */
  static async probe(url, size, name) {
    const stop = new AbortController();
    try {
      const answer = await fetch(url, { headers: { Range: "bytes=0-31" }, signal: stop.signal });
      const expected = `bytes 0-31/${size}`;
      if (answer.status === 206 && answer.headers.get("Content-Range") === expected) {
        const bytes = await answer.arrayBuffer();
        if (bytes.byteLength === 32) return new RangeSource(url, size, name);
      }
    } catch {
      // a page of a folder may not fetch
    }
    stop.abort();
    return null;
  }

  /**
   * @param {string} url
   * @param {number} size
   * @param {string} name
   */
  constructor(url, size, name) {
    this.url = url;
    this.size = size;
    this.name = name;
  }

  file() {
    return this.name;
  }

  /**
   * @param {number} offset
   * @param {number} length
   */
  async read(offset, length) {
    const stop = new AbortController();
    const headers = { Range: `bytes=${offset}-${offset + length - 1}` };
    let bytes = null;
    try {
      // Not kept by the browser: it would wait for one range before it asks for the next.
      const answer = await fetch(this.url, { headers, signal: stop.signal, cache: "no-store" });
      if (answer.status === 206) bytes = new Uint8Array(await answer.arrayBuffer());
    } catch {
      // said below; a connection may also break in the middle of the bytes
    }
    if (bytes?.length === length) return bytes;
    stop.abort();
    throw new Problem(say("noRange"));
  }
}
