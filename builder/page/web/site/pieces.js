// The pieces of an index (docs/format.md 13): each is a script beside the entry, loaded once.

import { fetchShard, inflate, listenForShards, loadShard } from "../bytes/shard_files.js";
import { Core } from "../core/core.js";

const FORMAT = 1;

/** What a reader is told of; reason: "missing", "damaged", "version" or "wasm". */
export class SiteProblem extends Error {
  /**
   * @param {string} reason
   * @param {string} message
   */
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

/** @param {number} format of an entry */
export function checkFormat(format) {
  if (format === FORMAT) return;
  const text = `The index has format ${format}, and this script reads ${FORMAT}.`;
  throw new SiteProblem("version", `${text} Build both with one “pocketindex site”.`);
}

export class Pieces {
  /** @param {string} base the address of the folder */
  constructor(base) {
    this.base = base;
    /** @type {Map<string, Promise<any>>} */
    this.loading = new Map();
    listenForShards();
  }

  /**
   * What a piece holds, as read makes it of its bytes.
   * @template Content
   * @param {string} name without its ending
   * @param {(bytes: Uint8Array<ArrayBuffer>) => Content} read
   * @returns {Promise<Content>}
   */
  get(name, read) {
    const known = this.loading.get(name);
    if (known) return known;
    const loading = this.load(name, read);
    this.loading.set(name, loading);
    loading.catch(() => this.loading.delete(name)); // the next one who asks tries again
    return loading;
  }

  /**
   * @template Content
   * @param {string} name
   * @param {(bytes: Uint8Array<ArrayBuffer>) => Content} read
   */
  async load(name, read) {
    const file = new URL(`${name}.js`, this.base).href;
    const load = location.protocol === "file:" ? loadShard : fetchShard;
    let packed = null;
    try {
      packed = await load(file, name.slice(name.indexOf("-") + 1), FORMAT);
    } catch (error) {
      throw new SiteProblem("missing", /** @type {Error} */ (error).message);
    }
    try {
      return read(await inflate(packed));
    } catch {
      throw new SiteProblem("damaged", `The file ${file} is damaged. Build the index again.`);
    }
  }

  /** @param {string} name */
  json(name) {
    return this.get(name, parsed);
  }
}

/** @param {Uint8Array} bytes of JSON */
export const parsed = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

/**
 * The part of the core that a search needs.
 * @param {Uint8Array<ArrayBuffer>} module
 */
export async function coreOf(module) {
  try {
    return await Core.of(module);
  } catch (error) {
    const text = /** @type {Error} */ (error).message;
    throw new SiteProblem("wasm", `This page may not run WebAssembly: ${text}`);
  }
}
