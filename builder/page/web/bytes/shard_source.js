// The bytes of a pocket file out of shards (builder/page/shard.py).

import { say } from "../base/language.js";
import { Problem } from "../base/problem.js";
import { fetchShard, inflate, loadShard } from "./shard_files.js";

/**
 * A collection as the disc describes it (builder/page/folder.py).
 * @typedef {object} Described
 * @property {string} name
 * @property {string} folder
 * @property {string} identity
 * @property {number} size
 * @property {number} documents
 * @property {boolean} titles are there titles to look up?
 * @property {boolean} passages can the sources of a text be found?
 * @property {boolean} words can words be searched for?
 * @property {boolean} once
 * @property {string} link
 * @property {[string, number[]][]} shards name, then offset and length of each range in it
 * @property {number[]} [first] the shards that a first question needs
 * @property {string} [file] the pocket file itself, where the disc has it
 */

const KEPT_SHARDS = 16_000_000; // bytes: the shards of titles that were used last

/** @typedef {import("./range_source.js").Source} Source */

/** @implements {Source} */
export class ShardSource {
  /** @param {Described} described */
  constructor(described) {
    this.described = described;
    this.size = described.size;
    this.name = described.name;
    this.apart = true; // in shards of their own
    /** @type {Map<number, Uint8Array<ArrayBuffer>>} */
    this.kept = new Map();
    /** @type {Map<number, Promise<Uint8Array<ArrayBuffer>>>} */
    this.loading = new Map();
    /** @type {{ start: number, length: number, number: number, at: number }[]} */
    this.ranges = [];
    described.shards.forEach(([, ranges], number) => {
      for (let i = 0, at = 0; i < ranges.length; at += ranges[i + 1], i += 2) {
        this.ranges.push({ start: ranges[i], length: ranges[i + 1], number, at });
      }
    });
    this.ranges.sort((a, b) => a.start - b.start);
  }

  /** Load what a first question needs. What cannot be loaded is asked for again, and said, then. */
  begin() {
    for (const number of this.described.first ?? []) this.shard(number).catch(() => null);
  }

  /**
   * The range that an offset lies in, or null.
   * @param {number} offset
   */
  find(offset) {
    let low = 0;
    for (let high = this.ranges.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (this.ranges[middle].start <= offset) low = middle;
      else high = middle;
    }
    const range = this.ranges[low];
    return range && offset >= range.start && offset < range.start + range.length ? range : null;
  }

  /** @param {number} offset */
  file(offset) {
    const range = this.find(offset);
    return range ? this.fileOf(range.number) : this.name;
  }

  /** @param {number} number */
  fileOf(number) {
    return `${this.described.folder}/${this.described.shards[number][0]}`;
  }

  /**
   * @param {number} offset
   * @param {number} length
   */
  async read(offset, length) {
    const out = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const range = this.find(offset + done);
      if (!range) {
        const place = say("offset", { offset: String(offset + done) });
        throw new Problem(say("damaged", { name: this.name, place }));
      }
      const bytes = await this.shard(range.number);
      const from = offset + done - range.start;
      const more = Math.min(length - done, range.length - from);
      out.set(bytes.subarray(range.at + from, range.at + from + more), done);
      done += more;
    }
    return out;
  }

  /** @param {number} number */
  async shard(number) {
    let bytes = this.kept.get(number);
    if (!bytes) {
      let loading = this.loading.get(number);
      if (!loading) {
        loading = this.load(number).finally(() => this.loading.delete(number));
        this.loading.set(number, loading);
      }
      bytes = await loading;
    }
    this.keep(number, bytes);
    return bytes;
  }

  /**
   * @param {number} number
   * @param {Uint8Array<ArrayBuffer>} bytes
   */
  keep(number, bytes) {
    this.kept.delete(number); // and last again: the first ones are let go
    this.kept.set(number, bytes);
    let total = 0;
    for (const each of this.kept.values()) total += each.length;
    for (const [key, each] of this.kept) {
      if (total <= KEPT_SHARDS || key === number) break;
      this.kept.delete(key);
      total -= each.length;
    }
  }

  /** @param {number} number */
  async load(number) {
    const file = this.fileOf(number);
    const load = location.protocol === "file:" ? loadShard : fetchShard;
    const packed = await load(file, this.described.identity, number);
    const ranges = this.described.shards[number][1];
    let expected = 0;
    for (let i = 1; i < ranges.length; i += 2) expected += ranges[i];
    const bytes = await inflate(packed, expected).catch(() => null);
    if (bytes?.length !== expected) throw new Problem(say("damagedShard", { file }));
    return bytes;
  }
}
