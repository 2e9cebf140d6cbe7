// The messages of the page.

import { LEAST_EDITED } from "./layout.js";
import { number } from "./numbers.js";

/** @typedef {(name: string) => string} Of what is said of a file, or of a document */

const COPY_AGAIN = "Copy or download it again.";

const NAMED = 3; // files of many
const ROUNDED = 1_000; // documents, from which their number is rounded

/** @param {string[]} names */
function firstOf(names) {
  const more = names.length - NAMED;
  const named = names.slice(0, NAMED).map((name) => `“${name}”`);
  return named.join(", ") + (more > 0 ? ` and ${number(more)} more` : "");
}

export const messages = {
  /** @type {Of} */
  noPocketFile: (name) =>
    `“${name}” is not a pocket file. ` +
    "Choose a file that “pocketindex build” has written; its name mostly ends in .pocket.",
  /** @type {Of} */
  tooNew: (name) =>
    `“${name}” was made by a newer pocketindex than this page. Open it with a newer page.`,
  /** @type {Of} */
  needsCmph: (name) =>
    `“${name}” has a hash of libcmph, which no page can read. Build it again with --set mph=pilot.`,
  /** @type {(name: string, place: string) => string} */
  damaged: (name, place) => `“${name}” is damaged (${place}). ${COPY_AGAIN}`,
  /** @type {(name: string, expected: number, found: number) => string} */
  cutOff: (name, expected, found) =>
    `“${name}” should have ${number(expected)} bytes and has ${number(found)}. ${COPY_AGAIN}`,
  /** @type {Of} */
  changed: (name) => `“${name}” was changed or moved while it was open. Choose it again.`,
  /** @type {Of} */
  missingShard: (file) =>
    `The file ${file} cannot be loaded. Is the whole folder here? ` +
    "A page opened inside a zip archive has no files beside it: unpack the archive first.",
  /** @type {Of} */
  damagedShard: (file) => `The file ${file} is damaged. Copy or download the folder again.`,
  /** @type {Of} */
  foreignShard: (file) =>
    `The file ${file} is of another edition of this collection. ` +
    "Copy the whole folder again, or reload the page.",
  /** @type {Of} */
  choose: (file) =>
    `The page cannot read ${file} by itself: ` +
    "it was opened from a folder, or its server sends no parts of files. " +
    "Choose the file with “Search another .pocket file”, or drop it here.",
  noRange: "The server stopped sending parts of the file. Reload the page.",
  noMemory:
    "The browser has no more memory for this. Close other pages, or ask with a shorter text.",
  /** @type {(least: number, found: number, words: boolean) => string} */
  tooShort: (least, found, words) =>
    `This text is too short: it has ${number(found)} usable ${found === 1 ? "word" : "words"}, ` +
    `and at least ${number(least)} are needed to find similar documents. ` +
    "No document has exactly this text. Give more of it" +
    `${words ? ", or search for its words" : ""}.`,
  tooShortDocument: "This document has no text that could be compared.",
  copy:
    "Your text is too short to find similar documents. " +
    "This is a hit because it has the same words, in the same order.",
  tooLong: "This text is longer than 256 MB. Give a part of it.",
  noText: "Give a text first: paste it, type it, or drop a file.",
  /** @type {Of} */
  notRead: (name) =>
    `“${name}” cannot be read as text. Plain text, Markdown, HTML, DOCX, ODT and EPUB files can. ` +
    "Of others, such as PDF, copy the text and paste it.",
  /** @type {Of} */
  damagedFile: (name) => `“${name}” is damaged, encrypted, or too large to be unpacked here.`,
  /** @type {Of} */
  noDocument: (name) =>
    `“${name}” has no such document. The address may be of another edition of this collection.`,
  /** @type {(agree: number, components: number, share: number) => string} */
  agreeing: (agree, components, share) =>
    `${agree} of ${components} features agree, ${share} % of their weight. ` +
    "These words of your text weigh most:",
  inLanguage: "All in your text’s language",
  others: "Search the other collections, too",
  bySketch: "By the stored features of the document, ",
  nothing: "Nothing similar found.",
  notAsAWhole: "No text is similar as a whole.",
  noSource: "No document here has a passage of this text.",
  noSourceKnown: "No document here is known to have a passage of this text.",
  /** @type {(name: string, documents: number) => string} */
  wordsOnly: (name, documents) =>
    `“${name}”${documents > 1 ? ` and ${number(documents - 1)} more` : ""} ` +
    `${documents > 1 ? "have" : "has"} all words of a sentence of it, but in an unknown order, ` +
    "because texts are not kept there.",
  notLookedUp: "This text was not looked up for passages.",
  /** @type {(share: string, documents: string, one: boolean) => string} */
  share: (share, documents, one) =>
    `${share} of this text is in ${documents} ${one ? "document" : "documents"}`,
  /** @type {(count: string) => string} */
  atLeast: (count) => `at least ${count}`,
  /** @type {(share: string) => string} */
  about: (share) => (share.startsWith("less") ? share : `about ${share}`),
  /** @type {(share: string) => string} */
  ofText: (share) => `${share} of your text`,
  wordForWord: ", word for word",
  /** @type {(share: string) => string} */
  edited: (share) => `, ${share} of it changed`,
  /** @type {(share: string) => string} */
  estimated: (share) => `${share} of your text, estimated`,
  /** @type {(documents: number) => string} */
  alsoIn: (documents) =>
    documents < ROUNDED
      ? `, in ${number(documents)} documents`
      : `, in about ${number(Number(documents.toPrecision(1)))} documents`,
  sameAsOthers: ", the same passages as above",
  /** @type {(count: number) => string} */
  shownSources: (count) => `The first ${number(count)} are shown.`,
  phrases: `Phrases of fewer than ${LEAST_EDITED} words stand in many texts by chance.`,
  othersNotAsked: "Collections of another language were not asked.",
  cappedSources: "This text has more matches than are looked at, so sources may be missing.",
  /** @type {(share: string, again: boolean) => string} */
  lookedAt: (share, again) =>
    `The search took too long: only the first ${share} of the text was looked at.` +
    `${again ? " “Search deeper” takes more time." : ""}`,
  fewShingles:
    "This first answer looked up only a part of the text, to load less: passages may be missing. " +
    "“Search deeper” looks up the rest.",
  /** @type {(names: string[]) => string} */
  estimatedIn: (names) =>
    `${firstOf(names)} ${names.length === 1 ? "keeps" : "keep"} no whole texts: there, passages ` +
    "are estimated, and a short one is not found.",
  /** @type {(names: string[]) => string} */
  unableToTrace: (names) =>
    `${firstOf(names)} ${names.length === 1 ? "was" : "were"} not asked, because no passages and ` +
    "words are stored there.",
  /** @type {(count: string, one: boolean) => string} */
  inBoth: (count, one) =>
    one ? "One passage is in your text, too." : `${count} passages are in your text, too.`,
  quotes: "Passages of your text that stand there, word for word or nearly:",
  opening: "Opening the text",
  noCollection: "There is no such collection here. The address may be of another page.",
  keepsNoText: "This collection keeps no whole texts, so there is nothing to read here.",
  /** @type {(count: string, one: boolean) => string} */
  wordsAt: (count, one) => `${count} ${one ? "place" : "places"} with your words`,
  /** @type {(at: string, count: string) => string} */
  placeOf: (at, count) => `${at} of ${count}`,
  /** @type {Of} */
  documents: (count) => `${count} documents`,
  titles: "Titles from A to Z",
  titlesFromTo: "Titles",
  /** @type {Of} */
  titlesWith: (letter) => `Titles: ${letter}`,
  letters: "Letters that titles begin with",
  /** @type {Of} */
  moreTitles: (count) =>
    `The first ${count} are shown. Type how a title begins into the box to find others.`,
  tooShortAsAWhole: "Too short to compare as a whole",
  wordsOrText: "Words, or a text",
  pasteText: "Paste a text",
  asked: "Your text",
  askedWithPassages: "A text or a paragraph",
  askedWithWords: "A few words, a paragraph or a text",
  /** @type {(count: string, one: boolean) => string} */
  textOf: (count, one) => `${count} ${one ? "word" : "words"}: Enter asks with this text`,
  loading: "Loading, this once:",
  searching: "Searching",
  /** @type {(count: string, one: boolean) => string} */
  map: (count, one) => `Where your text has ${count} ${one ? "passage" : "passages"}`,
  /** @type {(names: string, day: string) => string} */
  reportOf: (names, day) => `Where a text comes from, as found in ${names} on ${day}.`,
  lookingFurther: "Looking further",
  /** @type {Of} */
  inCollection: (name) => ` · in ${name}`,
  noTitle: "No title begins with this",
  /** @type {(count: string, one: boolean) => string} */
  titlesBegin: (count, one) => `${count} ${one ? "title begins" : "titles begin"} with this`,
  asWords: "Search for these words",
  asText: "Find texts like this",
  noWord: "No document has a word of this",
  nothingAsked: "There is no word to search for here",
  /** @type {(word: string, instead: string) => string} */
  replaced: (word, instead) => `No document has “${word}”; this is for “${instead}”.`,
  /** @type {(excluded: string[]) => string} */
  excluded: (excluded) => `Documents with ${excluded.join(" or ")} are left out.`,
  ignored:
    "In a question of eight words or more, quotation marks, minus signs and filters have no meaning.",
  /** @type {(documents: number) => string} */
  filtered: (documents) =>
    `${number(documents)} ${documents === 1 ? "document passes" : "documents pass"} the filters`,
  noneFiltered: "No document that passes the filters has a word of this",
  /** @type {(language: boolean, value: string, near: string[]) => string} */
  noLabel: (language, value, near) =>
    `No document has the ${language ? "language" : "label"} “${value}”` +
    `${near.length > 0 ? `; near ones are ${near.map((one) => `“${one}”`).join(", ")}` : ""}.`,
  /** @type {(kinds: number) => string} */
  unlabelled: (kinds) =>
    `Not every collection here keeps ${["", "labels", "languages", "labels and languages"][kinds]} ` +
    "of its documents; those without have none that pass.",
  allLeftOut: "Every document with these words also has a word that you excluded",
  /** @type {(documents: number) => string} */
  haveWord: (documents) =>
    `${number(documents)} ${documents === 1 ? "document has" : "documents have"} the word`,
  /** @type {(all: number, any: number) => string} */
  haveWords: (all, any) =>
    `${number(all)} ${all === 1 ? "document has" : "documents have"} all words` +
    `${any > all ? `, ${number(any)} one of them` : ""}`,
  /** @type {(all: number, any: number) => string} */
  mayHaveWords: (all, any) =>
    `Up to ${number(all)} ${all === 1 ? "document" : "documents"} may have all words, ` +
    `${number(any)} have a part of one`,
  /** @type {(words: string[]) => string} */
  inNoDocument: (words) =>
    `${words.map((word) => `“${word}”`).join(", ")} ${words.length === 1 ? "is" : "are"} ` +
    "in no document.",
  /** @type {(names: string[]) => string} */
  unchecked: (names) =>
    `${firstOf(names)} ${names.length === 1 ? "keeps" : "keep"} no whole texts: quotes were not ` +
    "looked for there, only their words.",
  partial: "For common words, only the documents in which they weigh most were read.",
  cappedWords: "This search has more words or matches than are looked at, so hits may be missing.",
  deeper: "Search deeper",
  moreHits: "Show more",
  fold: "Fold what is alike",
  /** @type {(count: number) => string} */
  moreLikeThis: (count) => `${number(count)} more like this`,
  labels: "labels",
  /** @type {(count: number) => string} */
  moreLabels: (count) => `and ${number(count)} more`,
};
