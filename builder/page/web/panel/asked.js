// A question, and how an address says it: ?q=two+words&filter.kind=guide&sort=date:desc

/** @typedef {Record<string, string[]>} Filters values by keys */
/** @typedef {Record<string, "asc" | "desc">} Sort one key */
/** @typedef {{ text: string, filters: Filters, sort: Sort }} Asked */

const FILTER = "filter.";

/**
 * The filters that an address, or an attribute of the same form, has under names that begin so.
 * @param {URLSearchParams} search
 * @param {string} before
 */
export function filtersIn(search, before) {
  /** @type {Filters} */
  const filters = {};
  for (const [name, value] of search) {
    if (!name.startsWith(before)) continue;
    const key = name.slice(before.length);
    filters[key] = [...(filters[key] ?? []), value];
  }
  return filters;
}

/**
 * @param {string} text key:asc or key:desc
 * @returns {Sort}
 */
export function sortIn(text) {
  const [, key, order] = /^(.+):(asc|desc)$/.exec(text) ?? [];
  return key ? { [key]: order === "asc" ? "asc" : "desc" } : {};
}

/** @param {Sort} sort */
export const sortText = (sort) =>
  Object.entries(sort)
    .map((each) => each.join(":"))
    .join();

/**
 * @param {URLSearchParams} search
 * @returns {Asked | null}
 */
export function askedIn(search) {
  const text = search.get("q");
  if (text === null) return null;
  return { text, filters: filtersIn(search, FILTER), sort: sortIn(search.get("sort") ?? "") };
}

/**
 * The same address with another question, or with none.
 * @param {string} address
 * @param {Asked | null} asked
 */
export function addressWith(address, asked) {
  const url = new URL(address);
  const { searchParams } = url;
  for (const name of [...searchParams.keys()]) {
    if (name === "q" || name === "sort" || name.startsWith(FILTER)) searchParams.delete(name);
  }
  if (asked) {
    searchParams.set("q", asked.text);
    for (const [key, values] of Object.entries(asked.filters)) {
      for (const value of values) searchParams.append(FILTER + key, value);
    }
    const sort = sortText(asked.sort);
    if (sort) searchParams.set("sort", sort);
  }
  return url.href;
}
