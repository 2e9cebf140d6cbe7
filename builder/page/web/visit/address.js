// The address after #. q: a text, d: a document's number; c: the collection's number, where one of
// several is asked; probes: how far to look; as: text or words, where the number of words does not
// say it. id: the document with that id, to be read; titles: those that begin with a letter; of
// collection c, the first without it. What an address cannot hold is kept beside it, in the
// browser's history.

import { ALL } from "../ask/several.js";
import { anyPlace, onDisc, places } from "./places.js";

const SHORT = 1_000; // characters that an address may hold
const MOST_KEPT = 200_000; // that the history may
const MOST_PROBES = 65_536;

let lastAsked = ""; // the last question
/** @type {string | null} */
let recalled = null; // a question that is asked again: its entry of the history stays the same one

/** The question of the address, "" where there is none. */
function addressed() {
  /** @type {{ asked?: string } | null} */
  const kept = history.state;
  return kept?.asked ?? location.hash.slice(1);
}

/**
 * Put a question into the history, and into the address where it is short enough and of the disc.
 * @param {{ q: string, as?: string } | { d: string }} question
 * @param {number} place
 * @param {number | null} probes
 */
export function remember(question, place, probes) {
  const fields = new URLSearchParams(question);
  if (places.length > 1 && place !== ALL) fields.set("c", String(place));
  if (probes !== null) fields.set("probes", String(probes));
  const length = (fields.get("q") ?? "").length;
  const short = length <= SHORT && onDisc(place);
  const own = length <= MOST_KEPT ? String(fields) : "";
  const before = addressed();
  if (before !== own) {
    const entry = short ? `#${own}` : "#";
    const state = short || own === "" ? null : { asked: own };
    if (before === recalled) history.replaceState(state, "", entry);
    else history.pushState(state, "", entry);
  }
  recalled = null;
  lastAsked = own;
}

/** Is the address that of what was asked last, or of a page that was asked nothing? */
export const isLastAsked = () => addressed() === lastAsked;

/** Is it the address of a page that was asked nothing? If so, that is what was asked last. */
export function isUnasked() {
  if (addressed() !== "") return false;
  recalled = null;
  lastAsked = "";
  return true;
}

/**
 * What the address names to be read, or null: the document with an id, or the titles that begin
 * with a letter, "" for the first of them.
 * @returns {{ place: number, id: string | null, letter: string } | null}
 */
export function addressedView() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const id = fields.get("id");
  const letter = fields.get("titles");
  if (id === null && letter === null) return null;
  return { place: Number(fields.get("c") ?? 0), id, letter: letter ?? "" };
}

/**
 * What the address asks for, which is asked now, or null. document: where there is no text; place:
 * null for one that there is not.
 */
export function remembered() {
  recalled = addressed();
  const fields = new URLSearchParams(recalled);
  const text = fields.get("q");
  const document = fields.get("d") ?? "";
  if (text === null && !/^\d{1,10}$/.test(document)) return null;
  const place = Number(fields.get("c") ?? anyPlace());
  const probes = Number(fields.get("probes") ?? 0);
  const isPlace = Number.isInteger(place) && place >= anyPlace() && place < places.length;
  const isProbes = Number.isInteger(probes) && probes > 0 && probes <= MOST_PROBES;
  return {
    text,
    as: fields.get("as"),
    document: Number(document),
    place: isPlace ? place : null,
    probes: isProbes ? probes : null,
  };
}
