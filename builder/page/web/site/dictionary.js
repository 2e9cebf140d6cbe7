// The dictionary of a language: which pages have a word (docs/format.md 13.3).

const SPELLED = "\0"; // between a word's plain spelling and its own
const JOINT = "\u0001"; // between the first word of a heading and the checksum of all
const MOST_PIECES = 3; // that the words beginning as a word does are read of
const LEAST_SHARED = 3; // letters that forms have in common
const LONGEST_ENDING = 5;

/**
 * A word of the dictionary. levels, places, texts: of each page, as format.md has them; texts is 0
 * where the page has one alone.
 * @typedef {object} Entry
 * @property {string} word plain
 * @property {string} spelled "" where it is the plain one
 * @property {string} stem
 * @property {(all: Pages) => { slots: number[], levels: Uint8Array, places: Uint8Array,
 *   texts: Uint8Array }} pages
 * @property {number} count of pages
 */

/** @typedef {import("./pages.js").Pages} Pages */
/** @typedef {import("./pieces.js").Pieces} Pieces */

/**
 * @param {string} a
 * @param {string} b
 * @returns {number} below 0 where a comes first, by the bytes of UTF-8
 */
function compared(a, b) {
  const most = Math.min(a.length, b.length);
  for (let i = 0; i < most; i++) {
    if (a[i] !== b[i]) return weightOf(a.charCodeAt(i)) - weightOf(b.charCodeAt(i));
  }
  return a.length - b.length;
}

/** @param {number} unit surrogates come behind all others */
const weightOf = (unit) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

export class Dictionary {
  /**
   * @param {Pieces} pieces
   * @param {{ words: [string, string][], stemmed: boolean, rules: [string, string][] }} described
   */
  constructor(pieces, described) {
    this.pieces = pieces;
    this.words = described.words;
    this.stemmed = described.stemmed;
    // Behind a pair of empty endings are those of which the second follows a doubled letter.
    const rules = described.rules.map((rule) => rule.join("|"));
    const end = rules.includes("|") ? rules.indexOf("|") : rules.length;
    this.rules = new Set(rules.slice(0, end));
    this.doubled = new Set(rules.slice(end + 1));
  }

  /**
   * The number of the piece that a word would stand in.
   * @param {string} word
   */
  place(word) {
    let low = 0;
    for (let high = this.words.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (compared(this.words[middle][0], word) <= 0) low = middle;
      else high = middle;
    }
    return low;
  }

  /**
   * The words that begin so, of so many pieces at most, from the one of near on; partial: there are
   * more.
   * @param {string} beginning
   * @param {number} [most]
   * @param {string} [near]
   * @returns {Promise<{ entries: Entry[], partial: boolean }>}
   */
  async beginningWith(beginning, most = MOST_PIECES, near = beginning) {
    if (this.words.length === 0) return { entries: [], partial: false };
    const first = this.place(beginning);
    const last = this.place(`${beginning}\u{10ffff}`);
    const from = Math.max(first, Math.min(this.place(near), last - most + 1));
    const to = Math.min(last, from + most - 1);
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const found = await Promise.all(numbers.map((number) => this.piece(number)));
    const begins = (/** @type {Entry} */ entry) =>
      entry.word.startsWith(beginning) && !entry.word.includes(JOINT);
    const entries = found.flat().filter(begins);
    return { entries, partial: from > first || to < last };
  }

  /**
   * The pages with a title or heading of these words alone, each with which of its texts have it.
   * @param {string[]} words
   * @param {Promise<Pages>} all
   * @returns {Promise<Map<number, number>>}
   */
  async headedBy(words, all) {
    if (this.words.length === 0 || words.length === 0) return new Map();
    const sum = checksum([...new Set(words)].join(JOINT)) & 0xffffff;
    const own = `${words[0]}${JOINT}${sum.toString(16).padStart(6, "0")}`;
    const entries = await this.piece(this.place(own));
    const found = entries.find((entry) => entry.word === own)?.pages(await all);
    return new Map(found?.slots.map((slot, i) => [slot, found.texts[i]]));
  }

  /** @param {number} number */
  piece(number) {
    return this.pieces.get(`w-${this.words[number][1]}`, entriesOf);
  }

  /**
   * The words of the dictionary that are forms of a word: those of its stem, or, where it is not
   * there, those that differ from it as forms do.
   * @param {string} word
   * @returns {Promise<Entry[]>}
   */
  async formsOf(word) {
    if (!this.stemmed || !/^\p{L}{3,}$/u.test(word)) return [];
    const own = (await this.beginningWith(word, 1)).entries.find((entry) => entry.word === word);
    if (own) return this.ofStem(word, own.stem);
    const shared = word.slice(0, Math.max(LEAST_SHARED, word.length - LONGEST_ENDING));
    const { entries } = await this.beginningWith(shared, MOST_PIECES, word);
    let best = null;
    let longest = 0;
    for (const entry of entries) {
      const size = sharedBy(word, entry.word);
      if (size > longest && this.differAsForms(word, entry.word, size)) {
        best = entry;
        longest = size;
      }
    }
    return best ? this.ofStem(best.word, best.stem) : [];
  }

  /**
   * @param {string} word
   * @param {string} other
   * @param {number} size of what both begin with
   */
  differAsForms(word, other, size) {
    const [one, two] = [word.slice(size), other.slice(size)].sort();
    if (this.rules.has(`${one}|${two}`)) return true;
    const last = word[size - 1];
    return (
      (two[0] === last && this.doubled.has(`${one}|${two.slice(1)}`)) ||
      (one[0] === last && this.doubled.has(`${two}|${one.slice(1)}`))
    );
  }

  /**
   * @param {string} word
   * @param {string} stem
   */
  async ofStem(word, stem) {
    const size = sharedBy(word, stem);
    const shared = word.slice(0, Math.max(LEAST_SHARED, size));
    const { entries } = await this.beginningWith(shared, 2, word);
    return entries.filter((entry) => entry.stem === stem);
  }
}

/**
 * The CRC-32 of a text.
 * @param {string} text
 */
function checksum(text) {
  let sum = -1;
  for (const byte of new TextEncoder().encode(text)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum;
}

/**
 * @param {string} a
 * @param {string} b
 */
function sharedBy(a, b) {
  let size = 0;
  while (size < a.length && a[size] === b[size]) size++;
  return size;
}

/**
 * @param {Uint8Array} bytes of a piece
 * @returns {Entry[]}
 */
function entriesOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const headsEnd = 12 + view.getUint32(0, true);
  const levelsAt = headsEnd + view.getUint32(4, true);
  const placesAt = levelsAt + view.getUint32(8, true);
  const textsAt = placesAt + placesAt - levelsAt;
  const decoder = new TextDecoder();
  const entries = [];
  /** @type {(() => number[])[]} */
  const lists = [];
  /** @type {number[] | undefined} */
  let starts; // of the texts of each entry
  let before = new Uint8Array(0);
  let number = 0; // of the first page of the word
  let gapsAt = headsEnd;
  for (let at = 12; at < headsEnd; ) {
    const own = grown(before, bytes, at);
    at += 2 + bytes[at + 1];
    before = own;
    const [word, spelled = ""] = decoder.decode(own).split(SPELLED);
    const plain = new TextEncoder().encode(word);
    const stem = decoder.decode(grown(plain, bytes, at));
    at += 2 + bytes[at + 1];
    const [count, next] = varint(bytes, at);
    at = next;
    const first = number;
    const gapsFrom = gapsAt;
    for (let i = 0; i < count; gapsAt++) if (bytes[gapsAt] < 0x80) i++;
    number += count;
    const place = entries.length;
    const slots = () => slotsOf(bytes, gapsFrom, count);
    const pages = (/** @type {Pages} */ all) => {
      const own = slots();
      starts ??= startsOf(lists, all);
      let at = textsAt + starts[place];
      return {
        slots: own,
        levels: bytes.subarray(levelsAt + first, levelsAt + first + count),
        places: bytes.subarray(placesAt + first, placesAt + first + count),
        texts: Uint8Array.from(own, (slot) => (all.texts.has(slot) ? bytes[at++] : 0)),
      };
    };
    lists.push(slots);
    entries.push({ word, spelled, stem, pages, count });
  }
  return entries;
}

/**
 * How many pages of several texts the entries before each have.
 * @param {(() => number[])[]} lists the slots of each entry
 * @param {Pages} all
 */
function startsOf(lists, all) {
  let sum = 0;
  return lists.map((slots) => {
    const start = sum;
    for (const slot of slots()) if (all.texts.has(slot)) sum++;
    return start;
  });
}

/**
 * The beginning of some bytes with what is added to it.
 * @param {Uint8Array} before
 * @param {Uint8Array} bytes
 * @param {number} at a byte for how many stay, one for how many come, and these
 */
function grown(before, bytes, at) {
  const [kept, added] = bytes.subarray(at, at + 2);
  const own = new Uint8Array(kept + added);
  own.set(before.subarray(0, kept));
  own.set(bytes.subarray(at + 2, at + 2 + added), kept);
  return own;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {[number, number]} the number, and where the next one is
 */
function varint(bytes, at) {
  let value = 0;
  let place = at;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[place++];
    value += (byte & 127) * scale;
    if (byte < 128) return [value, place];
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} count
 */
function slotsOf(bytes, from, count) {
  const slots = [];
  let slot = 0;
  for (let i = 0, at = from; i < count; i++) {
    const [gap, next] = varint(bytes, at);
    slot += gap;
    at = next;
    slots.push(slot);
  }
  return slots;
}
