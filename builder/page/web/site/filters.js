// Filters: which pages they let through, and how many each value would.

/** @typedef {Record<string, Record<string, number[]>>} Values slots by key and value */
/** @typedef {{ filters: Values, sorts: Record<string, number[][]> }} Facets */
/** @typedef {Record<string, Record<string, number>>} Counts */
/** @typedef {(slot: number) => boolean} Test */

const JOINERS = ["any", "all", "none", "not"];

/**
 * @param {Values} values
 * @param {any} filters as a page gives them (docs/site.md)
 * @returns {Test}
 */
export function testOf(values, filters) {
  return joined("all", testsOf(values, filters));
}

/**
 * @param {Values} values
 * @param {any} filters
 * @returns {Test[]}
 */
function testsOf(values, filters) {
  if (Array.isArray(filters)) return filters.map((one) => testOf(values, one));
  return Object.entries(filters ?? {}).map(([key, wanted]) =>
    JOINERS.includes(key)
      ? joined(key, testsOf(values, wanted))
      : valueTest(values[key] ?? {}, wanted),
  );
}

/**
 * @param {Record<string, number[]>} own slots by value
 * @param {any} wanted a value, all of a list, or an object that joins lists
 * @returns {Test}
 */
function valueTest(own, wanted) {
  if (Array.isArray(wanted))
    return joined(
      "all",
      wanted.map((one) => valueTest(own, one)),
    );
  if (wanted !== null && typeof wanted === "object") {
    const tests = Object.entries(wanted).map(([key, list]) =>
      joined(
        key,
        [list].flat().map((one) => valueTest(own, one)),
      ),
    );
    return joined("all", tests);
  }
  const slots = new Set(own[String(wanted)] ?? []);
  return (slot) => slots.has(slot);
}

/**
 * @param {string} how
 * @param {Test[]} tests
 * @returns {Test}
 */
function joined(how, tests) {
  if (how === "any") return (slot) => tests.length === 0 || tests.some((test) => test(slot));
  if (how === "none") return (slot) => !tests.some((test) => test(slot));
  if (how === "not") return (slot) => tests.length === 0 || !tests.every((test) => test(slot));
  return (slot) => tests.every((test) => test(slot));
}

/**
 * How many of some pages have each value.
 * @param {Values} values
 * @param {(key: string) => Set<number>} pages
 * @returns {Counts}
 */
export function countsOf(values, pages) {
  return Object.fromEntries(
    Object.entries(values).map(([key, own]) => {
      const among = pages(key);
      const counted = Object.entries(own).map(([value, slots]) => [
        value,
        slots.filter((slot) => among.has(slot)).length,
      ]);
      return [key, Object.fromEntries(counted)];
    }),
  );
}
