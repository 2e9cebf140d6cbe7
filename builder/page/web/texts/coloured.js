// A text cut where its passages begin and end, each piece with the sources that it comes from.

import { unitsOf } from "./places.js";

/** @typedef {{ passages: { start: number, end: number }[] }} Placed in bytes of the text */

/**
 * A piece of the text: of holds the sources' numbers, those that come first in front. cut: text was
 * left out here.
 * @typedef {{ text: string, of: number[], cut?: boolean }} Stretch
 */

/** @typedef {{ owner: number, stretches: Stretch[] }} Group in a row; owner: -1 for none */

const LONG = 60_000; // characters; of a longer text what lies far from passages is left out
const AROUND = 300; // characters that stay

/**
 * @param {string} text
 * @param {Placed[]} sources
 * @returns {Group[]}
 */
export function coloured(text, sources) {
  const units = unitsOf(
    text,
    sources.flatMap(({ passages }) => passages.flatMap(({ start, end }) => [start, end])),
  );
  /** @type {{ at: number, source: number, open: boolean }[]} */
  const edges = sources.flatMap(({ passages }, source) =>
    passages.flatMap(({ start, end }) => [
      { at: units.get(start) ?? 0, source, open: true },
      { at: units.get(end) ?? 0, source, open: false },
    ]),
  );
  edges.sort((a, b) => a.at - b.at);
  /** @type {Group[]} */
  const groups = [];
  /** @type {Set<number>} */
  const open = new Set();
  let done = 0;
  for (const edge of [...edges, { at: text.length, source: -1, open: false }]) {
    if (edge.at > done) {
      add(
        groups,
        text.slice(done, edge.at),
        [...open].sort((a, b) => a - b),
      );
      done = edge.at;
    }
    if (edge.open) open.add(edge.source);
    else open.delete(edge.source);
  }
  return text.length > LONG ? groups.map((group, i) => shorter(group, i > 0)) : groups;
}

/**
 * @param {Group[]} groups
 * @param {string} text
 * @param {number[]} of
 */
function add(groups, text, of) {
  const owner = of[0] ?? -1;
  const last = groups.at(-1);
  if (last && last.owner === owner) last.stretches.push({ text, of });
  else groups.push({ owner, stretches: [{ text, of }] });
}

/**
 * @param {Group} group
 * @param {boolean} after does anything come before it?
 * @returns {Group}
 */
function shorter(group, after) {
  const [{ text }] = group.stretches;
  if (group.owner >= 0 || text.length <= 3 * AROUND) return group;
  // Never within a surrogate pair.
  const start = after ? text.slice(0, AROUND).replace(/[\ud800-\udbff]$/, "") : "";
  const end = text.slice(-AROUND).replace(/^[\udc00-\udfff]/, "");
  const stretches = [
    { text: start, of: [] },
    { text: " … ", of: [], cut: true },
    { text: end, of: [] },
  ];
  return { owner: -1, stretches };
}
