// The collections to choose from.

import { ALL } from "../ask/several.js";
import { say } from "../base/language.js";
import { byId, element } from "./elements.js";

/** @typedef {{ name: string, documents?: number }} Choice */

/**
 * @param {Choice[]} places
 * @param {number} current or ALL
 * @param {(i: number) => void} chosen is called when the visitor chooses another one
 */
export function showChoices(places, current, chosen) {
  byId("collections").hidden = places.length < 2;
  const all = choice({ name: say("inLanguage") }, ALL, current, chosen);
  const each = places.map((place, i) => choice(place, i, current, chosen));
  byId("choices").replaceChildren(all, ...each);
}

/**
 * @param {Choice} place
 * @param {number} i
 * @param {number} current
 * @param {(i: number) => void} chosen
 */
function choice({ name, documents }, i, current, chosen) {
  const radio = element("input", {
    type: "radio",
    name: "collection",
    value: String(i),
    checked: i === current,
  });
  radio.addEventListener("change", () => chosen(i));
  const count = documents === undefined ? "" : ` ${say("documents", { count: documents })}`;
  return element("label", {}, radio, element("span", {}, name, element("small", {}, count)));
}
