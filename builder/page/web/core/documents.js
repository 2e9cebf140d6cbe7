// What the file has of the documents that are shown. The blocks of all of them are asked for
// together.

import { BYTES, DOCUMENT, STATUS, TEXT } from "../base/layout.js";

/** @typedef {import("./collection.js").Collection} Collection */
/** @typedef {import("./collection.js").Hit} Hit */
/** @typedef {import("./core.js").Core} Core */
/** @typedef {Omit<Hit, "similarity">} Shown a hit, or a source */

/**
 * Give each hit its id, title and url, for those that are shown: no query reads them.
 * @param {Collection} collection
 * @param {Shown[]} hits
 */
export async function describe({ core, index, blocks, link }, hits) {
  if (hits.length === 0) return;
  const out = core.allocate(4);
  const numbers = core.allocate(4 * hits.length);
  hits.forEach((hit, i) => {
    core.setU32(numbers + 4 * i, hit.document);
  });
  try {
    await blocks.complete(() => {
      return core.calls.pocket_documents_get(index, numbers, hits.length, out, core.error);
    });
    const documents = core.u32(out);
    hits.forEach((hit, i) => {
      const fields = documentAt(core, documents + i * BYTES.document);
      Object.assign(hit, fields, link && { url: linked(link, fields) });
    });
    core.calls.pocket_document_free(documents);
  } finally {
    core.free(out, numbers);
  }
}

/**
 * The number of the document with an id, or null.
 * @param {Collection} collection
 * @param {string} id
 */
export async function numberOf({ core, index, blocks }, id) {
  const bytes = new TextEncoder().encode(id);
  const at = core.put(bytes);
  const out = core.allocate(4);
  let found = true;
  try {
    await blocks.complete(() => {
      const status = core.calls.pocket_find(index, at, bytes.length, out, core.error);
      found = status !== STATUS.notFound;
      return found ? status : STATUS.ok;
    });
    return found ? core.u32(out) : null;
  } finally {
    core.free(at, out);
  }
}

/**
 * Give each hit its text, or what is kept of it, where anything is.
 * @param {Collection} collection
 * @param {Shown[]} hits
 */
export async function loadTexts({ core, index, blocks, kept }, hits) {
  if (kept === 0) return;
  const out = core.allocate(4);
  try {
    await blocks.complete(() => {
      /** @type {number} */
      let missing = STATUS.ok;
      for (const hit of hits.filter(({ text }) => text === undefined)) {
        const status = core.calls.pocket_text_get(index, hit.document, out, core.error);
        if (status === STATUS.notAtHand) missing = status;
        else if (status !== STATUS.ok) return status;
        else hit.text = textAt(core, core.u32(out));
      }
      return missing;
    });
  } finally {
    core.free(out);
  }
}

/**
 * @param {Core} core
 * @param {number} at a pocket_document
 */
function documentAt(core, at) {
  /**
   * @param {number} bytes
   * @param {number} length
   */
  const field = (bytes, length) => core.string(core.u32(at + bytes), core.u32(at + length));
  return {
    id: field(DOCUMENT.id, DOCUMENT.idLength),
    title: field(DOCUMENT.title, DOCUMENT.titleLength),
    url: field(DOCUMENT.url, DOCUMENT.urlLength),
  };
}

/**
 * @param {Core} core
 * @param {number} at a pocket_text, which is freed
 */
function textAt(core, at) {
  const text = core.string(core.u32(at + TEXT.bytes), core.u32(at + TEXT.length));
  core.calls.pocket_text_free(at);
  return text;
}

/**
 * @param {string} template with {id} or {title}
 * @param {{ id: string, title: string }} fields
 */
function linked(template, { id, title }) {
  return template.replace(/\{(?:id|title)\}/g, (name) =>
    percentEncoded(name === "{id}" ? id : title),
  );
}

/**
 * As the core does it for the url templates of files.
 * @param {string} text
 */
export function percentEncoded(text) {
  const own = /** @type {{ toWellFormed?: () => string }} */ (/** @type {unknown} */ (text));
  return encodeURIComponent(own.toWellFormed ? own.toWellFormed() : text)
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%2F/g, "/");
}
