// The answer to a question.

import { say } from "../base/language.js";
import { byId, element, goTo } from "./elements.js";
import { hitItem } from "./hit_item.js";
import { showStatus } from "./state.js";

/**
 * names: of the collections that were asked, where the page has chosen them; short: why there are
 * no hits though there are sources.
 * @typedef {import("../core/collection.js").Effort & {
 *   hits: import("../ask/several.js").FoundHit[],
 *   short: string,
 *   sources: import("../ask/sources.js").FoundSources | null,
 *   names: string[],
 * }} Results
 */

/** @typedef {{ label: string, ask: () => void }} More what else can be asked, on a button */

export function hideResults() {
  byId("results").hidden = true;
  document.body.classList.remove("answered");
  byId("hits").replaceChildren();
  byId("named").replaceChildren();
  showOffers([]);
}

/** What is shown is the answer to what stood in the box before: its heading says so. */
export function showStale() {
  byId("found").textContent = say("searching");
}

/** What is in it is an answer. */
export function revealResults() {
  document.body.classList.add("answered");
  byId("results").hidden = false;
}

/** @param {More[]} offers */
export function showOffers(offers) {
  byId("offers").replaceChildren(
    ...offers.map(({ label, ask }) => {
      const button = element("button", { type: "button" }, label);
      button.addEventListener("click", ask);
      return button;
    }),
  );
}

/** @param {More | null} more */
export function showDeeper(more) {
  const button = byId("deeper");
  button.hidden = !more;
  button.textContent = more?.label ?? "";
  button.onclick = more?.ask ?? null;
}

/**
 * @param {Results} results
 * @param {More | null} more
 * @param {import("./why.js").Why | null} why
 * @param {boolean} stays does the visitor stay where they are?
 */
export function showResults(results, more, why, stays) {
  const { hits, names, short, sources } = results;
  const count = hits.length;
  const only = sources && sources.all > 0; // passages, which are above
  const none = only ? say("notAsAWhole") : say("nothing");
  byId("found").textContent =
    count > 0 ? say("similarTexts", { count }) : short ? say("tooShortAsAWhole") : none;
  byId("effort").textContent = short || effort(results, why !== null);
  byId("hits").replaceChildren(...hits.map((hit) => hitItem(hit, why, names.length > 0)));
  byId("named").replaceChildren();
  byId("notes").textContent = "";
  showDeeper(more);
  revealResults();
  if (!sources && !stays) goTo(byId("results"));
  showStatus(byId("found").textContent ?? "", true);
}

/**
 * @param {Results} results
 * @param {boolean} byText was a text asked with?
 */
function effort({ terms, candidates, capped, names }, byText) {
  const by = byText ? say("termsCounted", { count: terms }) : say("bySketch");
  const looked = names.length > 0 ? "comparedIn" : "compared";
  const compared = say(looked, { count: candidates, names: names.join(", ") });
  return `${by}, ${compared}${capped ? `; ${say("moreThanLookedAt")}` : ""}`;
}
