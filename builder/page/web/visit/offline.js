// The page without a network: what of the disc this browser keeps. A disc that is small is kept by
// itself, a larger one when the visitor wants it.

import { say } from "../base/language.js";
import { size } from "../base/numbers.js";
import { byId } from "../view/elements.js";
import { disc } from "./places.js";

const WORKER = "offline.js"; // builder/page/web/worker/offline.js
const BY_ITSELF = 8_000_000; // bytes that are kept unasked
const AFTER = 20_000; // milliseconds in which the first question comes before all else
const BETWEEN = 2_000; // milliseconds between two looks whether there was one
const NOT_KEPT = /\.pocket$|^programs\/|^(?:readme\.txt|offline\.js)$/; // of the manifest

const scope = () => new URL(".", location.href).href;
/** The cache of an edition: of others at the same place there are other ones. */
const cacheName = () => `${scope()} ${disc.offline?.edition}`;

/** Keep the disc, or offer it. Never from a folder, and never where the browser cannot. */
export async function startOffline() {
  if (!disc.offline || !location.protocol.startsWith("http")) return;
  if (!navigator.serviceWorker || !("caches" in window)) return;
  byId("offline-act").addEventListener("click", () => act());
  try {
    const editions = await editionsKept();
    if (await isKept()) return showKept();
    showOffer();
    if (editions.length === 0 && disc.offline.bytes > BY_ITSELF) return;
    await firstQuestion();
    if (act === keep) await keep();
  } catch {
    byId("offline").hidden = true; // a browser that keeps nothing, such as a private window
  }
}

/** @type {() => Promise<void>} */
let act = keep; // what the button does

/** The caches of this disc, whatever its edition. */
async function editionsKept() {
  const names = await caches.keys();
  return names.filter((name) => name.split(" ")[0] === scope());
}

async function isKept() {
  if (!(await caches.has(cacheName()))) return false;
  const cache = await caches.open(cacheName());
  return (await cache.match("index.html")) !== undefined;
}

/** Wait until a question was answered, or nobody asks one. */
async function firstQuestion() {
  const { dataset } = document.documentElement;
  do await new Promise((resolve) => setTimeout(resolve, BETWEEN));
  while (dataset.answered === undefined && performance.now() < AFTER);
}

/** Keep all of this edition, and then nothing of another one. */
async function keep() {
  act = async () => {};
  byId("offline-act").hidden = true;
  try {
    await navigator.serviceWorker.register(WORKER);
    await keepAll();
    for (const name of await editionsKept()) {
      if (name !== cacheName()) await caches.delete(name);
    }
    showKept();
  } catch (problem) {
    await caches.delete(cacheName());
    showOffer(say("notKept", { problem: String(problem) }));
  }
}

async function keepAll() {
  const cache = await caches.open(cacheName());
  const { files } = await (await fetch("manifest.json", { cache: "no-cache" })).json();
  const names = Object.keys(files).filter((name) => name !== "index.html" && !NOT_KEPT.test(name));
  const total = size(disc.offline?.bytes ?? 0);
  let done = 0;
  for (const name of names) {
    const address = name.split("/").map(encodeURIComponent).join("/");
    if (!(await cache.match(address))) {
      await cache.add(new Request(address, { cache: "no-cache", priority: "low" }));
    }
    done += files[name].bytes;
    show(say("keeping", { kept: size(done), total }), null);
  }
  const page = await fetch("index.html", { cache: "no-cache" });
  const text = await page.clone().text();
  if (!text.includes(disc.offline?.edition ?? "")) throw new Error(say("otherEdition"));
  await cache.put("index.html", page);
}

async function remove() {
  for (const name of await editionsKept()) await caches.delete(name);
  await (await navigator.serviceWorker.getRegistration())?.unregister();
  showOffer(say("removed"));
}

function showKept() {
  act = remove;
  show(say("kept", { size: size(disc.offline?.bytes ?? 0) }), say("remove"));
}

function showOffer(told = "") {
  act = keep;
  show(told, say("keep", { size: size(disc.offline?.bytes ?? 0) }));
}

/**
 * @param {string} told
 * @param {string | null} button what it does, where there is one
 */
function show(told, button) {
  byId("offline").hidden = false;
  byId("offline-said").textContent = told;
  byId("offline-act").hidden = button === null;
  byId("offline-act").textContent = button;
}
