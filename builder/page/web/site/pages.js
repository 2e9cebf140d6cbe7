// The pages of a language: how long they are, and which texts they have (docs/format.md 13.2).

/** @typedef {import("./search.js").Page} Page */
/** @typedef {import("./terms.js").Term} Term */

const MOST_READ = 2; // texts of a page that a hit is made from

export class Pages {
  /** @param {{ slots: number[], lengths: number[], texts: [number, number][] }} described */
  constructor({ slots, lengths, texts }) {
    const own = lengths.map((size) => 2 ** (size / 2));
    const average = own.reduce((sum, size) => sum + size, 0) / Math.max(1, own.length);
    /** As shares of the average, by slot. */
    this.lengths = new Map(slots.map((slot, i) => [slot, own[i] / average]));
    /** How many texts the pages of several have. */
    this.texts = new Map(texts);
  }

  /**
   * The slots of the texts of a page.
   * @param {number} page
   */
  textsOf(page) {
    return Array.from({ length: this.texts.get(page) ?? 1 }, (_, n) => page + n);
  }

  /**
   * The texts that a hit is made from: the one that has most of the question, and another one that
   * has more of it. whole: they are all of the page up to the last one; rest: how many others have
   * some of the question.
   * @param {number} page
   * @param {Term[]} terms
   * @param {Map<number, number>} headed texts with a heading that is the question
   */
  toRead(page, terms, headed) {
    const all = this.textsOf(page);
    if (all.length === 1) return { texts: all, whole: true, rest: 0 };
    const having = terms.map((term) => term.pages.get(page)?.texts ?? []);
    const open = new Set(terms.keys()); // terms that no chosen text has
    const worths = () =>
      all.map((_, n) => {
        let worth = chosen.size === 0 && ((headed.get(page) ?? 0) >> n) & 1 ? 1000 : 0;
        for (const i of open) worth += terms[i].rarity * (having[i][n] ?? 0);
        return worth;
      });
    /** @type {Set<number>} */
    const chosen = new Set();
    while (chosen.size < MOST_READ) {
      const own = worths();
      const best = own.indexOf(Math.max(...own));
      if (chosen.size > 0 && own[best] === 0) break;
      chosen.add(best);
      for (const i of open) if (having[i][best]) open.delete(i);
    }
    const numbers = [...chosen].sort((a, b) => a - b);
    return {
      texts: numbers.map((n) => all[n]),
      whole: numbers.every((n, i) => n === i),
      rest: all.filter((_, n) => !chosen.has(n) && having.some((own) => own[n])).length,
    };
  }
}

/**
 * A page, from some of its texts. A part that goes on in another text is a part of each.
 * @param {Page[]} texts
 * @returns {Page}
 */
export function pageOf([[address, meta, first], ...others]) {
  const parts = [...first];
  for (const [part, ...rest] of others.map((text) => text[2])) {
    const [id, title, level, text] = parts[parts.length - 1];
    if (part[0] === id) parts[parts.length - 1] = [id, title, level, `${text}\n${part[3]}`];
    else parts.push(part);
    parts.push(...rest);
  }
  return [address, meta, parts];
}
