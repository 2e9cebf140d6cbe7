// The answer to a search for words.

import { leftOut, wanted } from "../ask/words.js";
import { messages } from "../base/messages.js";
import { byId, element, goTo } from "./elements.js";
import { showDeeper, showOffers } from "./results.js";
import { showStatus } from "./state.js";
import { titleLink, wordItem } from "./word_item.js";

/** @typedef {import("./results.js").More} More */

/**
 * titles: those that begin so; named: are the collections' names shown?
 * @typedef {import("../ask/words.js").FoundWords & {
 *   titles: import("./word_item.js").Named[],
 *   named: boolean,
 * }} WordResults
 */

/**
 * @param {WordResults} results
 * @param {{ deeper: More | null, offers: More[] }} more
 * @param {object} how
 * @param {boolean} how.typed the visitor stays in the field
 * @param {import("./word_item.js").Open} how.open
 */
export function showWordResults(results, { deeper, offers }, { typed, open }) {
  const { hits, titles, named } = results;
  byId("found").textContent = heading(results);
  byId("named").replaceChildren(...titles.map((each) => element("li", {}, titleLink(each))));
  byId("hits").replaceChildren(...hits.map((hit) => wordItem(hit, named, open)));
  byId("notes").textContent = notes(results).join(" ");
  byId("effort").textContent = "";
  showDeeper(deeper);
  showOffers(offers);
  byId("results").hidden = false;
  if (!typed) goTo(byId("results"));
  showStatus(`${byId("found").textContent}. ${byId("notes").textContent}`, true);
}

/** @param {WordResults} results */
function heading({ words, all, any, pieces }) {
  const count = wanted(words);
  if (words.length === 0) return messages.nothingAsked;
  if (count === 0) return messages.noWord;
  if (any === 0) return messages.allLeftOut;
  if (count === 1) return messages.haveWord(any);
  return pieces ? messages.mayHaveWords(all, any) : messages.haveWords(all, any);
}

/**
 * What a visitor should know of the answer, as WordHits.notes has it.
 * @param {WordResults} results
 */
function notes({ words, capped, unchecked, ignored, replacements }) {
  const excluded = leftOut(words);
  const unknown = words.filter(({ documents, excluded }) => documents === 0 && !excluded);
  const said = [
    ...replacements.map(({ word, instead }) => messages.replaced(word, instead)),
    unknown.length > 0 && messages.inNoDocument(unknown.map(({ word }) => word)),
    excluded.length > 0 && messages.excluded(excluded),
    ignored && messages.ignored,
    unchecked.length > 0 && messages.unchecked(unchecked),
    words.some(({ partial }) => partial) && messages.partial,
    capped && messages.cappedWords,
  ];
  return said.filter(Boolean);
}
