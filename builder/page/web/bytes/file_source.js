// A file that was picked or dropped: slices of it are read, never the whole.

import { say } from "../base/language.js";
import { Problem } from "../base/problem.js";

/** @typedef {import("./range_source.js").Source} Source */

/** @implements {Source} */
export class FileSource {
  /** @param {File} file */
  constructor(file) {
    this.picked = file;
    this.size = file.size;
    this.name = file.name;
    this.atHand = true;
  }

  file() {
    return this.name;
  }

  /**
   * @param {number} offset
   * @param {number} length
   */
  async read(offset, length) {
    let bytes = null;
    try {
      bytes = new Uint8Array(await this.picked.slice(offset, offset + length).arrayBuffer());
    } catch {
      throw new Problem(say("changed", { name: this.name }));
    }
    if (bytes.length !== length) throw new Problem(say("changed", { name: this.name }));
    return bytes;
  }
}
