// Where a text comes from: its sources, and the text with their passages. One leads to the other.

import { SHOWN } from "../ask/sources.js";
import { element } from "../base/element.js";
import { number, quoted, say } from "../base/language.js";
import { LEAST_EDITED } from "../base/layout.js";
import { isTiny, percent } from "../base/numbers.js";
import { coloured } from "../texts/coloured.js";
import { byId, goTo, unseen } from "./elements.js";
import { linkTo, nameOf, readable, safeLink } from "./links.js";
import { showMap } from "./passage_map.js";
import { showStatus } from "./state.js";

/** @typedef {import("../ask/sources.js").FoundSource} FoundSource */
/** @typedef {import("../ask/sources.js").FoundSources} FoundSources */
/** @typedef {import("../texts/coloured.js").Group} Group */
/** @typedef {import("../texts/coloured.js").Stretch} Stretch */

const COLOURS = 8; // style/sources.css

export function hideOrigin() {
  byId("origin").hidden = true;
  byId("sources").replaceChildren();
  byId("own").replaceChildren();
}

/**
 * named: are the collections' names shown? again: can more be looked at? others: are there
 * collections that were not asked? stays: the visitor stays where they are.
 * @typedef {{ named: boolean, again: boolean, others: boolean, stays: boolean }} Beside
 */

/**
 * @param {FoundSources} found
 * @param {string} text the visitor's
 * @param {Beside} beside
 */
export function showOrigin(found, text, beside) {
  const sources = found.sources.slice(0, SHOWN);
  const none = sources.length === 0;
  byId("share").textContent = headingOf(found);
  byId("share-note").textContent = notesOf(found, beside).join(" ");
  byId("passages").hidden = none;
  byId("keep").hidden = none;
  showMap(sources, new TextEncoder().encode(text).length, hue);
  byId("sources").replaceChildren(
    ...sources.map((source, i) => sourceItem(source, i, beside.named)),
  );
  byId("own").replaceChildren(...(none ? [] : ownText(coloured(text, sources), sources)));
  byId("origin").classList.toggle("wide", !none);
  byId("origin").hidden = false;
  if (!beside.stays) goTo(byId("origin"));
  const told = [byId("share"), byId("found")].map(({ textContent }) => textContent ?? "");
  showStatus(told.map((each) => each.replace(/\.$/, "")).join(". "), true);
}

/** @param {FoundSources} found */
function headingOf({ sources, all, least, coverage, looked, wordsOnly }) {
  if (looked === 0) return say("notLookedUp");
  if (all === 0) return wordsOnly ? say("noSourceKnown") : say("noSource");
  const exact = sources.every(isVerified);
  const share = hedged(exact || isTiny(coverage) ? null : "about", percent(coverage));
  return capital(
    say("share", {
      count: all,
      share: hedged(looked < 1 ? "atLeast" : null, share),
      documents: hedged(least || looked < 1 ? "atLeast" : null, number(all)),
    }),
  );
}

/**
 * What was left out, and what is uncertain.
 * @param {FoundSources} found
 * @param {Beside} beside
 */
function notesOf(found, { again, others }) {
  const { sources, all, capped, looked, few, estimated, unable, wordsOnly } = found;
  return [
    wordsOnly ? wordsAlone(wordsOnly) : "",
    all > 0 && sources.every(isOfPhrases) ? say("phrases", { count: LEAST_EDITED }) : "",
    all > SHOWN && sources.length > SHOWN ? say("shownSources", { count: SHOWN }) : "",
    looked < 1 ? say("lookedAt", { share: percent(Math.floor(10_000 * looked)) }) : "",
    looked < 1 && again ? say("deeperTakesTime") : "",
    few && again ? say("fewShingles") : "",
    capped ? say("cappedSources") : "",
    estimated.length > 0 ? saidOf("estimatedIn", estimated) : "",
    unable.length > 0 ? saidOf("unableToTrace", unable) : "",
    others ? say("othersNotAsked") : "",
  ].filter(Boolean);
}

/** @param {import("../core/sources.js").WordsOnly} found */
const wordsAlone = (found) =>
  say("wordsOnly", { count: found.documents, more: found.documents - 1, name: nameOf(found) });

/**
 * @param {"estimatedIn" | "unableToTrace"} key
 * @param {string[]} names of collections
 */
const saidOf = (key, names) => say(key, { count: names.length, names: quoted(names) });

/**
 * @param {"about" | "atLeast" | null} hedge
 * @param {string} count
 */
const hedged = (hedge, count) => (hedge ? say(hedge, { count }) : count);

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {FoundSource} source */
const isVerified = ({ passages }) => passages.every(({ verified }) => verified);

/**
 * Has it nothing but short pieces that nothing tells were edited?
 * @param {FoundSource} source
 */
const isOfPhrases = (source) =>
  source.passages.every(({ first, last, edited }) => last - first < LEAST_EDITED && edited === 0);

/** @param {number} i of a source: there are as many colours */
const hue = (i) => `hue${(i % COLOURS) + 1}`;

const ROUNDED = 1_000; // documents, from which their number is rounded

/** @param {number} count */
const alsoIn = (count) =>
  count < ROUNDED
    ? say("alsoIn", { count })
    : say("alsoInAbout", { count: Number(count.toPrecision(1)) });

/**
 * How much of the text a source has, how that is known, and how many others have it where they are
 * many.
 * @param {FoundSource} source
 */
function extentOf(source) {
  const { coverage, added, passages } = source;
  const documents = Math.max(...passages.map((each) => each.documents));
  const others = added > 0 && documents > SHOWN ? alsoIn(documents) : "";
  const share = percent(coverage);
  if (!isVerified(source)) return say("estimated", { share }) + others;
  const terms = passages.reduce((sum, { first, last }) => sum + last - first, 0);
  const changed = passages.reduce((sum, own) => sum + own.edited * (own.last - own.first), 0);
  const how = changed > 0 ? say("edited", { share: percent(changed / terms) }) : say("wordForWord");
  return say("ofText", { share }) + how + others;
}

/**
 * @param {FoundSource} source
 * @param {number} i
 * @param {boolean} named
 */
function sourceItem(source, i, named) {
  const { url = "", reading = "", coverage, added, passages, collection } = source;
  const link = safeLink(url);
  const title = linkTo(reading || link, nameOf(source));
  const about = element("p", { className: "about" }, extentOf(source));
  if (added === 0) about.append(say("sameAsOthers"));
  if (named) about.append(` · ${say("in", { name: collection.name })}`);
  about.append(" · ", linkTo(reading ? link : null, readable(url || source.id || "")));
  const item = element(
    "li",
    { className: hue(i) },
    element("span", { className: "number" }, String(i + 1)),
    element("h3", {}, title),
    about,
    passageButton(i, passages.length, nameOf(source)),
  );
  item.dataset.of = String(i);
  item.dataset.document = String(source.document);
  item.dataset.coverage = String(coverage);
  item.dataset.collection = collection.name;
  return item;
}

/**
 * Goes to the passages of a source, one after the other.
 * @param {number} i
 * @param {number} count
 * @param {string} name
 */
function passageButton(i, count, name) {
  const rest = unseen("passagesOf", name);
  const label = say("passages", { count });
  const button = element("button", { type: "button", className: "go" }, label, rest);
  let next = 0;
  button.addEventListener("click", () => {
    const found = Array.from(byId("own").querySelectorAll(`[data-of~="${i}"]`));
    const groups = [...new Set(found.map((each) => each.closest(".passage")))];
    const group = /** @type {HTMLElement} */ (groups[next % groups.length]);
    next++;
    group?.focus();
    group?.scrollIntoView({ block: "nearest" });
  });
  return button;
}

/**
 * @param {Group[]} groups
 * @param {FoundSource[]} sources
 */
function ownText(groups, sources) {
  return groups.map(({ owner, stretches }) => {
    if (owner < 0) {
      return element("span", {}, ...stretches.map(plain));
    }
    const properties = { className: `passage ${hue(owner)}`, role: "button", tabIndex: 0 };
    const name = element("bdi", {}, nameOf(sources[owner]));
    return element(
      "span",
      properties,
      ...stretches.map(({ text, of }) => {
        const piece = element("span", { className: "piece" }, text);
        piece.dataset.of = of.join(" ");
        return piece;
      }),
      element("span", { className: "source" }, ` ${owner + 1} `, name),
    );
  });
}

/** @param {Stretch} stretch */
const plain = ({ text, cut }) => (cut ? element("span", { className: "cut" }, text) : text);

/**
 * The sources that an element is of, by their numbers.
 * @param {EventTarget | null} target
 */
function numbersOf(target) {
  const at = target instanceof Element ? target.closest("[data-of], .passage") : null;
  if (!(at instanceof HTMLElement)) return [];
  const pieces = at.matches("[data-of]") ? [at] : Array.from(at.querySelectorAll("[data-of]"));
  return pieces.flatMap((piece) => /** @type {HTMLElement} */ (piece).dataset.of?.split(" ") ?? []);
}

/** @param {string[]} numbers */
function light(numbers) {
  for (const each of byId("origin").querySelectorAll("[data-of]")) {
    const own = /** @type {HTMLElement} */ (each).dataset.of?.split(" ") ?? [];
    each.classList.toggle(
      "lit",
      own.some((one) => numbers.includes(one)),
    );
  }
}

/**
 * From a passage to its source.
 * @param {EventTarget | null} target
 */
function goToSource(target) {
  const passage = target instanceof Element ? target.closest(".passage") : null;
  if (!passage) return false;
  const [first] = numbersOf(target);
  const item = byId("sources").children[Number(first)];
  const goal = item.querySelector("h3 a") ?? item.querySelector("button");
  if (goal instanceof HTMLElement) goal.focus();
  item.scrollIntoView({ block: "nearest" });
  return true;
}

/** Connect both from now on, for the pointer and the keyboard. */
export function connectOrigin() {
  const origin = byId("origin");
  origin.addEventListener("pointerover", (event) => light(numbersOf(event.target)));
  origin.addEventListener("pointerleave", () => light(numbersOf(document.activeElement)));
  origin.addEventListener("focusin", (event) => light(numbersOf(event.target)));
  origin.addEventListener("focusout", () => light([]));
  const own = byId("own");
  own.addEventListener("click", (event) => goToSource(event.target));
  own.addEventListener("keydown", (event) => {
    const pressed = event.key === "Enter" || event.key === " ";
    if (pressed && goToSource(event.target)) event.preventDefault();
  });
}
