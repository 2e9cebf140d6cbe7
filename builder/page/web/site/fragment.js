// Where on a page something stands, as an address says it: a text fragment. A browser goes to the
// first place of the page that has its words, also before the heading that the address names.

const FEWEST = 3; // words, where the paragraph has them: parts that are not in the index count, too
const FEWEST_OF_SOME = 6; // where not all that is before them is known
const MOST = 12;
const LONGEST = 80; // characters of a word: scripts without spaces have no words to add
const OUTER = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/**
 * So many words about a place that the page has them nowhere before. Empty if there are none within
 * its paragraph.
 * @param {string[]} texts of the parts of a page
 * @param {number} part
 * @param {{ start: number, end: number }} place in the text of the part
 * @param {boolean} whole are the texts all that the page has before the place?
 */
export function phraseAt(texts, part, { start, end }, whole) {
  const text = texts[part];
  const fewest = whole ? FEWEST : FEWEST_OF_SOME;
  const from = Math.max(...["\n", "\t"].map((sign) => text.lastIndexOf(sign, start - 1))) + 1;
  const paragraph = text.slice(from).split(/[\n\t]/, 1)[0];
  const words = [...paragraph.matchAll(/\S+/g)].map(({ index, 0: word }) => ({
    start: from + index,
    end: from + index + word.length,
  }));
  let first = words.findIndex((word) => word.end > start);
  let last = words.findIndex((word) => word.end >= end);
  if (first < 0 || last < 0) return "";
  const before = texts.slice(0, part).join("\n").toLowerCase();
  const isNew = (/** @type {string} */ phrase, /** @type {number} */ at) =>
    !`${before}\n${text.slice(0, at).toLowerCase()}`.includes(phrase.toLowerCase());
  if (words[last].end - words[first].start > LONGEST) {
    const phrase = text.slice(start, end).replace(OUTER, "");
    return isNew(phrase, start) ? phrase : "";
  }
  for (let count = last - first + 1; count <= MOST; count++) {
    const phrase = text.slice(words[first].start, words[last].end).replace(OUTER, "");
    const isAll = count === words.length;
    if ((count >= fewest || isAll) && isNew(phrase, words[first].start)) return phrase;
    if (isAll) break;
    if (last + 1 < words.length && (count % 2 === 1 || first === 0)) last++;
    else first--;
  }
  return "";
}

/**
 * An address that has browsers scroll to a phrase and mark it.
 * @param {string} url
 * @param {string} phrase
 */
export function withFragment(url, phrase) {
  if (!phrase) return url;
  // A hyphen has a meaning of its own there.
  const text = encodeURIComponent(phrase.replace(/\s+/g, " ")).replace(/-/g, "%2D");
  return `${url}${url.includes("#") ? "" : "#"}:~:text=${text}`;
}
