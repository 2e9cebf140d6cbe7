// Why a document is a hit, when the visitor wants to know.

import { say } from "../base/language.js";
import { Problem } from "../base/problem.js";
import { element, unseen } from "./elements.js";

/** @typedef {import("../ask/several.js").FoundHit} FoundHit */

/**
 * @typedef {import("../ask/explain.js").Explanation & Pick<FoundHit, "quotes">} Reasons
 */

/** @typedef {(hit: FoundHit) => Promise<Reasons>} Why */

const MOST_TERMS = 24;

/**
 * @param {FoundHit} hit
 * @param {string} name
 * @param {Why} why
 */
export function explanation(hit, name, why) {
  const rest = unseen("whyHit", name);
  const details = element("details", {}, element("summary", {}, say("why"), rest));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) explainIn(details, hit, why);
  });
  return details;
}

/**
 * @param {HTMLElement} details
 * @param {FoundHit} hit
 * @param {Why} why
 */
async function explainIn(details, hit, why) {
  const body = element("div", { className: "why" });
  details.append(body);
  try {
    const reasons = await why(hit);
    body.append(...termsIn(reasons));
    if (reasons.quotes?.length) body.append(...quotesIn(reasons.quotes));
  } catch (problem) {
    const text = problem instanceof Problem ? problem.message : String(problem);
    body.append(element("p", {}, text));
  }
}

/** @param {Reasons} reasons */
function termsIn({ agree, components, agreement, terms }) {
  const heaviest = terms.slice(0, MOST_TERMS);
  const share = say("percent", { share: Math.round(100 * agreement) });
  const marks = heaviest.map(({ term, weight }) => {
    const title = say("percent", { share: Math.round(1000 * weight) / 10 });
    const mark = element("mark", { dir: "auto", title }, term);
    mark.style.setProperty("--weight", String(weight / heaviest[0].weight));
    return element("li", {}, mark);
  });
  return [
    element("p", {}, say("agreeing", { agree, components, share })),
    element("ul", { className: "words" }, ...marks),
  ];
}

/** @param {string[]} quotes */
function quotesIn(quotes) {
  const items = quotes.map((quote) => element("li", {}, element("q", { dir: "auto" }, quote)));
  return [element("p", {}, say("quotes")), element("ul", { className: "quotes" }, ...items)];
}
