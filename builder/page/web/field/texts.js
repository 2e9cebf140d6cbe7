// The texts of an element: in the language of the page, or as the page gives them itself.

/**
 * The language that an element stands in, as the page says it.
 * @param {Element} place
 */
export const languageOf = (place) =>
  place.closest("[lang]")?.getAttribute("lang") || navigator.language;

/**
 * The texts of a language over the English ones, and over both those of the page.
 * @template Text
 * @param {Record<string, Record<string, Text>>} tables by languages
 * @param {string} language
 * @param {Element} place
 * @returns {Record<string, Text>}
 */
export const textsOf = (tables, language, place) => ({
  ...tables.en,
  ...tables[language.split("-")[0].toLowerCase()],
  ...ownTexts(place),
});

/**
 * What the page has in a script of the type application/json within the element.
 * @param {Element} place
 */
function ownTexts(place) {
  const own = place.querySelector('script[type="application/json"]')?.textContent;
  return own ? JSON.parse(own) : {};
}
