// Places of a text that are counted in the bytes of its UTF-8, as a string counts them.

/**
 * How many bytes UTF-8 has for the character at a place: a surrogate alone is written as U+FFFD.
 * @param {number} code a code point
 */
function bytesOfCode(code) {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

/**
 * The place in text of each byte.
 * @param {string} text
 * @param {number[]} bytes in any order
 * @returns {Map<number, number>}
 */
export function unitsOf(text, bytes) {
  const wanted = [...new Set(bytes)].sort((a, b) => a - b);
  /** @type {Map<number, number>} */
  const units = new Map();
  let unit = 0;
  let byte = 0;
  for (const place of wanted) {
    while (byte < place && unit < text.length) {
      const code = text.codePointAt(unit) ?? 0;
      byte += bytesOfCode(code);
      unit += code > 0xffff ? 2 : 1;
    }
    units.set(place, unit);
  }
  return units;
}

/**
 * What two texts have in common: from start to end in one, and from from to to in the other.
 * @typedef {{ start: number, end: number, from: number, to: number }} Common
 */

/**
 * The same places as strings count them, the longest first.
 * @param {string} text
 * @param {string} other
 * @param {Common[]} passages in bytes
 * @returns {Common[]}
 */
export function commonPlaces(text, other, passages) {
  const own = unitsOf(
    text,
    passages.flatMap(({ start, end }) => [start, end]),
  );
  const theirs = unitsOf(
    other,
    passages.flatMap(({ from, to }) => [from, to]),
  );
  const places = passages.map(({ start, end, from, to }) => ({
    start: own.get(start) ?? 0,
    end: own.get(end) ?? 0,
    from: theirs.get(from) ?? 0,
    to: theirs.get(to) ?? 0,
  }));
  return places.sort((a, b) => b.end - b.start - (a.end - a.start));
}
