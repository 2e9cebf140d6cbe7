// Why a document is a hit: the components of the two sketches that agree, and the terms behind
// them. The arithmetic is reader/queries/explain.py's.

import { say } from "../base/language.js";
import { BYTES, CLASS, STATUS } from "../base/layout.js";
import { Problem } from "../base/problem.js";

/** @typedef {import("../core/collection.js").Collection} Collection */

/**
 * agreement: the share of the weight that agrees; the terms have the heaviest first.
 * @typedef {object} Explanation
 * @property {number} components
 * @property {number} agree how many of them do
 * @property {number} agreement
 * @property {{ term: string, weight: number }[]} terms
 */

/**
 * @param {Collection} collection
 * @param {Uint8Array} text
 * @param {number} document
 * @returns {Promise<Explanation>}
 */
export async function explain(collection, text, document) {
  const { core, index, components } = collection;
  const at = core.put(text);
  const stored = core.allocate(components);
  try {
    await collection.blocks.complete(() => {
      const status = core.calls.pocket_digits(index, document, stored, core.error);
      if (status === STATUS.textTooShort) throw new Problem(say("copy"));
      return status;
    });
    const theirs = core.bytes(stored, components).slice();
    return compared(collection, at, text.length, theirs);
  } finally {
    core.free(at, stored);
  }
}

/**
 * @param {Collection} collection
 * @param {number} at a text in the core's memory
 * @param {number} length
 * @param {Uint8Array} theirs the document's digits
 * @returns {Explanation}
 */
function compared(collection, at, length, theirs) {
  const { core, index, components } = collection;
  return core.scratch((allocate) => {
    const digits = allocate(components);
    const weights = allocate(4 * components);
    const { pocket_sketch } = core.calls;
    const status = pocket_sketch(index, at, BigInt(length), digits, weights, 0, 0);
    if (status !== STATUS.ok) throw collection.blocks.problem(status);
    const weight = Array.from({ length: components }, (_, j) => core.u32(weights + 4 * j));
    const mine = core.bytes(digits, components).slice();
    // Where every weight is 0 each component counts the same, as in the ranking.
    const even = weight.every((w) => w === 0);
    const total = even ? components : sum(weight);
    const agreeing = weight.map((w, j) => (mine[j] !== theirs[j] ? 0 : even ? 1 : w));
    const moved = moves(collection, at, length, allocate);
    return {
      components,
      agree: mine.filter((digit, j) => digit === theirs[j]).length,
      agreement: sum(agreeing) / total,
      terms: shared(moved, agreeing, mine, total),
    };
  });
}

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * The weight of an agreeing component is divided among the terms that move it to its side of the
 * border, by how far they do.
 * @param {Map<string, number[]>} moved
 * @param {number[]} agreeing
 * @param {Uint8Array} digits
 * @param {number} total
 */
function shared(moved, agreeing, digits, total) {
  /** @type {Map<string, number>} */
  const shares = new Map();
  agreeing.forEach((weight, j) => {
    if (weight === 0) return;
    const side = digits[j] ? 1 : -1;
    let all = 0;
    for (const move of moved.values()) all += Math.max(0, side * move[j]);
    for (const [term, move] of moved) {
      if (side * move[j] <= 0) continue;
      shares.set(term, (shares.get(term) ?? 0) + (weight * side * move[j]) / all / total);
    }
  });
  return Array.from(shares, ([term, weight]) => ({ term, weight })).sort(
    (a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1),
  );
}

/**
 * The terms of a text in their order.
 * @param {Collection} collection
 * @param {number} at
 * @param {number} length
 * @param {import("../core/core.js").Allocate} allocate
 */
function termsOf({ core, stream }, at, length, allocate) {
  const size = allocate(8);
  core.calls.pocket_terms_write(at, BigInt(length), stream, 0, 0n, size);
  const room = core.u64(size);
  const out = allocate(room);
  core.calls.pocket_terms_write(at, BigInt(length), stream, out, BigInt(room), size);
  return core.string(out, room).split("\n").slice(0, -1);
}

/**
 * How far each term moves each component, in all its occurrences; stop words are left out.
 * @param {Collection} collection
 * @param {number} at
 * @param {number} length
 * @param {import("../core/core.js").Allocate} allocate
 */
function moves(collection, at, length, allocate) {
  const { core, index, components } = collection;
  const terms = termsOf(collection, at, length, allocate);
  const classes = allocate(terms.length * BYTES.class);
  const count = allocate(8);
  core.setU64(count, terms.length);
  core.calls.pocket_classes(index, at, BigInt(length), classes, count);
  /** @type {Map<string, { times: number, where: number }>} */
  const found = new Map();
  terms.forEach((term, i) => {
    const where = classes + i * BYTES.class;
    if (core.i32(where + CLASS.number) < 0) return;
    found.set(term, { times: (found.get(term)?.times ?? 0) + 1, where });
  });
  const influences = allocate(4 * components);
  /** @type {Map<string, number[]>} */
  const moved = new Map();
  for (const [term, { times, where }] of found) {
    core.calls.pocket_influences(index, where, influences);
    const own = Array.from({ length: components }, (_, j) => core.i32(influences + 4 * j));
    moved.set(
      term,
      own.map((influence) => times * influence),
    );
  }
  return moved;
}
