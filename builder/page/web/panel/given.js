// What builder/site/scripts.py puts here instead: the style and the texts.

/** The style of what is found. */
export const PANEL_STYLE = "";

/**
 * The texts, by languages.
 * @type {Record<string, Record<string, import("./say.js").Text>>}
 */
export const PANEL_TEXTS = {};
