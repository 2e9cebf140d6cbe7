// Where the bytes of a file come from: an address, a path, a File or bytes in memory.

import { Problem } from "../builder/page/web/base/problem.js";
import { FileSource } from "../builder/page/web/bytes/file_source.js";
import { RangeSource } from "../builder/page/web/bytes/range_source.js";

/** @typedef {import("../builder/page/web/bytes/range_source.js").Source} Source */
/** @typedef {import("../builder/page/web/bytes/file_source.js").Sliced} Sliced */
/** @typedef {Source & { close?: () => Promise<void> }} Closable */
/** @typedef {string | URL | Blob | ArrayBuffer | Uint8Array} Opened */

const FIRST = 65_536; // bytes that are asked for at first: header, section table and more
const LOADED_WHOLE = 64_000_000; // bytes: a file up to here is taken as a whole from a server without ranges

/**
 * @param {Opened} what
 * @param {string} [name] for messages
 * @returns {Promise<Closable>}
 */
export async function sourceOf(what, name) {
  if (what instanceof Blob) return new FileSource(sliced(what, name ?? nameOf(what)));
  if (what instanceof ArrayBuffer || ArrayBuffer.isView(what)) {
    const bytes = /** @type {BlobPart} */ (what);
    return new FileSource(sliced(new Blob([bytes]), name ?? "bytes"));
  }
  const url = addressOf(what);
  if (url) return ofAddress(url, name ?? url);
  if (typeof what === "string" || what instanceof URL) return ofPath(what, name ?? String(what));
  throw new TypeError("open: expected an address, a path, a File, a Blob or bytes");
}

/** @param {Blob} blob */
const nameOf = (blob) => /** @type {{ name?: string }} */ (blob).name ?? "file";

/**
 * @param {Blob} blob
 * @param {string} name
 * @returns {Sliced}
 */
const sliced = (blob, name) => ({
  name,
  size: blob.size,
  slice: (start, end) => blob.slice(start, end),
});

/**
 * In a browser every string is an address, which may be relative.
 * @param {unknown} what
 */
function addressOf(what) {
  const text = typeof what === "string" || what instanceof URL ? String(what) : "";
  if (/^(?:https?|blob|data):/.test(text)) return text;
  const base = typeof location === "undefined" ? undefined : location.href;
  return base && text !== "" && URL.canParse(text, base) ? new URL(text, base).href : "";
}

/* ---- a server ---- */

/**
 * @param {string} url
 * @param {string} name
 * @returns {Promise<Source>}
 */
async function ofAddress(url, name) {
  const stop = new AbortController();
  const headers = { Range: `bytes=0-${FIRST - 1}` };
  let answer = null;
  try {
    answer = await fetch(url, { headers, signal: stop.signal, cache: "no-store" });
    const range = answer.headers.get("Content-Range") ?? "";
    const size = Number(/^bytes 0-\d+\/(\d+)$/.exec(range)?.[1]);
    if (answer.status === 206 && size > 0) {
      return begun(new RangeSource(url, size, name), new Uint8Array(await answer.arrayBuffer()));
    }
    const length = Number(answer.headers.get("Content-Length") ?? 0);
    if (answer.ok && answer.status !== 206 && length <= LOADED_WHOLE) {
      return new FileSource(sliced(await answer.blob(), name));
    }
  } catch (cause) {
    const why = answer ? "the connection broke" : "the server cannot be reached";
    throw failed(`${name}: cannot open the file: ${why}`, cause);
  }
  stop.abort();
  const why = answer.ok
    ? "the server sends no byte ranges, and the file is too large to be loaded as a whole; " +
      "serve it with support for the header Range"
    : `the server answered ${answer.status}`;
  throw failed(`${name}: cannot open the file: ${why}`);
}

/**
 * A source whose first bytes are there already.
 * @param {RangeSource} source
 * @param {Uint8Array<ArrayBuffer>} first
 * @returns {Source}
 */
function begun(source, first) {
  return {
    size: source.size,
    name: source.name,
    file: () => source.name,
    read: async (offset, length) => {
      const end = offset + length;
      if (end <= first.length) return first.slice(offset, end);
      const from = Math.max(offset, first.length);
      const rest = await source.read(from, end - from);
      if (from === offset) return rest;
      const whole = new Uint8Array(length);
      whole.set(first.subarray(offset));
      whole.set(rest, from - offset);
      return whole;
    },
  };
}

/* ---- a disk ---- */

/**
 * A file of the system that Node, Deno or Bun runs on.
 * @param {string | URL} path
 * @param {string} name
 * @returns {Promise<Closable>}
 */
async function ofPath(path, name) {
  const { process } = /** @type {{ process?: Process }} */ (globalThis);
  const system = process?.getBuiltinModule?.("node:fs/promises");
  if (!system) throw new TypeError(`${name}: expected an address, a File, a Blob or bytes`);
  let handle = null;
  try {
    handle = await system.open(path);
    const status = await handle.stat();
    if (!status.isFile()) throw new Error("it is no regular file");
    return ofHandle(handle, status.size, name);
  } catch (cause) {
    await handle?.close();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw failed(`${name}: cannot open the file: ${why}`, cause);
  }
}

/**
 * @param {Handle} handle
 * @param {number} size
 * @param {string} name
 * @returns {Closable}
 */
function ofHandle(handle, size, name) {
  /** @type {(start: number, end: number) => Promise<ArrayBuffer>} */
  const read = async (start, end) => {
    const bytes = new Uint8Array(end - start);
    let done = 0;
    for (let more = 1; done < bytes.length && more > 0; done += more) {
      const left = bytes.length - done;
      more = (await handle.read(bytes, done, left, start + done)).bytesRead;
    }
    return bytes.buffer.slice(0, done);
  };
  const slice = (/** @type {number} */ start, /** @type {number} */ end) => ({
    arrayBuffer: () => read(start, end),
  });
  return Object.assign(new FileSource({ name, size, slice }), { close: () => handle.close() });
}

/**
 * @typedef {object} Handle
 * @property {() => Promise<{ size: number, isFile(): boolean }>} stat
 * @property {(to: Uint8Array, at: number, length: number, from: number) => Promise<{ bytesRead: number }>} read
 * @property {() => Promise<void>} close
 */

/** @typedef {{ open(path: string | URL): Promise<Handle> }} System node:fs/promises */
/** @typedef {{ getBuiltinModule?: (name: string) => System }} Process without an import, which bundlers would follow */

/**
 * @param {string} message
 * @param {unknown} [cause]
 */
const failed = (message, cause) => Object.assign(new Problem(message, "io"), { cause });
