// The words of texts and of questions, as the core finds them (cbits/build/word_places.c).

import { unitsOf } from "../texts/places.js";

/** @typedef {import("../core/core.js").Core} Core */

const PER_WORD = 3; // numbers of a word of a text
const PER_ASKED = 4; // numbers of a word that is asked
const MOST_ASKED = 64;
const MOST_NUMBERS = 1 + MOST_ASKED * PER_ASKED + 64;
export const WHOLE_WORD = 0;
export const COMPOUND_WORD = 1;

/**
 * A word of a text: plain, as the dictionary has it; from start to end in the text.
 * @typedef {{ word: string, start: number, end: number, kind: number }} Word
 */

/**
 * A word of a question. typed: as it is written; spelled: the same in small letters, where its
 * plain spelling differs; before, behind: the signs beside it.
 * @typedef {Word & { typed: string, spelled: string, excluded: boolean, quoted: boolean,
 *  idle: boolean, before: string, behind: string }} Asked
 */

/** @typedef {{ words: string[], negative: boolean }} Quote */

/**
 * @param {Core} core
 * @param {string} name of the call
 * @param {string} text
 * @param {number} room for numbers
 */
function written(core, name, text, room) {
  const bytes = new TextEncoder().encode(text);
  const capacity = 8 * bytes.length + 1024;
  return core.scratch((allocate) => {
    const at = allocate(bytes.length);
    core.bytes(at, bytes.length).set(bytes);
    const out = allocate(capacity);
    const size = allocate(8);
    const numbers = allocate(4 * room);
    const count = allocate(4);
    core.setU32(count, room);
    const calls = /** @type {any} */ (core.calls);
    calls[name](at, BigInt(bytes.length), out, BigInt(capacity), size, numbers, count);
    const words = core.string(out, Math.min(capacity, core.u64(size))).split("\n");
    const found = new Uint32Array(core.calls.memory.buffer, numbers, core.u32(count)).slice();
    return { words, numbers: found };
  });
}

/**
 * @param {string} word
 * @param {Record<string, string>} letters that have another plain spelling
 */
function plainOf(word, letters) {
  let plain = "";
  for (const letter of word) plain += letters[letter] ?? letter;
  return plain;
}

/**
 * @param {Core} core
 * @param {string} text
 * @param {Record<string, string>} letters
 * @returns {Word[]}
 */
export function wordsOf(core, text, letters) {
  const room = PER_WORD * (2 * text.length + 16);
  const { words, numbers } = written(core, "pocket_words_places", text, room);
  const places = [...numbers.filter((_, i) => i % PER_WORD !== 2)];
  const ascii = places.length === 0 || isAscii(text);
  const units = ascii ? null : unitsOf(text, places);
  const at = (/** @type {number} */ byte) => (units ? (units.get(byte) ?? 0) : byte);
  return words.slice(0, -1).map((word, i) => ({
    word: ascii ? word : plainOf(word, letters),
    start: at(numbers[PER_WORD * i]),
    end: at(numbers[PER_WORD * i + 1]),
    kind: numbers[PER_WORD * i + 2],
  }));
}

/** @param {string} text */
function isAscii(text) {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

const QUOTES = '"\u201c\u201d\u201e';

/**
 * What a question asks for.
 * @param {Core} core
 * @param {string} text
 * @param {Record<string, string>} letters
 * @returns {{ words: Asked[], quotes: Quote[] }}
 */
export function askedOf(core, text, letters) {
  const { words, numbers } = written(core, "pocket_asked_write", text, MOST_NUMBERS);
  const count = numbers[0] ?? 0;
  const own = numbers.slice(1, 1 + PER_ASKED * count);
  const units = unitsOf(text, [...own.filter((_, i) => i % PER_ASKED < 2)]);
  const kinds = new Map(wordsOf(core, text, letters).map((w) => [keyOf(w), w.kind]));
  const quotes = quotesOf(words, numbers, 1 + PER_ASKED * count, letters);
  const inQuotes = new Set(quotes.flatMap((quote) => quote.words));
  const asked = Array.from({ length: count }, (_, i) => {
    const [from, to, role] = own.slice(PER_ASKED * i, PER_ASKED * (i + 1));
    const word = plainOf(words[i], letters);
    const start = units.get(from) ?? 0;
    const end = units.get(to) ?? 0;
    const between = QUOTES.includes(text[start - 1] ?? " ") && QUOTES.includes(text[end] ?? " ");
    const typed = text.slice(start, end);
    const spelled = typed.toLowerCase().normalize("NFC");
    return {
      ...{ word, start, end, kind: kinds.get(keyOf({ word, start, end })) ?? WHOLE_WORD },
      typed,
      spelled: spelled === word ? "" : spelled,
      excluded: role === 1,
      quoted: between || inQuotes.has(word),
      idle: role > 1,
      before: /[^\s\p{L}\p{N}"\u201c-\u201e]*$/u.exec(text.slice(0, start))?.[0] ?? "",
      behind: /^[^\s\p{L}\p{N}"\u201c-\u201e]*/u.exec(text.slice(end))?.[0] ?? "",
    };
  });
  return { words: asked, quotes };
}

/** @param {{ word: string, start: number, end: number }} word */
const keyOf = ({ word, start, end }) => `${start} ${end} ${word}`;

/**
 * @param {string[]} words
 * @param {Uint32Array} numbers
 * @param {number} from
 * @param {Record<string, string>} letters
 */
function quotesOf(words, numbers, from, letters) {
  /** @type {Quote[]} */
  const quotes = [];
  for (let at = from; at < numbers.length; at += 2 + numbers[at + 1]) {
    if (numbers[at] === 1) continue; // a run of characters: its pairs are words that are asked
    const places = [...numbers.slice(at + 2, at + 2 + numbers[at + 1])];
    const own = places.map((place) => plainOf(words[place], letters));
    quotes.push({ words: own, negative: numbers[at] === 2 });
  }
  return quotes;
}
