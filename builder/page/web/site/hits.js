// A hit: what is shown of a page, and where its links lead.

import { excerptOf, hasQuote, marksOf } from "./excerpts.js";

/** @typedef {import("./search.js").Language} Language */
/** @typedef {import("./search.js").Page} Page */
/** @typedef {import("./terms.js").Term} Term */

/**
 * @param {{ core: import("../core/core.js").Core, root: string }} site
 * @param {Language} own
 * @param {Page} page
 * @param {Term[]} terms
 */
export function hitOf({ core, root }, own, [address, meta, parts], terms) {
  const page = new URL(address || ".", root).href;
  const url = meta.url || page;
  const shown = parts.map(([id, title, , text]) => {
    const marks = marksOf(core, text, terms, own.letters);
    const excerpt = excerptOf(text, marks, terms);
    const place = id ? `${url}#${encodeURIComponent(id)}` : url;
    const count = marks.length || marksOf(core, id ? title : "", terms, own.letters).length;
    const link = excerpt.marked ? withFragment(place, excerpt.marked) : place;
    return { url: place, link, title: id ? title : meta.title, excerpt, count };
  });
  const best = shown.reduce((a, b) => (b.excerpt.worth > a.excerpt.worth ? b : a));
  return {
    ...{ url, page, meta },
    link: best.excerpt.marked ? withFragment(url, best.excerpt.marked) : url,
    excerpt: best.excerpt.html,
    subs: shown
      .filter(({ count }) => count > 0)
      .map((sub) => ({ ...sub, excerpt: sub.excerpt.html })),
  };
}

/**
 * An address that has browsers scroll to some words and mark them.
 * @param {string} url
 * @param {string} words
 */
function withFragment(url, words) {
  const text = encodeURIComponent(words.replace(/\s+/g, " ")).replace(/-/g, "%2D");
  return `${url}${url.includes("#") ? "" : "#"}:~:text=${text}`;
}

/**
 * Does a page have the words of a quote one behind the other, in a paragraph or in metadata?
 * @param {import("../core/core.js").Core} core
 * @param {Language} own
 * @param {Page} page
 * @param {string[]} words
 */
export function inText(core, own, [, meta, parts], words) {
  const texts = [...parts.map((part) => part[3]), ...Object.values(meta)];
  return texts.some((text) => hasQuote(core, text, words, own.letters));
}
