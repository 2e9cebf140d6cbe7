// What the package says where the modules of the page speak to a visitor: a bundle has this module in
// place of base/language.js. All that the core itself says comes from pocket_describe.

/** @type {Record<string, string>} */
const sentences = {
  noPocketFile:
    "{name}: not a pocket file: expected the first bytes 89 50 43 4b 54 0d 0a 1a; check the path",
  tooNew: "{name}: too new: the major version of its format; upgrade pocketindex",
  damaged: "{name}: damaged: {place}; copy or download the file again",
  cutOff:
    "{name}: damaged: header: file size: expected {expected}, found {found}; copy or download " +
    "the file again",
  changed:
    "{name}: changed: it was written to while open; open it again; replace files by renaming",
  noRange: "the server stopped sending parts of the file; open it again",
  noMemory: "memory ran out",
  tooShort:
    "the text has {count} {terms} besides stop words; {least} are needed to find similar " +
    "documents, and no document has exactly this text; give more text",
  tooShortOrWords:
    "the text has {count} {terms} besides stop words; with fewer than {least}, it is compared " +
    "by its words alone, and no document is similar; search() finds documents that have some of " +
    "them",
  tooShortDocument:
    "the document has too few terms for a sketch; it is found by its id, its words and as a copy",
  damagedShard: "{file}: damaged; copy or download it again",
};

/**
 * A sentence with values in its places.
 * @param {string} key
 * @param {Record<string, string | number>} values
 */
export function say(key, values = {}) {
  /** @type {Record<string, string | number>} */
  const all = { ...values, terms: values.count === 1 ? "term" : "terms" };
  return sentences[key].replace(/\{(\w+)\}/g, (_, name) => String(all[name]));
}
