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
