// The order of the pages: by relevance, or by a key of theirs.

import { element } from "../base/element.js";
import { sortIn, sortText } from "./asked.js";

/** @typedef {import("./asked.js").Sort} Sort */

/**
 * A list of the orders, or null where there is one only. A page may name them itself, as
 * "sort:date:desc": then these are all.
 * @param {import("./say.js").Say} say
 * @param {string[]} keys
 * @param {(sort: Sort) => void} changed
 */
export function sortsView(say, keys, changed) {
  if (keys.length === 0) return null;
  const all = keys.flatMap((key) => [
    { name: `${key}:asc`, usual: say("ascending", { key }) },
    { name: `${key}:desc`, usual: say("descending", { key }) },
  ]);
  /** @param {string} name */
  const own = (name) => say(`sort:${name}`);
  const named = all.filter(({ name }) => own(name) !== `sort:${name}`);
  const list = element(
    "select",
    { part: "sort", "aria-label": say("sort") },
    element("option", { value: "" }, say("relevance")),
    ...(named.length > 0
      ? named.map(({ name }) => element("option", { value: name }, own(name)))
      : all.map(({ name, usual }) => element("option", { value: name }, usual))),
  );
  list.addEventListener("change", () => changed(sortIn(list.value)));
  /**
   * @param {Sort} sort
   * @param {boolean} several is there anything to sort?
   */
  const update = (sort, several) => {
    list.value = sortText(sort);
    list.hidden = !several;
  };
  return { shown: list, update };
}
