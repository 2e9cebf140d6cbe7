// The text of DOCX, ODT and EPUB files: archives with XML in them. It is what a reader sees,
// without deleted text, codes of fields, and comments.

import { say } from "../base/language.js";
import { Problem } from "../base/problem.js";
import { Zip } from "./zip.js";

const ZIP = [0x50, 0x4b, 3, 4];
// Elements by their local names: a line each, letters for a place, and what is not seen.
const LINES = new Set(["p", "h", "tr"]);
/** @type {Map<string, string>} */
const SIGNS_OF = new Map([
  ["tab", "\t"],
  ["br", "\n"],
  ["cr", "\n"],
  ["line-break", "\n"],
  ["s", " "],
  ["noBreakHyphen", "-"],
]);
const UNSEEN = new Set([
  ...["del", "moveFrom", "delText", "instrText", "delInstrText", "rPr", "pPr", "Fallback"],
  ...["tracked-changes", "annotation", "note-citation", "sequence-decls", "bookmark-start"],
]);
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
const WORD_PARTS = ["document", "footnotes", "endnotes"].map((name) => `word/${name}.xml`);

/** @param {Uint8Array} bytes */
export const isZip = (bytes) => ZIP.every((byte, i) => bytes[i] === byte);

/**
 * The text of such a file. html: makes the text of a page. Throws a Problem for another archive,
 * and for one that is damaged or encrypted.
 * @param {string} name
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} most bytes of a part
 * @param {(page: string) => string} html
 */
export async function textOfBook(name, bytes, most, html) {
  const zip = new Zip(bytes, say("damagedFile", { name }), most);
  const has = (/** @type {string} */ part) => zip.entries.has(part);
  if (has("META-INF/container.xml")) return textOfEpub(zip, html);
  const parts = has(WORD_PARTS[0]) ? WORD_PARTS : has("content.xml") ? ["content.xml"] : [];
  if (parts.length === 0) throw new Problem(say("notRead", { name }));
  const texts = [];
  for (const part of parts.filter(has)) texts.push(textOfXml(parsed(zip, await zip.text(part))));
  return texts.join("\n").trim();
}

/**
 * @param {Zip} zip
 * @param {string | null} source
 */
function parsed(zip, source) {
  const document = new DOMParser().parseFromString(source ?? "", "application/xml");
  if (document.querySelector("parsererror")) throw new Problem(zip.damaged);
  return document;
}

/** @param {Document} document */
function textOfXml(document) {
  /** @type {string[]} */
  const out = [];
  /** @param {Node} node */
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        if (isText(node)) out.push(child.nodeValue ?? "");
        continue;
      }
      if (!(child instanceof Element) || UNSEEN.has(child.localName)) continue;
      out.push(SIGNS_OF.get(child.localName) ?? "");
      walk(child);
      if (LINES.has(child.localName)) out.push("\n");
    }
  };
  walk(document);
  return out
    .join("")
    .replace(/[ \t]*\n\s*/g, "\n")
    .trim();
}

/**
 * Is a node's text seen? In Word's documents that is in elements of their own, elsewhere in
 * paragraphs.
 * @param {Node} node
 */
const isText = (node) =>
  node instanceof Element &&
  (node.namespaceURI?.includes("opendocument") ? inParagraph(node) : node.localName === "t");

/** @param {Element} element */
function inParagraph(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) {
    if (at.localName === "p" || at.localName === "h") return true;
  }
  return false;
}

/**
 * XHTML for a parser of HTML: an element that ends where it begins has an end of its own.
 * @param {string} page
 */
export const expanded = (page) =>
  page.replace(/<([a-z][\w:-]*)([^<>]*)\/>/gi, (whole, name, rest) =>
    VOID.test(name) ? whole : `<${name}${rest}></${name}>`,
  );

/**
 * The chapters of a book in the order in which they are read.
 * @param {Zip} zip
 * @param {(page: string) => string} html
 */
async function textOfEpub(zip, html) {
  const container = parsed(zip, await zip.text("META-INF/container.xml"));
  const path = first(container, "rootfile")?.getAttribute("full-path") ?? "";
  const book = parsed(zip, await zip.text(path));
  const files = new Map(
    Array.from(book.getElementsByTagNameNS("*", "item"), (item) => [
      item.getAttribute("id"),
      item.getAttribute("href") ?? "",
    ]),
  );
  const texts = [];
  for (const item of book.getElementsByTagNameNS("*", "itemref")) {
    const href = files.get(item.getAttribute("idref")) ?? "";
    const page = await zip.text(new URL(href, `zip:///${path}`).pathname.slice(1));
    const decoded = page ?? (await zip.text(decodeURIComponent(href)));
    if (decoded !== null) texts.push(html(expanded(decoded)));
  }
  if (texts.length === 0) throw new Problem(zip.damaged);
  return texts.join("\n");
}

/**
 * @param {Document} document
 * @param {string} name
 */
const first = (document, name) => document.getElementsByTagNameNS("*", name)[0];
