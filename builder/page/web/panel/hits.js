// The pages that were found, each with its places by headings.

import { element } from "../base/element.js";
import { safeLink } from "../view/links.js";

/**
 * A part of a page under a heading. link leads to it and to the words in it; marked, its title, and
 * excerpt are escaped text with mark elements; count is the number of marked words.
 * @typedef {{ url: string, link: string, title: string, marked: string, excerpt: string,
 *   count: number }} Place
 */

/**
 * A page that was found; page: its address, which an image's is relative to; rest: how many of its
 * texts have words of the question, and were not loaded.
 * @typedef {{ url: string, link: string, page: string, marked: string, excerpt: string,
 *   subs: Place[], meta: Record<string, string>, rest: number }} Hit
 */

/** @typedef {import("./say.js").Say} Say */

const PLACES = 3; // of a page: those with most words, until the others are asked for
/** @type {Record<string, string>} */
const SIGNS = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/**
 * Where an address leads, as a link. In a folder that nobody serves, a page that has the name of
 * its folder is a file, too.
 * @param {string} address
 */
export function linkOf(address) {
  const link = safeLink(address);
  if (!link) return "#";
  return location.protocol === "file:" ? link.replace(/\/(?=#|$)/, "/index.html") : link;
}

/**
 * The text of an excerpt, which no markup of a page can get out of.
 * @param {string} excerpt
 */
export const marked = (excerpt) =>
  excerpt.split(/<mark>(.*?)<\/mark>/s).map((piece, i) => {
    const text = piece.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => SIGNS[name]);
    return i % 2 === 1 ? element("mark", { part: "mark" }, text) : text;
  });

/**
 * What an excerpt has behind the title that it begins with: that stands above it.
 * @param {string} excerpt
 * @param {string} marked
 */
function behindTitle(excerpt, marked) {
  const rest = excerpt.startsWith(marked) ? excerpt.slice(marked.length) : excerpt;
  return /^([.!?:;]|$)/.test(rest) ? rest.slice(1).trimStart() : excerpt;
}

/**
 * @param {Hit} hit
 * @param {Say} say
 * @param {boolean} images are the pages' images shown?
 */
export function hitItem(hit, say, images) {
  const { excerpt, subs } = hit;
  const text = element("div", { className: "text" });
  text.append(element("h2", { part: "hit-title" }, titleLinkOf(hit, "hit-link")));
  const places = subs.filter((place) => place.url.includes("#")); // the other is the page itself
  const titled = places[0]?.title === hit.meta.title ? places.shift() : null; // its h1 has an id
  const shown = places.some((place) => place.excerpt === excerpt) ? titled : hit;
  if (shown) text.append(...excerptOf(shown));
  if (places.length > 0) text.append(...placesOf(places, say));
  if (hit.rest > 0) text.append(element("p", { part: "rest" }, say("rest", { n: hit.rest })));
  const item = element("li", { part: "hit" }, text);
  if (images && hit.meta.image) item.prepend(imageOf(hit));
  return item;
}

/**
 * @param {Hit | Place} place
 * @param {string} part
 */
const titleLinkOf = ({ link, marked: title }, part) =>
  element("a", { href: linkOf(link), part, dir: "auto" }, ...marked(title));

/**
 * A paragraph with an excerpt, or nothing where it is no more than the title.
 * @param {Hit | Place} place
 */
function excerptOf({ excerpt, marked: title }) {
  const pieces = marked(behindTitle(excerpt, title));
  return pieces.join("") ? [element("p", { part: "excerpt", dir: "auto" }, ...pieces)] : [];
}

/** @param {Hit} hit */
function imageOf({ page, meta }) {
  const src = safeLink(new URL(meta.image, page).href) ?? "";
  return element("img", { src, alt: meta.image_alt ?? "", part: "image", loading: "lazy" });
}

/**
 * The places of a page with most words, in their order, and a button for all.
 * @param {Place[]} places
 * @param {Say} say
 */
function placesOf(places, say) {
  const best = [...places].sort((a, b) => b.count - a.count).slice(0, PLACES);
  const items = places.map((place) => {
    const title = titleLinkOf(place, "place-link");
    const item = element("li", { part: "place" }, title, ...excerptOf(place));
    item.hidden = !best.includes(place);
    return item;
  });
  const list = element("ul", { part: "places" }, ...items);
  const hidden = items.filter((item) => item.hidden);
  if (hidden.length === 0) return [list];
  const label = say("morePlaces", { n: hidden.length });
  const more = element("button", { type: "button", part: "more-places" }, label);
  more.addEventListener("click", () => {
    for (const item of hidden) item.hidden = false;
    hidden[0].querySelector("a")?.focus();
    more.remove();
  });
  return [list, more];
}
