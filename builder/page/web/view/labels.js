// The labels of a hit, on a line of their own.

import { say } from "../base/language.js";
import { element } from "./elements.js";

/**
 * Nothing where there are none.
 * @param {{ labels?: string[], labelled?: number }} hit
 */
export function labelsOf({ labels = [], labelled = 0 }) {
  if (labels.length === 0) return [];
  const items = labels.map((label) => element("li", { dir: "auto" }, label));
  const more = labelled - labels.length;
  if (more > 0)
    items.push(element("li", { className: "more" }, say("moreLabels", { count: more })));
  return [element("ul", { className: "labels", "aria-label": say("labels") }, ...items)];
}
