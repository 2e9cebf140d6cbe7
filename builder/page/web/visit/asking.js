// From a question to what is shown.

import { askBoth } from "../ask/both.js";
import { explain } from "../ask/explain.js";
import { ALL, inLanguage } from "../ask/several.js";
import { askSources } from "../ask/sources.js";
import { say } from "../base/language.js";
import { COLD, EXHAUSTIVE, WHOLE } from "../base/layout.js";
import { Problem } from "../base/problem.js";
import { loadTexts } from "../core/documents.js";
import { commonPassages } from "../core/given.js";
import { excerpt, oneLine } from "../texts/excerpts.js";
import { commonPlaces } from "../texts/places.js";
import { textField } from "../view/elements.js";
import { showExcerpt } from "../view/hit_item.js";
import { hideOrigin, showOrigin } from "../view/origin.js";
import { hideReading } from "../view/reading_view.js";
import { hideResults, showOffers, showResults } from "../view/results.js";
import { sentence, showBusy, showLoading, showProblem, showStatus } from "../view/state.js";
import { setText } from "../view/text_field.js";
import { remember } from "./address.js";
import {
  currentPlace,
  isLocal,
  opened,
  openSearched,
  places,
  readingOf,
  searched,
} from "./places.js";
import { answered, fail, isMyTurn, nextTurn } from "./turn.js";

/** @typedef {import("../core/collection.js").Collection} Collection */
/** @typedef {import("../core/collection.js").Answer} Answer */
/** @typedef {import("../core/collection.js").Options} Options */
/** @typedef {import("../ask/both.js").Both} Both */
/** @typedef {import("../ask/several.js").FoundHit} FoundHit */

/**
 * A question: its text, the collections for it (wide: all there are), how it is put to one, the
 * text in UTF-8 where its sources are asked for, and the reasons of a hit where they can be said.
 * @typedef {object} Question
 * @property {string} text
 * @property {(wide: boolean) => Promise<Collection[]>} collections
 * @property {(collection: Collection, options: Options) => Promise<Answer>} put
 * @property {Uint8Array | null} bytes
 * @property {import("../view/why.js").Why | null} why
 * @property {import("../view/results.js").More[]} offers what else can be done with it
 */

/**
 * How far to look: level is 0, then deeper; probes come from the address; wide: in all there are;
 * goesOn: an answer is shown already, and only has to become whole.
 * @typedef {{ level: number, probes: number | null, wide: boolean, goesOn?: boolean }} Depth
 */

const QUOTED = 3; // passages of a hit, the longest ones

let begun = false;

/** Was a text asked with, and is there one? */
export const canAskAgain = () => begun && textField().value.trim() !== "";

/**
 * Answer the text in the field.
 * @param {{ probes?: number | null, forced?: boolean }} depth forced: not only where it is long
 * @param {import("../view/results.js").More[]} offers
 */
export async function askText({ probes = null, forced = false } = {}, offers = []) {
  const text = textField().value;
  if (text.trim() === "") return fail(new Problem(say("noText")));
  const bytes = new TextEncoder().encode(text);
  /** @type {Question} */
  const question = {
    text,
    collections: async (wide) => {
      const all = await openSearched();
      return currentPlace() === ALL && !wide ? inLanguage(all, bytes) : all;
    },
    put: (collection, options) => collection.query(bytes, options),
    bytes,
    why: async (hit) => {
      const reasons = await explain(hit.collection, bytes, hit.document);
      return { ...reasons, quotes: hit.quotes };
    },
    offers,
  };
  remember({ q: text, ...(forced && { as: "text" }) }, currentPlace(), probes);
  begun = true;
  await answer(question, { level: 0, probes, wide: false });
}

/**
 * What is like a document of a collection: by its text, if the file has that, otherwise by its
 * sketch, which only its own collection can read.
 * @param {number} document
 * @param {number} place
 */
export async function askLike(document, place) {
  try {
    const collection = await opened(places[place]);
    if (collection.kept === WHOLE) {
      /** @type {import("../core/collection.js").Hit} */
      const hit = { document, similarity: 0 };
      await loadTexts(collection, [hit]);
      setText(hit.text ?? "");
      return await askText({ forced: true });
    }
  } catch (problem) {
    return fail(problem);
  }
  setText("");
  remember({ d: String(document) }, place, null);
  /** @type {Question} */
  const question = {
    text: "",
    collections: async () => [await opened(places[place])],
    put: (collection, options) => collection.like(document, options),
    bytes: null,
    why: null,
    offers: [],
  };
  await answer(question, { level: 0, probes: null, wide: false });
}

/**
 * @param {Question} question
 * @param {Depth} depth
 */
async function answer(question, depth) {
  const mine = nextTurn();
  if (!depth.goesOn) {
    hideReading();
    hideResults();
    hideOrigin();
    showBusy(true);
  }
  showProblem("");
  showStatus(depth.goesOn ? say("lookingFurther") : say("searching"));
  try {
    const collections = await question.collections(depth.wide);
    for (const collection of collections) await collection.prepare(showLoading);
    const { level, probes } = depth;
    const { bytes } = question;
    const wanted = () => isMyTurn(mine);
    const found = await askBoth(
      collections,
      (collection, documents) =>
        question.put(collection, { probes: probes ?? probesAt(level, collection), documents }),
      bytes && (() => askSources(collections, bytes, { first: level === 0, wanted })),
    );
    if (!isMyTurn(mine)) return;
    await showAnswer(question, depth, collections, found, mine);
    if (!isMyTurn(mine)) return;
    if (depth.level === 0 && isLocal() && isPartial(found)) {
      await answer(question, { ...depth, level: 1, probes: null, goesOn: true });
    } else answered();
  } catch (problem) {
    fail(problem, mine);
    if (isMyTurn(mine)) showOffers(question.offers);
  }
}

/**
 * @param {Question} question
 * @param {Depth} depth
 * @param {Collection[]} collections
 * @param {Both} found
 * @param {number} mine
 */
async function showAnswer(question, depth, collections, found, mine) {
  const shown = showTexts(question.text, found.hits, mine);
  const reasons = question.why;
  /** @type {import("../view/why.js").Why | null} */
  const why = reasons && ((hit) => shown.then(() => reasons(hit)));
  const names = currentPlace() === ALL ? collections.map(({ name }) => name) : [];
  const others = question.why !== null && collections.length < searched().length;
  const more = others
    ? { label: say("others"), ask: () => answer(question, { ...depth, wide: true }) }
    : deeper(question, depth, collections, found);
  for (const each of [...found.hits, ...(found.sources?.sources ?? [])]) {
    each.reading = readingOf(each);
  }
  showResults({ ...found, names }, more, why, depth.goesOn === true);
  showOffers(question.offers);
  const beside = {
    named: names.length > 0,
    again: depth.level === 0,
    others,
    stays: depth.goesOn === true,
  };
  if (found.sources) showOrigin(found.sources, question.text, beside);
  else hideOrigin();
  if (found.trouble) showProblem(sentence(found.trouble));
  showBusy(false);
  await shown;
}

/**
 * What the file keeps of the hits' texts, when the hits are already to be seen. Damage there leaves
 * them as they are.
 * @param {string} text
 * @param {FoundHit[]} hits
 * @param {number} mine
 */
async function showTexts(text, hits, mine) {
  try {
    for (const collection of new Set(hits.map((hit) => hit.collection))) {
      const own = hits.filter((hit) => hit.collection === collection);
      await loadTexts(collection, own);
      const whole = collection.kept === WHOLE && text !== "";
      const passages = whole ? await commonPassages(collection, text, own) : new Map();
      if (!isMyTurn(mine)) return;
      if (collection.kept === 0) continue;
      for (const hit of own) {
        const stored = hit.text ?? "";
        const common = commonPlaces(text, stored, passages.get(hit.document) ?? []);
        hit.quotes = common
          .slice(0, QUOTED)
          .map(({ start, end }) => oneLine(text.slice(start, end)));
        showExcerpt(hit, excerpt(stored, common));
      }
    }
  } catch (problem) {
    if (isMyTurn(mine)) showProblem(sentence(problem));
  }
}

/**
 * What is loaded at once is compared whole at the second level; otherwise a first answer comes from
 * few blocks, and the second is the file's own.
 * @param {number} level
 * @param {Collection} collection
 */
const probesAt = (level, { once }) => (once ? [0, EXHAUSTIVE] : [COLD, 0])[level];

/**
 * Was less looked up of the text's sources than there is?
 * @param {Pick<Both, "sources">} found
 */
const isPartial = ({ sources }) => sources !== null && (sources.few || sources.looked < 1);

/**
 * A second answer to the same question, where it can differ from the first.
 * @param {Question} question
 * @param {Depth} depth
 * @param {Collection[]} collections
 * @param {Both} found
 */
function deeper(question, { level, wide }, collections, { candidates, capped, short, sources }) {
  const documents = collections.reduce((sum, collection) => sum + collection.documents, 0);
  const compared = short || (candidates === documents && !capped);
  const partly = isPartial({ sources });
  if (level > 0 || (compared && !partly)) return null;
  const all = !compared && collections.every(({ once }) => once);
  return {
    label: all ? say("compareAll", { count: documents }) : say("deeper"),
    ask: () => answer(question, { level: level + 1, probes: null, wide }),
  };
}
