// The filters: a box to tick for each value, with the number of pages that ticking it gives.

import { element } from "../base/element.js";

/** @typedef {import("./asked.js").Filters} Filters */
/** @typedef {Record<string, Record<string, number>>} Counts pages by keys and values */

/**
 * The element that shows the filters, and how it is brought up to date.
 * @param {import("./say.js").Say} say
 * @param {string} locale
 * @param {(filters: Filters) => void} changed
 */
export function filtersView(say, locale, changed) {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const shown = element("div", { part: "filters", id: "filters" });
  /** @type {Map<string, { box: HTMLInputElement, count: HTMLElement }>} */
  const boxes = new Map();

  /** @param {Event} event */
  const change = ({ target }) => {
    if (target instanceof HTMLInputElement) changed(ticked());
  };
  shown.addEventListener("change", change);

  function ticked() {
    /** @type {Filters} */
    const filters = {};
    for (const { box } of boxes.values()) {
      if (box.checked) filters[box.name] = [...(filters[box.name] ?? []), box.value];
    }
    return filters;
  }

  /**
   * @param {string} key
   * @param {string[]} values
   */
  function group(key, values) {
    const named = say(`filter:${key}`);
    const legend = named === `filter:${key}` ? key : named;
    const rows = values.sort(compare).map((value) => {
      const box = element("input", { type: "checkbox", name: key, value, part: "filter-box" });
      const count = element("small");
      boxes.set(nameOfBox(key, value), { box, count });
      return element("label", { part: "filter" }, box, element("span", {}, value), " ", count);
    });
    const list = element("div", { className: "values" }, ...rows);
    return element("fieldset", {}, element("legend", {}, legend), list);
  }

  /**
   * @param {Counts} counts
   * @param {Filters} filters
   */
  function update(counts, filters) {
    const names = Object.entries(counts).flatMap(([key, values]) =>
      Object.keys(values).map((value) => nameOfBox(key, value)),
    );
    if (names.some((name) => !boxes.has(name))) {
      boxes.clear();
      shown.replaceChildren(
        ...Object.entries(counts).map(([key, values]) => group(key, Object.keys(values))),
      );
    }
    const format = new Intl.NumberFormat(locale);
    for (const { box, count } of boxes.values()) {
      const pages = counts[box.name]?.[box.value] ?? 0;
      box.checked = filters[box.name]?.includes(box.value) ?? false;
      count.textContent = format.format(pages);
      box.parentElement?.classList.toggle("empty", pages === 0);
    }
  }

  return { shown, update, isEmpty: () => boxes.size === 0 };
}

/**
 * @param {string} key
 * @param {string} value
 */
const nameOfBox = (key, value) => `${key}\n${value}`;
