// The entry of an index, which is loaded with each page, and what is loaded when a visitor uses the
// search. What cannot be loaded is said by what asks for it.

import { element } from "../base/element.js";
import { PANEL } from "./given.js";
import { load } from "./load.js";

const FRESH = 60_000; // milliseconds after which an entry that was loaded is loaded again
let since = Date.now();
/** @type {Set<string>} */
const ahead = new Set();

/**
 * Load the entry file in the folder base. Its address differs from any that the browser has in its
 * cache, because it is the one file of an index that changes under its name.
 * @param {string} base
 * @returns {string} its address
 */
export function enter(base) {
  if (Date.now() - since > FRESH) since = Date.now();
  const entry = `${base}entry.js${base.startsWith("http") ? `?${since}` : ""}`;
  load(entry).catch(() => {});
  return entry;
}

/**
 * @param {string} base
 * @param {string} entry the address of the entry
 */
export async function loadPanel(base, entry) {
  if (!PANEL) await load(entry).catch(() => {});
  // @ts-expect-error the entry, which alone names the panel for the script of the npm package
  await load(base + (PANEL || pocketEntry.panel));
}

/**
 * Load the engine and what it will ask for, while the panel is loaded.
 * @param {string} base
 * @param {string} entry the address of the entry
 */
export async function loadAhead(base, entry) {
  if (ahead.has(entry)) return;
  ahead.add(entry);
  await load(entry);
  // @ts-expect-error the entry
  const { engine, core, index } = pocketEntry;
  const how = { rel: "preload", as: "fetch", crossOrigin: "anonymous" };
  for (const name of base.startsWith("http") ? [core, index] : []) {
    document.head.append(element("link", { href: base + name, ...how }));
  }
  await load(base + engine);
}
