// Passages that two texts have in common: runs of the same words, as reader/passages.py finds them.

const LEAST_WORDS = 4; // of a passage
const MOST_PLACES = 16; // of the same four words in a document, and runs followed at once; what is repeated more often says little
const UNSPACED = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u30ff\\u3400-\\u9fff\\u{20000}-\\u{3ffff}";
// A word, or one character of a script that puts no spaces between words.
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}_])+`, "gu");

// Folded, and where they stand. Lower, upper and lower again is what comes nearest to case folding: ẞ, ß and ss are one.
function wordsOf(text) {
  return Array.from(text.matchAll(WORD), (found) => ({
    word: found[0].normalize("NFKC").toLowerCase().toUpperCase().toLowerCase(),
    start: found.index,
    end: found.index + found[0].length,
  }));
}

// The longest run that begins at a place in own, where one does: {i, j, words}. A word of own is in MOST_PLACES runs at most.
function runsOf(own, other) {
  const key = (words, i) => {
    let out = "";
    for (let k = i; k < i + LEAST_WORDS; k++) out += `${words[k].word} `;
    return out;
  };
  const places = new Map();
  for (let j = 0; j + LEAST_WORDS <= other.length; j++) {
    const found = places.get(key(other, j));
    if (!found) places.set(key(other, j), [j]);
    else if (found.length < MOST_PLACES) found.push(j);
  }
  const runs = [];
  const followed = new Set(); // the runs that i is in, by j - i
  const ending = new Map(); // where they end in own
  for (let i = 0; i + LEAST_WORDS <= own.length; i++) {
    for (const shift of ending.get(i) ?? []) followed.delete(shift);
    ending.delete(i);
    let longest = null;
    for (const j of places.get(key(own, i)) ?? []) {
      if (followed.size === MOST_PLACES) break;
      if (followed.has(j - i)) continue;
      let words = LEAST_WORDS;
      while (i + words < own.length && j + words < other.length && own[i + words].word === other[j + words].word) words++;
      followed.add(j - i);
      if (!ending.get(i + words)?.push(j - i)) ending.set(i + words, [j - i]);
      if (words > (longest?.words ?? 0)) longest = { i, j, words };
    }
    if (longest) runs.push(longest);
  }
  return runs;
}

// The longest runs of LEAST_WORDS or more, longest first, none overlapping another in text: {words, start, end} in text, {from, to} in document.
function passages(text, document, most = 3) {
  const [own, other] = [wordsOf(text), wordsOf(document)];
  const chosen = [];
  for (const run of runsOf(own, other).sort((a, b) => b.words - a.words || a.i - b.i)) {
    if (chosen.length === most) break;
    if (chosen.every(({ i, words }) => run.i + run.words <= i || run.i >= i + words)) chosen.push(run);
  }
  return chosen.map(({ i, j, words }) => ({
    words,
    start: own[i].start,
    end: own[i + words - 1].end,
    from: other[j].start,
    to: other[j + words - 1].end,
  }));
}
