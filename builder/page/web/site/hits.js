// A hit: what is shown of a page, and where its links lead.

import { excerptOf, hasQuote, markedHtml, marksOf } from "./excerpts.js";
import { phraseAt, withFragment } from "./fragment.js";

/** @typedef {import("./search.js").Language} Language */
/** @typedef {import("./search.js").Page} Page */
/** @typedef {import("./terms.js").Term} Term */

/**
 * @param {{ core: import("../core/core.js").Core, root: string }} site
 * @param {Language} own
 * @param {Page} page
 * @param {Term[]} terms
 * @param {boolean} whole are the parts all that the page has before them?
 */
export function hitOf({ core, root }, own, [address, meta, parts], terms, whole) {
  const page = new URL(`./${address}`, root).href; // no scheme ends at its colon
  const url = meta.url || page;
  const texts = parts.map((part) => part[3]);
  const marksIn = (/** @type {string} */ text) => marksOf(core, text, terms, own.letters);
  const shown = parts.map(([id, heading], i) => {
    const marks = marksIn(texts[i]);
    const excerpt = excerptOf(texts[i], marks, terms);
    const phrase = excerpt.first ? phraseAt(texts, i, excerpt.first, whole) : "";
    const place = id ? `${url}#${encodeURIComponent(id)}` : url;
    const title = id ? heading : meta.title;
    const inTitle = marksIn(title);
    const count = marks.length || (id ? inTitle.length : 0);
    const marked = markedHtml(title, inTitle);
    return { url: place, link: withFragment(place, phrase), title, marked, phrase, excerpt, count };
  });
  const best = shown.reduce((a, b) => (b.excerpt.worth > a.excerpt.worth ? b : a));
  return {
    ...{ url, page, meta },
    link: withFragment(url, best.phrase),
    marked: markedHtml(meta.title, marksIn(meta.title)),
    excerpt: best.excerpt.html,
    subs: shown
      .filter(({ count }) => count > 0)
      .map((sub) => ({ ...sub, excerpt: sub.excerpt.html })),
  };
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
