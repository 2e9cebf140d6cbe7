// One hit of the list.

import { say } from "../base/language.js";
import { element } from "./elements.js";
import { labelsOf } from "./labels.js";
import { linkTo, readable, safeLink } from "./links.js";
import { explanation } from "./why.js";

/** @typedef {import("../ask/several.js").FoundHit} FoundHit */

/** @param {number} similarity in ten-thousandths */
function likeness(similarity) {
  if (similarity === 10000) return say("same");
  if (similarity >= 9000) return say("nearlySame");
  return similarity >= 7000 ? say("verySimilar") : say("similar");
}

/**
 * @param {FoundHit} hit
 * @param {import("./why.js").Why | null} why
 * @param {boolean} named is its collection's name shown?
 */
export function hitItem(hit, why, named) {
  const name = hit.title || hit.id || "";
  const { reading = "" } = hit;
  const link = safeLink(hit.url ?? "");
  const title = linkTo(reading || link, name);
  // Where the title leads to the text in the page, the address leads to where it comes from.
  const place = linkTo(reading && link, readable(hit.url || hit.id || ""));
  const from = named ? ` · ${say("in", { name: hit.collection.name })}` : "";
  const item = element(
    "li",
    {},
    score(hit.similarity),
    element("h3", {}, title),
    element("p", { className: "excerpt", dir: "auto" }),
    element("p", { className: "about" }, `${likeness(hit.similarity)} · `, place, from),
    ...labelsOf(hit),
  );
  if (why) item.append(explanation(hit, name, why));
  item.style.setProperty("--similarity", String(hit.similarity / 10000));
  item.dataset.document = String(hit.document);
  item.dataset.collection = hit.collection.name;
  item.dataset.similarity = String(hit.similarity);
  hit.item = item;
  return item;
}

/** @param {number} similarity in ten-thousandths */
function score(similarity) {
  const share = Math.floor(similarity / 100);
  const properties = {
    className: "score",
    role: "meter",
    "aria-label": say("similarity"),
    "aria-valuemin": 0,
    "aria-valuemax": 100,
    "aria-valuenow": share,
  };
  return element("span", properties, say("percent", { share }));
}

/**
 * Into a hit that is shown: pieces of its text, those that stand in both texts marked.
 * @param {FoundHit} hit
 * @param {import("../texts/excerpts.js").Piece[]} pieces
 */
export function showExcerpt(hit, pieces) {
  const marked = pieces.map(({ text, same }) => (same ? element("mark", {}, text) : text));
  hit.item?.querySelector(".excerpt")?.replaceChildren(...marked);
}
