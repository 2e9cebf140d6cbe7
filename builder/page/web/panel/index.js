// The site's index: its entry file says which version it has, and which engine asks it.

/** @typedef {import("./answers.js").Answer} Answer */

/** @typedef {Record<string, any>} How filters, sort, language, from, top */

/** @typedef {(text: string, how: How) => Promise<Answer>} Search */

/** @typedef {{ code: string, total: number }} Elsewhere pages of another language */

/**
 * @typedef {{ sortKeys: string[], languages: unknown[], search: Search,
 *   elsewhere: (text: string, how: How) => Promise<Elsewhere[]> }} Index
 */

/** @typedef {{ format: number, engine: string, core: string, index: string }} Entry */

/** @typedef {{ open: (base: string, entry: Entry) => Promise<Index> }} Site */

/** @typedef {{ pocketEntry: Entry, pocketSite: Site }} Globals */

const FORMAT = 1;

/** The index cannot be asked. The reason is the name of a sentence. */
export class NoIndex extends Error {
  /** @param {string} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

const globals = /** @type {Globals} */ (/** @type {unknown} */ (globalThis));

/**
 * Open the index in the folder base.
 * @param {Pick<import("../field/opening.js").Opened, "base" | "entry" | "load">} opened
 */
export async function openIndex({ base, entry, load }) {
  if (isOld()) throw new NoIndex("old");
  await load(entry).catch(isMissing);
  const { pocketEntry } = globals;
  const { format, engine } = pocketEntry;
  if (format !== FORMAT) throw new NoIndex(format < FORMAT ? "older" : "newer");
  await load(base + engine).catch(isMissing);
  return globals.pocketSite.open(base, pocketEntry);
}

/** Does the browser lack what unpacks the index? */
function isOld() {
  try {
    return !new DecompressionStream("deflate-raw");
  } catch {
    return true;
  }
}

/** @returns {never} */
function isMissing() {
  throw new NoIndex("missing");
}
