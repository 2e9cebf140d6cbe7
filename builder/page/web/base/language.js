// What the page says, in the visitor's language: the sentences of languages/, and numbers.

/** @typedef {keyof typeof import("../languages/en.json")} Key */
/**
 * A sentence by its key, or its forms by the plural categories of the language, and by numbers that
 * have a form of their own.
 * @typedef {Record<string, string | Record<string, string>>} Sentences
 */

/** @type {Sentences} */
let sentences = {};
let pluralRules = new Intl.PluralRules("en");
let numberFormat = new Intl.NumberFormat("en");
let dateFormat = new Intl.DateTimeFormat("en", { dateStyle: "long" });
let listFormat = new Intl.ListFormat("en", { type: "disjunction" });

/**
 * Speak the first of some languages that there are sentences of, or else the first that there is.
 * Returns its name.
 * @param {Record<string, Sentences>} tables by names of languages
 * @param {readonly string[]} wanted as a browser has them, such as "de-AT"
 */
export function speak(tables, wanted) {
  /** @param {string} tag */
  const nameOf = (tag) => [tag, tag.split("-")[0]].find((name) => name in tables);
  const tag = wanted.find(nameOf) ?? Object.keys(tables)[0];
  const name = nameOf(tag) ?? tag;
  sentences = tables[name];
  pluralRules = new Intl.PluralRules(tag);
  numberFormat = new Intl.NumberFormat(tag);
  dateFormat = new Intl.DateTimeFormat(tag, { dateStyle: "long" });
  listFormat = new Intl.ListFormat(tag, { type: "disjunction" });
  return name;
}

/**
 * A sentence with values in its places. count: the number that chooses the form.
 * @param {Key} key
 * @param {Record<string, string | number>} values
 */
export function say(key, values = {}) {
  return formOf(key, values.count).replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? number(value) : value;
  });
}

/**
 * What stands before and behind the one place of a sentence.
 * @param {Key} key
 */
export const around = (key) => formOf(key, 0).split(/\{\w+\}/);

/**
 * @param {Key} key
 * @param {string | number} count
 */
function formOf(key, count) {
  const forms = sentences[key];
  if (typeof forms === "string") return forms;
  return forms[count] ?? forms[pluralRules.select(Number(count))] ?? forms.other;
}

/**
 * @param {number} value
 * @returns {string}
 */
export const number = (value) => numberFormat.format(value);

export const today = () => dateFormat.format(new Date());

/**
 * Words of which any may be meant.
 * @param {string[]} words
 */
export const anyOf = (words) => listFormat.format(words);

const NAMED = 3; // files of many

/**
 * Names in quotation marks: the first of many, and how many more there are.
 * @param {string[]} all
 * @param {number} most
 */
export function quoted(all, most = NAMED) {
  const names = all
    .slice(0, most)
    .map((name) => say("quoted", { name }))
    .join(", ");
  const count = all.length - most;
  return count > 0 ? say("andMore", { names, count }) : names;
}
