// Titles to look up as a visitor types.

import { BYTES, TITLE } from "../base/layout.js";

/**
 * The first of a collection's titles that begin with a text.
 * @param {import("./collection.js").Collection} collection
 * @param {string} text
 * @param {number} most
 */
export async function titlesOf({ core, index, blocks }, text, most) {
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
