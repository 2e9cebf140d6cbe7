// The answer to a search for words.

import { leftOut, wanted } from "../ask/words.js";
import { element } from "../base/element.js";
import { anyOf, quoted, say } from "../base/language.js";
import { byId, goTo } from "./elements.js";
import { revealResults, showDeeper, showOffers } from "./results.js";
import { showStatus } from "./state.js";
import { titleLink, wordItem } from "./word_item.js";

/** @typedef {import("./results.js").More} More */

/** @typedef {import("./word_item.js").Named & { collection: { name: string } }} NamedTitle */

/**
 * titles: those that begin so; named: are the collections' names shown?
 * @typedef {import("../ask/words.js").FoundWords & {
 *   titles: NamedTitle[],
 *   named: boolean,
 * }} WordResults
 */

/**
 * @param {WordResults} results
 * @param {{ deeper: More | null, offers: More[] }} more
 * @param {object} how
 * @param {boolean} how.typed the visitor stays in the box
 * @param {number} how.behind hits that are shown already
 * @param {boolean} how.asked were words searched for, or titles alone?
 * @param {boolean} how.untraced is it known that no document has a passage of it?
 * @param {import("./word_item.js").Open} how.open
 */
export function showWordResults(results, { deeper, offers }, how) {
  const { hits, titles, named } = results;
  const { typed, behind, asked, untraced, open } = how;
  byId("found").textContent = asked ? heading(results) : headingOfTitles(titles.length);
  byId("named").replaceChildren(...titles.map((each) => titleItem(each, named)));
  byId("hits").replaceChildren(...hits.map((hit) => wordItem(hit, named, open)));
  byId("notes").textContent = notes(results, untraced).join(" ");
  byId("effort").textContent = "";
  showDeeper(deeper);
  showOffers(offers);
  revealResults();
  if (behind > 0) goToHit(behind);
  else if (!typed) goTo(byId("results"));
  showStatus(`${byId("found").textContent}. ${byId("notes").textContent}`, true);
}

/**
 * @param {NamedTitle} each
 * @param {boolean} named
 */
function titleItem(each, named) {
  const from = named ? ` · ${say("in", { name: each.collection.name })}` : "";
  return element("li", {}, titleLink(each), element("small", {}, from));
}

/** @param {number} i */
function goToHit(i) {
  const item = byId("hits").children[i];
  const goal = item?.querySelector("a") ?? item?.querySelector("summary");
  if (goal instanceof HTMLElement) goal.focus();
}

/** @param {number} count */
const headingOfTitles = (count) => (count > 0 ? say("titlesBegin", { count }) : say("noTitle"));

/** @param {WordResults} results */
function heading(results) {
  const { words, all, any, pieces, filters } = results;
  const count = wanted(words);
  if (byFiltersAlone(results)) return say("filtered", { count: any });
  if (filters.length > 0 && count > 0 && any === 0) return say("noneFiltered");
  if (words.length === 0) return say("nothingAsked");
  if (count === 0) return say("noWord");
  if (any === 0) return say("allLeftOut");
  if (count === 1) return say("haveWord", { count: any });
  if (pieces) return say("mayHaveWords", { count: all }) + say("havePart", { count: any });
  return say("haveWords", { count: all }) + (any > all ? say("haveOneOf", { count: any }) : "");
}

/**
 * What a visitor should know of the answer, as WordHits.notes has it.
 * @param {WordResults} results
 * @param {boolean} untraced
 */
function notes(results, untraced) {
  const { words, capped, unchecked, ignored, replacements } = results;
  const excluded = leftOut(words);
  const unknown = words.filter(({ documents, excluded }) => documents === 0 && !excluded);
  const spelled = words.filter(({ quoted, forms }) => quoted && forms);
  const said = [
    ...replacements.map(({ word, instead }) => say("replaced", { word, instead })),
    unknown.length > 0 &&
      say("inNoDocument", {
        count: unknown.length,
        words: quoted(
          unknown.map(({ word }) => word),
          Infinity,
        ),
      }),
    spelled.length > 0 &&
      say("spellings", {
        count: spelled.length,
        words: quoted(
          spelled.map(({ word }) => word),
          Infinity,
        ),
      }),
    excluded.length > 0 && say("excluded", { words: anyOf(excluded) }),
    ignored && say("ignored"),
    ...filterNotes(results),
    unchecked.length > 0 && say("unchecked", { count: unchecked.length, names: quoted(unchecked) }),
    words.some(({ partial }) => partial) && say("partial"),
    capped && say("cappedWords"),
    untraced && say("noSource"),
  ];
  return said.filter(Boolean);
}

/**
 * Whether filters alone decide what is found, so that the heading tells how many documents match.
 * @param {WordResults} results
 */
function byFiltersAlone({ words, filters, allowed }) {
  return filters.length > 0 && (allowed === 0 || words.every(({ excluded }) => excluded));
}

/**
 * What a visitor should know of filters.
 * @param {WordResults} results
 */
function filterNotes(results) {
  const { filters, allowed, unlabelled } = results;
  if (filters.length === 0) return [];
  const unknown = filters.filter(
    ({ labels, language }) => labels === 0 && !(unlabelled & (language ? 2 : 1)),
  );
  return [
    !byFiltersAlone(results) && `${say("filtered", { count: allowed })}.`,
    ...unknown.map(({ language, value, near }) => {
      const key = language ? "noLanguage" : "noLabel";
      const others = near.length > 0 ? say("nearOnes", { names: quoted(near) }) : "";
      return `${say(key, { value })}${others}.`;
    }),
    unlabelled === 1 && say("labelsLack"),
    unlabelled === 2 && say("languagesLack"),
    unlabelled === 3 && say("bothLack"),
  ];
}
