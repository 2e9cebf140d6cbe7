// What the package says where the modules of the page speak to a visitor: a bundle has this module in
// place of base/messages.js. All that the core itself says comes from pocket_describe.

/** @typedef {(name: string) => string} Of */

export const messages = {
  /** @type {Of} */
  noPocketFile: (name) =>
    `${name}: not a pocket file: expected the first bytes 89 50 43 4b 54 0d 0a 1a; check the path`,
  /** @type {Of} */
  tooNew: (name) => `${name}: too new: the major version of its format; upgrade pocketindex`,
  /** @type {(name: string, place: string) => string} */
  damaged: (name, place) => `${name}: damaged: ${place}; copy or download the file again`,
  /** @type {(name: string, expected: number, found: number) => string} */
  cutOff: (name, expected, found) =>
    `${name}: damaged: header: file size: expected ${expected}, found ${found}; ` +
    "copy or download the file again",
  /** @type {Of} */
  changed: (name) =>
    `${name}: changed: it was written to while open; open it again; replace files by renaming`,
  noRange: "the server stopped sending parts of the file; open it again",
  noMemory: "memory ran out",
  /** @type {(least: number, found: number, words: boolean) => string} */
  tooShort: (least, found, words) =>
    `the text has ${found} ${found === 1 ? "term" : "terms"} besides stop words; ${least} are ` +
    "needed to find similar documents, and no document has exactly this text; " +
    (words ? "search() finds its words" : "give more text"),
  tooShortDocument:
    "the document has too few terms for a sketch; it is found by its id, its words and as a copy",
  /** @type {Of} */
  damagedShard: (file) => `${file}: damaged; copy or download it again`,
};
