// The order of the pages that are found.

/** @typedef {import("./filters.js").Facets} Facets */

/**
 * Pages in their order: by a key, where they have it, or best first.
 * @param {Facets} facets
 * @param {Map<number, number>} scores
 * @param {Set<number>} slots
 * @param {Record<string, string>} sort
 */
export function orderedPages(facets, scores, slots, sort) {
  const score = (/** @type {number} */ slot) => scores.get(slot) ?? 0;
  const best = (/** @type {number[]} */ own) => [...own].sort((a, b) => score(b) - score(a));
  const key = Object.keys(sort ?? {})[0];
  const ranks = facets.sorts[key];
  if (!ranks) return best([...slots]);
  const groups = ranks.map((group) => best(group.filter((slot) => slots.has(slot))));
  return (sort[key] === "desc" ? groups.reverse() : groups).flat();
}
