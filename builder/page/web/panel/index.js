// The site's index: its entry file says which version it has, and which engine asks it.

import { load } from "../field/load.js";

/** @typedef {import("./answers.js").Answer} Answer */

/** @typedef {Record<string, any>} How filters, sort, language, from, top */

/** @typedef {(text: string, how: How) => Promise<Answer>} Search */

/** @typedef {{ sortKeys: string[], search: Search }} Index */

/** @typedef {{ format: number, engine: string }} Entry */

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
 * Open the index in a folder. The entry file is always asked for anew: it is the one that changes.
 * @param {string} base
 */
export async function openIndex(base) {
  const anew = base.startsWith("http") ? `?${Date.now()}` : "";
  await loaded(`${base}entry.js${anew}`);
  const { pocketEntry } = globals;
  const { format, engine } = pocketEntry;
  if (format !== FORMAT) throw new NoIndex(format < FORMAT ? "older" : "newer");
  await loaded(base + engine);
  return globals.pocketSite.open(base, pocketEntry);
}

/** @param {string} address */
async function loaded(address) {
  try {
    await load(address);
  } catch {
    throw new NoIndex("missing");
  }
}
