// Another spelling for a word that no page has: one typing error away.

const LEAST = 4; // letters of a word that may be misspelt
const MOST_SPELLED = 12; // of the dictionary that are looked at

/** @typedef {import("./dictionary.js").Dictionary} Dictionary */
/** @typedef {import("./dictionary.js").Entry} Entry */

/**
 * The word of the dictionary that most pages have among those that are one edit away: a letter too
 * many, one too few, another one, or two neighbours that have changed places. The first letter
 * is taken for right where too many pieces would have to be read, and then the second.
 * @param {Dictionary} dictionary
 * @param {string} word
 */
export async function spellingOf(dictionary, word) {
  const letters = [...word];
  if (letters.length < LEAST || !/^\p{L}+$/u.test(word)) return "";
  for (const kept of [1, 2, 3]) {
    const beginning = letters.slice(0, kept).join("");
    const { entries, partial } = await dictionary.beginningWith(beginning, MOST_SPELLED, word);
    if (partial && kept < 3) continue;
    return bestOf(entries, letters);
  }
  return "";
}

/**
 * @param {Entry[]} entries
 * @param {string[]} letters
 */
function bestOf(entries, letters) {
  const last = letters[letters.length - 1];
  let best = "";
  let most = 0;
  for (const { word, count } of entries) {
    const other = [...word];
    if (Math.abs(other.length - letters.length) > 1 || !isOneEditAway(letters, other)) continue;
    const worth = count * (other[other.length - 1] === last ? 2 : 1);
    if (worth > most) {
      best = word;
      most = worth;
    }
  }
  return best;
}

/**
 * @param {string[]} a
 * @param {string[]} b
 */
function isOneEditAway(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const one = a.length - start - end;
  const other = b.length - start - end;
  if (one <= 1 && other <= 1) return one + other > 0;
  return one === 2 && other === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}
