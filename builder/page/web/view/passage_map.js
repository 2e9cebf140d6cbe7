// A map of a text: where its passages lie, each in the colour of its source.

import { say } from "../base/language.js";
import { byId, element } from "./elements.js";

/** @typedef {import("../ask/sources.js").FoundSource} FoundSource */

/**
 * Show the map. Of passages at the same place that of the first source lies on top.
 * @param {FoundSource[]} sources
 * @param {number} length of the text, in bytes of UTF-8, as passages count it
 * @param {(i: number) => string} hue the class of a source's colour
 */
export function showMap(sources, length, hue) {
  const map = byId("map");
  const marks = sources.flatMap(({ passages }, i) =>
    passages.map(({ start, end }) => {
      const mark = element("span", { className: `place ${hue(i)}` });
      mark.dataset.of = String(i);
      mark.style.left = `${(100 * start) / length}%`;
      mark.style.width = `${(100 * (end - start)) / length}%`;
      return mark;
    }),
  );
  map.hidden = marks.length === 0;
  map.setAttribute("aria-label", say("map", { count: marks.length }));
  map.replaceChildren(...marks.reverse());
}
