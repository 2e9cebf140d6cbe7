// Passages that two texts have in common: runs of the same words, as
// reader/wording/passages.py finds them.

const LEAST_WORDS = 4; // of a passage
// Of the same four words in a document, and runs followed at once: what is repeated more often says
// little.
const MOST_PLACES = 16;
const UNSPACED =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u30ff\\u3400-\\u9fff" +
  "\\u{20000}-\\u{3ffff}";
// A word, or one character of a script that puts no spaces between words.
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}_])+`, "gu");

/** @typedef {{ word: string, start: number, end: number }} Word */
/** @typedef {{ i: number, j: number, words: number }} Run */

/**
 * What two texts share: how many words, from start to end in one, and from to to in the other.
 * @typedef {{ words: number, start: number, end: number, from: number, to: number }} Passage
 */

/**
 * The words of a text, folded, and where they stand. Lower, upper and lower again is what comes
 * nearest to case folding: ẞ, ß and ss are one.
 * @param {string} text
 * @returns {Word[]}
 */
function wordsOf(text) {
  return Array.from(text.matchAll(WORD), (found) => ({
    word: found[0].normalize("NFKC").toLowerCase().toUpperCase().toLowerCase(),
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/**
 * The first LEAST_WORDS words from a place on, as one string.
 * @param {Word[]} words
 * @param {number} i
 */
function keyAt(words, i) {
  let out = "";
  for (let k = i; k < i + LEAST_WORDS; k++) out += `${words[k].word} `;
  return out;
}

/**
 * The places of each key, the first MOST_PLACES of them.
 * @param {Word[]} words
 */
function placesOf(words) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  for (let j = 0; j + LEAST_WORDS <= words.length; j++) {
    const found = places.get(keyAt(words, j));
    if (!found) places.set(keyAt(words, j), [j]);
    else if (found.length < MOST_PLACES) found.push(j);
  }
  return places;
}

/**
 * How many words from two places on are the same; LEAST_WORDS of them are known to be.
 * @param {Word[]} own
 * @param {number} i
 * @param {Word[]} other
 * @param {number} j
 */
function sameWords(own, i, other, j) {
  const most = Math.min(own.length - i, other.length - j);
  let words = LEAST_WORDS;
  while (words < most && own[i + words].word === other[j + words].word) words++;
  return words;
}

/**
 * The longest run that begins at a place in own, where one does. A word of own is in MOST_PLACES
 * runs at most.
 * @param {Word[]} own
 * @param {Word[]} other
 */
function runsOf(own, other) {
  const places = placesOf(other);
  /** @type {Run[]} */
  const runs = [];
  /** @type {Set<number>} */
  const followed = new Set(); // the runs that i is in, by j - i
  /** @type {Map<number, number[]>} */
  const ending = new Map(); // where they end in own
  for (let i = 0; i + LEAST_WORDS <= own.length; i++) {
    for (const shift of ending.get(i) ?? []) followed.delete(shift);
    ending.delete(i);
    /** @type {Run | null} */
    let longest = null;
    for (const j of places.get(keyAt(own, i)) ?? []) {
      if (followed.size === MOST_PLACES) break;
      if (followed.has(j - i)) continue;
      const words = sameWords(own, i, other, j);
      followed.add(j - i);
      if (!ending.get(i + words)?.push(j - i)) ending.set(i + words, [j - i]);
      if (words > (longest?.words ?? 0)) longest = { i, j, words };
    }
    if (longest) runs.push(longest);
  }
  return runs;
}

/**
 * The longest runs of LEAST_WORDS or more, longest first, none overlapping another in text: start
 * and end lie in text, from and to in document.
 * @param {string} text
 * @param {string} document
 * @returns {Passage[]}
 */
export function passages(text, document, most = 3) {
  const own = wordsOf(text);
  const other = wordsOf(document);
  /** @type {Run[]} */
  const chosen = [];
  for (const run of runsOf(own, other).sort((a, b) => b.words - a.words || a.i - b.i)) {
    if (chosen.length === most) break;
    if (chosen.every(({ i, words }) => run.i + run.words <= i || run.i >= i + words)) {
      chosen.push(run);
    }
  }
  return chosen.map(({ i, j, words }) => ({
    words,
    start: own[i].start,
    end: own[i + words - 1].end,
    from: other[j].start,
    to: other[j + words - 1].end,
  }));
}
