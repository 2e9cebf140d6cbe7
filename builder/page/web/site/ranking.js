// The order of pages: by their words, and before that by a title or a heading that is what was
// asked for.

/** @typedef {import("./terms.js").Unit} Unit */
/** @typedef {import("./terms.js").Having} Having */

const IN_TITLE = 2;
const IN_HEADING = 0.8;
const EQUAL_TITLE = 100;
const EQUAL_HEADING = 30;
const LEAST_PASTED = 0.5; // of what all words are worth, that a page has of a text that was pasted

/**
 * The pages that have all units, each with its score. pasted: where no page has all, those that
 * have most of them. headed: those with a heading that is what was asked for.
 * @param {Unit[]} units
 * @param {boolean} pasted
 * @param {Map<number, number>} headed
 * @returns {Map<number, number>}
 */
export function scored(units, pasted, headed) {
  /** @type {Map<number, number>} */
  const found = new Map();
  if (units.length === 0) return found;
  const having = units.map(havingAll);
  const smallest = having.reduce((a, b) => (b.size < a.size ? b : a));
  for (const slot of smallest) {
    if (having.every((slots) => slots.has(slot))) found.set(slot, scoreOf(units, slot, headed));
  }
  return found.size > 0 || !pasted ? found : mostOf(units);
}

/**
 * @param {Unit} unit
 * @returns {Set<number>}
 */
function havingAll({ terms, compound }) {
  const slots = new Set(compound?.pages.keys());
  const [first, ...others] = terms;
  for (const slot of first?.pages.keys() ?? []) {
    if (others.every((term) => term.pages.has(slot))) slots.add(slot);
  }
  return slots;
}

/**
 * @param {Unit[]} units
 * @param {number} slot
 * @param {Map<number, number>} headed
 */
function scoreOf(units, slot, headed) {
  let score = 0;
  let rarity = 0;
  let asked = 0;
  let titles = 0;
  let title = 0;
  let headings = 0;
  let heading = 0;
  let whole = true;
  for (const { terms, compound } of units) {
    const own = compound?.pages.get(slot);
    const parts = terms.map((term) => ({ term, has: term.pages.get(slot) }));
    for (const { term, has } of parts) {
      asked++;
      rarity += term.rarity;
      const best = has ?? own;
      if (!best) continue;
      score += term.rarity * best.worth;
      whole = whole && best.whole;
      if (best.title) titles++;
      title = Math.max(title, best.title);
      if (best.heading) headings++;
      heading = Math.max(heading, best.heading);
    }
    if (own && compound) {
      score += compound.rarity * own.worth;
      if (parts.length === 0) {
        asked++;
        rarity += compound.rarity;
        if (own.title) titles++;
        title = Math.max(title, own.title);
      }
    }
  }
  const factor = whole ? 1 : 0.5;
  if (titles === asked) {
    score += factor * rarity * IN_TITLE * (asked / Math.max(title, asked));
    if (whole && title === Math.min(asked, 8)) score += rarity * EQUAL_TITLE;
  } else {
    score += (rarity * titles) / asked / 2;
  }
  if (headings === asked) {
    score += factor * rarity * IN_HEADING * (asked / Math.max(heading, asked));
  }
  const isHeading = asked === 1 && whole && heading === 1;
  if (isHeading || headed.has(slot)) score += rarity * EQUAL_HEADING;
  return score;
}

/** @param {Unit[]} units */
function mostOf(units) {
  /** @type {Map<number, number>} */
  const worth = new Map();
  let all = 0;
  for (const { terms } of units) {
    for (const term of terms) {
      all += term.rarity;
      for (const slot of term.pages.keys()) worth.set(slot, (worth.get(slot) ?? 0) + term.rarity);
    }
  }
  return new Map([...worth].filter(([, own]) => own >= LEAST_PASTED * all));
}
