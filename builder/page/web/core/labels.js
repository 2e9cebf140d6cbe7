// The labels of the documents that are shown, where the file has a section for that.

import { LABEL_BYTES, MOST_LABELS, STATUS } from "../base/layout.js";

/** @typedef {import("./collection.js").Collection} Collection */
/** @typedef {import("./documents.js").Shown} Shown */

const LANGUAGE = "lang:"; // begins a label that tells a document's language
export const LABELS_SHOWN = 6; // of a hit; how many more there are is said

/**
 * Give each hit how many labels its document has, and the first of them.
 * @param {Collection} collection
 * @param {Shown[]} hits
 * @param {number} most
 */
export async function loadLabels({ core, index, blocks }, hits, most = LABELS_SHOWN) {
  if (hits.length === 0 || core.calls.pocket_label_count(index) === 0) return;
  const { pocket_label_name, pocket_labels_get } = core.calls;
  const numbers = core.allocate(4 * MOST_LABELS);
  const count = core.allocate(4);
  const name = core.allocate(LABEL_BYTES + 1);
  /** @type {number[][]} */
  let found = [];
  try {
    await completeAll(blocks, () => {
      found = [];
      return hits.map(({ document }) => () => {
        core.setU32(count, MOST_LABELS);
        const status = pocket_labels_get(index, document, numbers, count, core.error);
        found.push(Array.from({ length: core.u32(count) }, (_, i) => core.u32(numbers + 4 * i)));
        return status;
      });
    });
    const wanted = new Set(found.flat());
    /** @type {Map<number, string>} */
    const names = new Map();
    await completeAll(blocks, () =>
      [...wanted].map((label) => () => {
        const status = pocket_label_name(index, label, name, count, core.error);
        names.set(label, core.string(name, core.u32(count)));
        return status;
      }),
    );
    hits.forEach((hit, i) => {
      const own = found[i].map((label) => names.get(label) ?? "");
      const labels = own.filter((name) => !name.startsWith(LANGUAGE));
      hit.labels = labels.slice(0, most);
      hit.labelled = labels.length;
    });
  } finally {
    core.free(numbers, count, name);
  }
}

/**
 * The names of some labels.
 * @param {Collection} collection
 * @param {number[]} labels
 * @returns {Promise<string[]>}
 */
export async function labelNames({ core, index, blocks }, labels) {
  const count = core.allocate(4);
  const name = core.allocate(LABEL_BYTES + 1);
  /** @type {string[]} */
  let names = [];
  try {
    await completeAll(blocks, () => {
      names = [];
      return labels.map((label) => () => {
        const status = core.calls.pocket_label_name(index, label, name, count, core.error);
        names.push(core.string(name, core.u32(count)));
        return status;
      });
    });
  } finally {
    core.free(count, name);
  }
  return names;
}

/**
 * Make calls until they have all their blocks, which are missed together.
 * @param {import("./blocks.js").Blocks} blocks
 * @param {() => (() => number)[]} calls
 */
async function completeAll(blocks, calls) {
  await blocks.complete(() => {
    /** @type {number} */
    let missing = STATUS.ok;
    for (const call of calls()) {
      const status = call();
      if (status === STATUS.notAtHand) missing = status;
      else if (status !== STATUS.ok) return status;
    }
    return missing;
  });
}
