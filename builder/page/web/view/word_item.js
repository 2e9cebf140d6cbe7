// One hit of a search for words.

import { say } from "../base/language.js";
import { markedWords } from "../texts/few_words.js";
import { element, unseen } from "./elements.js";
import { labelsOf } from "./labels.js";
import { linkTo, nameOf, readable, safeLink } from "./links.js";

/** @typedef {import("../ask/words.js").FoundWordHit} FoundWordHit */
/** @typedef {import("../core/words.js").WordHit} WordHit */
/** @typedef {import("../texts/excerpts.js").Piece} Piece */

/** @typedef {Pick<FoundWordHit, "title" | "id" | "url" | "reading">} Named */

/** @typedef {(hit: FoundWordHit) => Promise<void>} Open gives what is like it titles */

/**
 * A title that leads to the text in the page, or to where it comes from.
 * @param {Named} named
 */
export const titleLink = (named) =>
  linkTo(named.reading || safeLink(named.url ?? ""), nameOf(named));

/**
 * @param {FoundWordHit} hit
 * @param {boolean} named is its collection's name shown?
 * @param {Open} open
 */
export function wordItem(hit, named, open) {
  const { url = "", id = "", reading = "", collection } = hit;
  const place = linkTo(reading ? safeLink(url) : null, readable(url || id));
  const about = element("p", { className: "about" }, place);
  if (named) about.append(` · ${say("in", { name: collection.name })}`);
  const item = element(
    "li",
    { className: "worded" },
    element("h3", {}, titleLink(hit)),
    element("p", { className: collection.kept ? "excerpt awaited" : "excerpt", dir: "auto" }),
    about,
    ...labelsOf(hit),
  );
  if (hit.like?.length) item.append(likeThis(hit, hit.like, open));
  item.dataset.document = String(hit.document);
  item.dataset.collection = collection.name;
  item.dataset.words = String(hit.words);
  item.dataset.score = String(hit.score);
  hit.item = item;
  return item;
}

/**
 * The hits that a hit stands for; their titles are loaded when they are wanted.
 * @param {FoundWordHit} hit
 * @param {WordHit[]} like
 * @param {Open} open
 */
function likeThis(hit, like, open) {
  const rest = unseen("likeNamed", nameOf(hit));
  const summary = element("summary", {}, say("moreLikeThis", { count: like.length }), rest);
  const details = element("details", { className: "like" }, summary);
  details.addEventListener("toggle", async () => {
    if (!details.open || details.childElementCount > 1) return;
    const list = element("ul");
    details.append(list);
    await open(hit);
    list.append(...like.map((each) => element("li", {}, titleLink(each))));
  });
  return details;
}

/**
 * Into a hit that is shown: its title with the words marked.
 * @param {FoundWordHit} hit
 * @param {[number, number][]} marks
 */
export function showMarkedTitle(hit, marks) {
  hit.item?.querySelector("h3 > *")?.replaceChildren(...drawn(markedWords(nameOf(hit), marks)));
}

/**
 * Into a hit that is shown: a piece of its text with the words marked.
 * @param {FoundWordHit} hit
 * @param {Piece[]} pieces
 */
export function showPiece(hit, pieces) {
  const excerpt = hit.item?.querySelector(".excerpt");
  excerpt?.classList.remove("awaited");
  excerpt?.replaceChildren(...drawn(pieces));
}

/** @param {Piece[]} pieces */
const drawn = (pieces) => pieces.map(({ text, same }) => (same ? element("mark", {}, text) : text));
