// The terms of a question: each with the words of the dictionary that stand for it, and the
// pages that have one of them.

import { spellingOf } from "./spelling.js";
import { COMPOUND_WORD, WHOLE_WORD } from "./words.js";

/** @typedef {import("./dictionary.js").Dictionary} Dictionary */
/** @typedef {import("./dictionary.js").Entry} Entry */
/** @typedef {import("./pages.js").Pages} Pages */
/** @typedef {import("./words.js").Asked} Asked */

// How much less than the word itself counts what stands for it.
const OTHERWISE_SPELLED = 0.8;
const FORM = 0.6;
const BEGINNING = 0.35;
const SHORT = 2; // letters of a word that is a beginning only where it is none itself
// Terms of a question whose words are beginnings, too: a longer one was pasted.
const MOST_EXACT = 8;

/**
 * What a page has of a term. worth: by its levels; title, heading: words of the title and of the
 * shortest heading that has it, 0 without; whole: it has the word or a form, not only a beginning;
 * texts: of a page of several, how much each has it.
 * @typedef {{ worth: number, title: number, heading: number, whole: boolean,
 *   texts: number[] }} Having
 */

/**
 * marks: the words that stand for it; pages: by slot; rarity: what having it is worth.
 * @typedef {object} Term
 * @property {Asked} asked
 * @property {Set<string>} marks
 * @property {Map<number, Having>} pages
 * @property {number} rarity
 * @property {boolean} partial
 */

/** @typedef {{ word: string, instead: string, how: "spelling" | "form" }} Corrected */

/**
 * @param {Dictionary} dictionary
 * @param {Asked} asked
 * @param {Promise<Pages>} pages of the language
 * @param {boolean} exact nothing but the word itself
 * @returns {Promise<Term>}
 */
export async function termOf(dictionary, asked, pages, exact) {
  const { word } = asked;
  const only = exact || asked.quoted || asked.excluded;
  const near = only ? 1 : undefined;
  const { entries, partial } = await dictionary.beginningWith(word, near);
  const own = entries.filter((entry) => entry.word === word);
  /** @type {Map<Entry, number>} */
  const factors = new Map();
  const begins = !only && (own.length === 0 || [...word].length > SHORT || word > "\u0800");
  for (const entry of begins ? entries : []) factors.set(entry, BEGINNING);
  const forms = asked.quoted || asked.excluded ? [] : await dictionary.formsOf(word);
  for (const entry of forms) factors.set(entry, FORM);
  for (const entry of own) {
    factors.set(entry, entry.spelled === asked.spelled ? 1 : OTHERWISE_SPELLED);
  }
  const term = made(asked, factors, await pages);
  return { ...term, partial: partial && begins };
}

/**
 * @param {Asked} asked
 * @param {Map<Entry, number>} factors
 * @param {Pages} all
 * @returns {Term}
 */
function made(asked, factors, all) {
  /** @type {Map<number, Having>} */
  const pages = new Map();
  const whole = new Set();
  for (const [entry, factor] of factors) {
    const { slots, levels, places, texts: having } = entry.pages(all);
    const isWhole = factor > BEGINNING;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      if (isWhole) whole.add(slot);
      const worth = factor * worthOf(levels[i], all.lengths.get(slot) ?? 1);
      const title = places[i] & 15;
      const heading = places[i] >> 4;
      const before = pages.get(slot);
      const texts = before?.texts ?? [];
      for (let own = having[i], n = 0; own > 0; own >>= 1, n++) {
        if (own & 1) texts[n] = Math.max(texts[n] ?? 0, factor);
      }
      if (!before) {
        pages.set(slot, { worth, title, heading, whole: isWhole, texts });
        continue;
      }
      before.worth = Math.max(before.worth, worth) + Math.min(before.worth, worth) / 8;
      if (isWhole && !before.whole) Object.assign(before, { title: 0, heading: 0, whole: true });
      if (before.whole && !isWhole) continue;
      before.title = before.title || title;
      before.heading = Math.min(before.heading || 16, heading || 16) % 16;
    }
  }
  const having = whole.size || pages.size;
  const rarity = Math.log2(1 + (all.lengths.size - having + 0.5) / (having + 0.5));
  const marks = new Set([...factors.keys()].map((entry) => entry.word));
  return { asked, marks, pages, rarity, partial: false };
}

/**
 * What BM25 has for the middle of a level.
 * @param {number} level
 * @param {number} length of the page, as a share of the average
 */
function worthOf(level, length) {
  if (level === 0) return 0.001;
  const times = 2 ** ((level - 8.5) / 2);
  return (2.2 * times) / (times + 1.2 * (0.25 + 0.75 * length));
}

/**
 * What pages have to have: each term of a unit, or its compound. Parts of names stand in for a name
 * that no page has.
 * @typedef {{ terms: Term[], compound: Term | null }} Unit
 */

/**
 * @param {Dictionary} dictionary
 * @param {Asked[]} words that are wanted
 * @param {Promise<Pages>} pages
 * @param {boolean} corrects typing errors
 * @returns {Promise<{ units: Unit[], unknown: Asked[], corrected: Corrected[] }>}
 */
export async function unitsOfQuestion(dictionary, words, pages, corrects) {
  const exact = words.filter((word) => word.kind === WHOLE_WORD).length > MOST_EXACT;
  const terms = await Promise.all(words.map((word) => termOf(dictionary, word, pages, exact)));
  /** @type {Unit[]} */
  const units = [];
  /** @type {Asked[]} */
  const unknown = [];
  /** @type {Corrected[]} */
  const corrected = [];
  /** What stands for a word that no page has, or nothing, with a note of either. */
  const insteadOf = async (/** @type {Asked} */ asked) => {
    const fits = corrects && !asked.quoted && !exact;
    const instead = fits ? await spellingOf(dictionary, asked.word) : "";
    if (!instead) {
      unknown.push(asked);
      return [];
    }
    corrected.push({ word: asked.typed, instead, how: "spelling" });
    return [await termOf(dictionary, { ...asked, word: instead, spelled: "" }, pages, false)];
  };
  const within = (/** @type {Term} */ inner, /** @type {Term} */ outer) =>
    inner !== outer && inner.asked.start >= outer.asked.start && inner.asked.end <= outer.asked.end;
  const compounds = terms.filter((term) => term.asked.kind === COMPOUND_WORD);
  const wholes = terms.filter((term) => term.asked.kind === WHOLE_WORD);
  for (const compound of compounds) {
    const inner = wholes.filter((term) => within(term, compound));
    const known = inner.filter((term) => term.pages.size > 0);
    if (known.length === 0 && compound.pages.size === 0) {
      unknown.push(compound.asked);
      continue;
    }
    for (const term of compound.pages.size > 0 ? [] : inner) {
      if (term.pages.size === 0) known.push(...(await insteadOf(term.asked)));
    }
    units.push({ terms: known, compound });
  }
  for (const term of wholes) {
    if (compounds.some((compound) => within(term, compound))) continue;
    if (term.pages.size > 0) {
      units.push(unitOf([term]));
      noteForm(term, corrected);
      continue;
    }
    const parts = terms.filter((other) => within(other, term));
    const known = parts.filter((part) => part.pages.size > 0);
    for (const { asked } of known.length > 0 ? parts : [term]) {
      if (!known.some((part) => part.asked === asked)) known.push(...(await insteadOf(asked)));
    }
    if (known.length > 0) units.push(unitOf(known));
  }
  return { units, unknown, corrected };
}

/**
 * Words as they were typed. Pairs of characters of one run are named as one.
 * @param {Asked[]} words
 */
export function typedOf(words) {
  /** @type {Asked[]} */
  const runs = [];
  for (const word of words) {
    const last = runs[runs.length - 1];
    if (last && last.start < word.start && word.start < last.end && last.end < word.end) {
      const typed = last.typed + word.typed.slice(last.end - word.start);
      runs[runs.length - 1] = { ...last, typed, end: word.end };
    } else {
      runs.push(word);
    }
  }
  return runs.map(({ typed }) => typed);
}

/** @param {Term[]} terms */
const unitOf = (terms) => ({ terms, compound: null });

/**
 * A word that no page has, and only its forms stand for, is named.
 * @param {Term} term
 * @param {Corrected[]} corrected
 */
function noteForm(term, corrected) {
  const { word, typed, quoted } = term.asked;
  if (quoted || [...term.marks].some((mark) => mark.startsWith(word))) return;
  const instead = [...term.marks].sort((a, b) => a.length - b.length)[0];
  if (instead) corrected.push({ word: typed, instead, how: "form" });
}
