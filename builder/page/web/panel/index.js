// The site's index: its entry file says which version it has, and which engine asks it.

import { element } from "../base/element.js";
import { load } from "../field/load.js";

/** @typedef {import("./answers.js").Answer} Answer */

/** @typedef {Record<string, any>} How filters, sort, language, from, top */

/** @typedef {(text: string, how: How) => Promise<Answer>} Search */

/** @typedef {{ sortKeys: string[], search: Search }} Index */

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
 * Open the index in a folder. The entry file is always asked for anew: it is the one that changes.
 * @param {string} base
 */
export async function openIndex(base) {
  const isServed = base.startsWith("http");
  await loaded(`${base}entry.js${isServed ? `?${Date.now()}` : ""}`);
  const { pocketEntry } = globals;
  const { format, engine, core, index } = pocketEntry;
  if (format !== FORMAT) throw new NoIndex(format < FORMAT ? "older" : "newer");
  if (isServed) [core, index].forEach((name) => void preload(base + name));
  await loaded(base + engine);
  return globals.pocketSite.open(base, pocketEntry);
}

/**
 * Load what the engine will fetch, while the engine itself is loaded.
 * @param {string} href
 */
function preload(href) {
  const how = { rel: "preload", as: "fetch", crossOrigin: "anonymous" };
  document.head.append(element("link", { href, ...how }));
}

/** @param {string} address */
async function loaded(address) {
  try {
    await load(address);
  } catch {
    throw new NoIndex("missing");
  }
}
