// The collections that a visitor can choose from: those of the disc, and files that came later.

import { ALL } from "../ask/several.js";
import { say } from "../base/language.js";
import { Problem } from "../base/problem.js";
import { FileSource } from "../bytes/file_source.js";
import { RangeSource } from "../bytes/range_source.js";
import { ShardSource } from "../bytes/shard_source.js";
import { Collection } from "../core/collection.js";
import { Core } from "../core/core.js";
import { byId } from "../view/elements.js";

/** @typedef {import("../bytes/shard_source.js").Described} Described */

/**
 * collection: once it is opened. A file that was dropped is not described.
 * @typedef {object} Place
 * @property {string} name
 * @property {number} documents
 * @property {boolean} titled
 * @property {boolean} passages can the sources of a text be found?
 * @property {boolean} worded can words be searched for?
 * @property {Described} [described]
 * @property {Promise<Collection> | null} collection
 */

/**
 * reads: bytes of a file that the server reads, where it does; offline: the edition, and the bytes
 * of all that a browser can keep, where it can.
 * @type {{
 *   collections: Described[],
 *   browsers: string,
 *   reads?: number,
 *   offline?: { edition: string, bytes: number },
 * }}
 */
export const disc = JSON.parse(byId("disc").textContent ?? "");

/** @type {Place[]} */
export const places = disc.collections.map((described) => ({
  name: described.name,
  documents: described.documents,
  titled: described.titles,
  passages: described.passages || described.words,
  worded: described.words,
  described,
  collection: null,
}));

/** @type {Map<Collection, number>} */
const numbers = new Map(); // of the place of each collection
/** @type {Core} */
let core;
let current = 0; // or ALL

export async function loadCore() {
  core = await Core.load(byId("core").textContent ?? "");
}

/** The number of the place that is searched, or ALL. */
export const currentPlace = () => current;

/** @param {number} i */
export function selectPlace(i) {
  current = i;
}

export const anyPlace = () => (places.length > 1 ? ALL : 0);

export const searched = () => (current === ALL ? places : places.slice(current, current + 1));

export const openSearched = () => Promise.all(searched().map(opened));

/** @param {number} i is it a place of the disc, which an address can name? */
export const onDisc = (i) => i < disc.collections.length;

/** A file of the disc that a page opened from a folder cannot read. */
export const unreadable = () =>
  location.protocol === "file:"
    ? disc.collections.find(({ shards }) => shards.length === 0)
    : undefined;

/**
 * The collection of a place, opened once.
 * @param {Place} place
 */
export function opened(place) {
  const { described } = place;
  if (!place.collection && described) {
    place.collection = openDescribed(described).then(
      (collection) => {
        numbers.set(collection, places.indexOf(place));
        return collection;
      },
      (problem) => {
        place.collection = null;
        throw problem;
      },
    );
  }
  return /** @type {Promise<Collection>} */ (place.collection);
}

/** @typedef {{ collection: Collection, id?: string }} Addressed a document that is described */

/**
 * The address of a document in the page. It names the id, so that it survives a new build.
 * @param {Addressed} document
 */
export function addressOf({ collection, id = "" }) {
  const place = String(numbers.get(collection));
  return `#${new URLSearchParams({ id, ...(places.length > 1 && { c: place }) })}`;
}

/**
 * The same where its text can be read there, "" where it cannot.
 * @param {Addressed} document
 */
export const readingOf = (document) => (document.collection.readable ? addressOf(document) : "");

/** Does the page come from this computer, so that to read more costs nobody anything? */
export const isLocal = () =>
  location.protocol === "file:" || ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** Open what is small enough to be here before there is a question, which says what cannot be. */
export function openFirst() {
  for (const place of places) {
    if (place.described?.first?.length) opened(place).catch(() => null);
  }
}

/** @param {Described} described */
const openingOf = ({ once, link }) => ({ once, link });

/** @param {Described} described */
async function openDescribed(described) {
  const { file, name, size, shards } = described;
  const opening = openingOf(described);
  const source = new ShardSource(described);
  source.begin();
  if (file && location.protocol !== "file:") {
    const ranges = await RangeSource.probe(file, size, name);
    // Heads are packed in their shard, and not in the file.
    if (ranges) return Collection.open(core, ranges, opening, shards.length > 0 ? source : ranges);
  }
  if (shards.length === 0) throw new Problem(say("choose", { file: file ?? name }));
  return Collection.open(core, source, opening);
}

/**
 * Open a file that came. A file of this disc that no script holds takes the place that it has
 * there. Returns the collection, and the place to search from now on.
 * @param {File} file
 */
export async function openFile(file) {
  const own = places.find(({ described }) => described && isFileOf(described, file));
  const opening = own?.described && openingOf(own.described);
  const collection = await Collection.open(core, new FileSource(file), opening);
  const { documents, titled, traces: passages, worded } = collection;
  numbers.set(collection, own ? places.indexOf(own) : places.length);
  if (!own) {
    const opened = Promise.resolve(collection);
    const place = { name: file.name, documents, titled, passages, worded, collection: opened };
    return { collection, place: places.push(place) - 1 };
  }
  own.collection = Promise.resolve(collection);
  const all = places.length > 1 && places.every((place) => place.collection);
  return { collection, place: all ? ALL : places.indexOf(own) };
}

/**
 * @param {Described} described
 * @param {File} file
 */
function isFileOf({ shards, file, size }, { name, size: found }) {
  return shards.length === 0 && size === found && (file ?? "").endsWith(`/${name}`);
}
