// One shard: a script beside the page, which calls pocketShard with its bytes.

import { say } from "../base/language.js";
import { Problem } from "../base/problem.js";

const SHARD_TIME = 60_000; // milliseconds after which a server has given up on a script
const LONGEST_CALL = 100; // bytes of a shard up to its data
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
// What follows a backslash, and what the two stand for; all else stands for itself.
const ESCAPED = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
]);

/** @typedef {(identity: string, number: number, data: string) => void} Call */

/** @type {Map<string, Call>} */
const awaited = new Map();

/**
 * Scripts beside the page call this with their data; it is all that they can call.
 * @type {Call}
 */
function pocketShard(identity, number, data) {
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  if (script) awaited.get(script.src)?.(identity, number, data);
}

export function listenForShards() {
  Object.assign(window, { pocketShard });
}

/**
 * From a folder: run as a script, in an encoding that has a character for every byte.
 * @param {string} file
 * @param {string} identity
 * @param {number} number
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export function loadShard(file, identity, number) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    /** @param {string | null} problem */
    const end = (problem) => {
      clearTimeout(timer);
      awaited.delete(script.src);
      script.remove();
      if (problem) reject(new Problem(problem));
    };
    const timer = setTimeout(() => end(say("missingShard", { file })), SHARD_TIME);
    script.charset = "x-user-defined";
    script.src = file;
    awaited.set(script.src, (whose, which, data) => {
      if (whose !== identity || which !== number) return end(say("foreignShard", { file }));
      end(null);
      resolve(bytesOf(data));
    });
    script.onerror = () => end(say("missingShard", { file }));
    script.onload = () => end(say("damagedShard", { file })); // after a call nothing is left to end
    document.head.append(script);
  });
}

/**
 * The bytes of a string in x-user-defined: U+F780 to U+F7FF are the bytes 80 to FF.
 * @param {string} data
 */
function bytesOf(data) {
  const bytes = new Uint8Array(data.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = data.charCodeAt(i);
  return bytes;
}

/**
 * Over HTTP: as bytes, because a server may name another encoding, which would win.
 * @param {string} file
 * @param {string} identity
 * @param {number} number
 */
export async function fetchShard(file, identity, number) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), SHARD_TIME);
  let bytes = null;
  try {
    const answer = await fetch(file, { signal: stop.signal });
    if (answer.ok) bytes = new Uint8Array(await answer.arrayBuffer());
  } catch {
    // said below
  }
  clearTimeout(timer);
  if (!bytes) throw new Problem(say("missingShard", { file }));
  const start = String.fromCharCode(...bytes.subarray(0, LONGEST_CALL));
  const call = /^pocketShard\("(\w+)",(\d+),"/.exec(start);
  const end = bytes.length - '");\n'.length;
  if (!call || end < call[0].length || bytes[end] !== QUOTE) {
    throw new Problem(say("damagedShard", { file }));
  }
  if (call[1] !== identity || Number(call[2]) !== number) {
    throw new Problem(say("foreignShard", { file }));
  }
  return unescaped(bytes.subarray(call[0].length, end));
}

/** @param {Uint8Array} bytes */
function unescaped(bytes) {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === BACKSLASH) {
      i++;
      out[length++] = ESCAPED.get(bytes[i]) ?? bytes[i];
    } else {
      out[length++] = bytes[i];
    }
  }
  return out.subarray(0, length);
}

/**
 * What is packed in bytes. The stream is fed and read without a Blob and a Response around it,
 * which take ten times as long.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} [most] bytes that it may be
 */
export async function inflate(bytes, most = Infinity) {
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const writer = writable.getWriter();
  const fed = Promise.all([writer.write(bytes), writer.close()]);
  fed.catch(() => {}); // the reader says it, too
  const reader = readable.getReader();
  const chunks = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > most) throw new RangeError(`more than ${most} bytes`);
  }
  const out = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}
