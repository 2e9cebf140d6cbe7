// The filters of a search, by label and language.

import {
  ASKED_FILTER,
  BYTES,
  FILTER_EXCLUDED,
  FILTER_LANGUAGE,
  SEARCH_FOUND,
} from "../base/layout.js";
import { labelNames } from "./labels.js";

/** @typedef {import("./collection.js").Collection} Collection */
/** @typedef {import("./core.js").Core} Core */

/**
 * A filter by label or language. documents: how many have a label that it means; labels: how many
 * labels; near: where it means none, those that are spelt alike.
 * @typedef {object} Filter
 * @property {string} value
 * @property {boolean} excluded
 * @property {boolean} language
 * @property {number} documents
 * @property {number} labels
 * @property {string[]} near
 */

/**
 * Filters with the names of near labels.
 * @param {Collection} collection
 * @param {{ filters: Omit<Filter, "near">[], near: number[][] }} found
 * @returns {Promise<Filter[]>}
 */
export async function filtersNamed(collection, { filters, near }) {
  const names = near.flat().length > 0 ? await labelNames(collection, near.flat()) : [];
  return filters.map((filter, i) => ({ ...filter, near: names.splice(0, near[i].length) }));
}

/**
 * The filters of an answer, and the numbers of near labels of each.
 * @param {Core} core
 * @param {number} at a pocket_search_found
 * @param {Uint8Array} text
 */
export function filtersAt(core, at, text) {
  const list = core.u32(at + SEARCH_FOUND.filters);
  const each = Array.from(
    { length: core.u32(at + SEARCH_FOUND.filterCount) },
    (_, i) => list + i * BYTES.askedFilter,
  );
  const filters = each.map((one) => {
    const flags = core.u32(one + ASKED_FILTER.flags);
    const [start, end] = [ASKED_FILTER.start, ASKED_FILTER.end].map((of) => core.u64(one + of));
    return {
      value: new TextDecoder().decode(text.slice(start, end)),
      excluded: (flags & FILTER_EXCLUDED) !== 0,
      language: (flags & FILTER_LANGUAGE) !== 0,
      documents: core.u64(one + ASKED_FILTER.documents),
      labels: core.u32(one + ASKED_FILTER.labels),
    };
  });
  const near = each.map((one, i) =>
    Array.from(
      { length: filters[i].labels > 0 ? 0 : core.u32(one + ASKED_FILTER.nearCount) },
      (_, k) => core.u32(one + ASKED_FILTER.nearLabels + 4 * k),
    ),
  );
  return { filters, near };
}
