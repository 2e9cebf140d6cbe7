// Titles to look up as a visitor types.

import { BYTES, TITLE } from "../base/layout.js";
import { describe } from "./documents.js";
import { searchedWords } from "./words.js";

/** @typedef {import("./collection.js").Collection} Collection */

const SURELY_WHOLE = 251; // bytes; a longer title may be cut where titles are looked up

/**
 * The first of a collection's titles that begin with a text, then those that have all its words; of
 * a file that has no titles to look up but words, the latter alone. They are whole.
 * @param {Collection} collection
 * @param {string} text
 * @param {number} most
 */
export async function titlesOf(collection, text, most) {
  const { titled, worded } = collection;
  const begun = titled || !worded ? await titlesThatBegin(collection, text, most) : [];
  await describe(
    collection,
    begun.filter(({ title }) => new TextEncoder().encode(title).length > SURELY_WHOLE),
  );
  if (begun.length >= most || !worded) return begun;
  const bytes = new TextEncoder().encode(text);
  const how = { top: most, prefix: true, titles: true };
  const { hits } = await searchedWords(collection, bytes, how);
  const others = hits.filter((hit) => begun.every(({ document }) => document !== hit.document));
  await describe(collection, others);
  const titles = others.map(({ document, title = "" }) => ({ document, title }));
  return [...begun, ...titles].slice(0, most);
}

/**
 * The first of a collection's titles that begin with a text.
 * @param {Collection} collection
 * @param {string} text
 * @param {number} most
 */
export async function titlesThatBegin({ core, index, blocks }, text, most) {
  const bytes = new TextEncoder().encode(text);
  const length = BigInt(bytes.length);
  const at = core.put(bytes);
  const out = core.allocate(4);
  const count = core.allocate(4);
  try {
    await blocks.complete(() => {
      core.setU32(count, most);
      return core.calls.pocket_titles_find(index, at, length, out, count, core.error);
    });
    const list = core.u32(out);
    const found = Array.from({ length: core.u32(count) }, (_, i) => {
      const title = list + i * BYTES.title;
      return {
        document: core.u32(title + TITLE.document),
        title: core.string(core.u32(title + TITLE.bytes), core.u32(title + TITLE.length)),
      };
    });
    core.calls.pocket_titles_free(list);
    return found;
  } finally {
    core.free(at, out, count);
  }
}
