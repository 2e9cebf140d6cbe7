// From a picked or dropped file to a text.

import { say } from "../base/language.js";
import { MAGIC } from "../base/layout.js";
import { Problem } from "../base/problem.js";
import { isZip, textOfBook } from "./books.js";

const MOST_TEXT = 268_435_456; // bytes, the core's limit
const PDF = [0x25, 0x50, 0x44, 0x46, 0x2d];
// Elements that stand apart from what comes before.
const SPACED = [
  "address,article,aside,blockquote,br,caption,dd,div,dl,dt,figcaption,figure,footer,form",
  "h1,h2,h3,h4,h5,h6,header,hr,li,main,nav,ol,option,p,pre,section,table,td,th,tr,ul",
].join(",");

/** @param {File} file */
export async function isPocketFile(file) {
  if (/\.pocket$/i.test(file.name)) return true;
  const start = new Uint8Array(await file.slice(0, MAGIC.length).arrayBuffer());
  return start.length === MAGIC.length && MAGIC.every((byte, i) => start[i] === byte);
}

/** @param {File} file */
export async function textOf(file) {
  if (file.size > MOST_TEXT) throw new Problem(say("tooLong"));
  let bytes = null;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Problem(say("changed", { name: file.name }));
  }
  if (isZip(bytes)) return textOfBook(file.name, bytes, MOST_TEXT, textOfHtml);
  const isPdf = PDF.every((byte, i) => bytes[i] === byte);
  const text = isPdf ? null : decoded(bytes);
  if (text === null) throw new Problem(say("notRead", { name: file.name }));
  if (/\.x?html?$/i.test(file.name) || file.type === "text/html") return textOfHtml(text);
  if (/\.(md|markdown)$/i.test(file.name)) return textOfMarkdown(text);
  return text;
}

/**
 * null for bytes that are no text.
 * @param {Uint8Array} bytes
 */
export function decoded(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return bytes.subarray(0, 8192).includes(0) ? null : new TextDecoder().decode(bytes);
}

// The expressions below meet texts of strangers: each takes a time in proportion to the text
// (tests/page/modules/time.test.mjs).

/**
 * A page without styles and attributes, as a rule.
 * @param {string} source
 */
export const bare = (source) =>
  source
    .replace(/<style\b[\s\S]*?(<\/style\s*>|$)/gi, " ")
    .replace(/<([a-z][a-z0-9-]*)\s(?:"[^"<]*"|'[^'<]*'|[^"'<>])*>/gi, "<$1>");

/**
 * Text with one end of line, or one space, for each run of white space that has it.
 * @param {string} text
 */
export const tidied = (text) =>
  text
    .replace(/[ \t]+/g, " ")
    .replace(/\s+/g, (run) => (run.includes("\n") ? "\n" : run))
    .trim();

/**
 * A parsed document of this kind runs and loads nothing. Styles and attributes go before: the
 * policy would complain of them on the console.
 * @param {string} source
 */
function textOfHtml(source) {
  const { body } = new DOMParser().parseFromString(bare(source), "text/html");
  for (const each of body.querySelectorAll("script,style,noscript,template,svg,math")) {
    each.remove();
  }
  for (const each of body.querySelectorAll(SPACED)) each.before("\n");
  return tidied(/** @type {string} */ (body.textContent));
}

/**
 * Words alone count: only where links lead has to go.
 * @param {string} source
 */
export function textOfMarkdown(source) {
  return source
    .replace(/^(---|\+\+\+)\n[\s\S]*?\n\1\s*\n/, "")
    .replace(/\]\([^()\s]*(\s+"[^"]*")?\)/g, "]")
    .replace(/^\s{0,3}\[[^\]\n]+\]:\s*\S+.*$/gm, "")
    .replace(/<[^<>\n]+>/g, " ");
}
