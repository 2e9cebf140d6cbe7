// Sentences in the language of the page.

/** @typedef {Partial<Record<Intl.LDMLPluralRule, string>>} Numbered by the number n */
/** @typedef {string | Numbered} Text */
/** @typedef {(name: string, values?: Record<string, string | number>) => string} Say */

/**
 * The language that numbers, lists and orders are of. A page may say one that the browser does not
 * know, or what is no language.
 * @param {string} language
 */
export function localeOf(language) {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? "en";
  } catch {
    return "en";
  }
}

/**
 * What a language is called, or its code where the browser does not know it.
 * @param {string} code
 * @param {string} locale
 */
export function languageName(code, locale) {
  try {
    return new Intl.DisplayNames(locale, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/**
 * A function that says a text by its name, with the values put into its {places}. Of a name that
 * has no text it gives the name. english: texts that are in English, whatever the language of the
 * others.
 * @param {Record<string, Text>} texts
 * @param {string} locale
 * @param {Record<string, Text>} [english]
 * @returns {Say}
 */
export function sayer(texts, locale, english = {}) {
  const numbers = new Intl.NumberFormat(locale);
  const rules = new Intl.PluralRules(locale);
  const englishRules = new Intl.PluralRules("en");
  return (name, values = {}) => {
    const text = texts[name] ?? name;
    const plurals = text === english[name] ? englishRules : rules;
    const chosen =
      typeof text === "string"
        ? text
        : (text[plurals.select(Number(values.n))] ?? text.other ?? "");
    return chosen.replace(/\{(\w+)\}/g, (place, key) => {
      const value = values[key] ?? place;
      return typeof value === "number" ? numbers.format(value) : value;
    });
  };
}
