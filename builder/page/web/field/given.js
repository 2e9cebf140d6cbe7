// What builder/site/scripts.py puts here instead: the style, the texts, a name.

/** The style of the button, the dialog and the field. */
export const FIELD_STYLE = "";

/**
 * The texts that are wanted before anything is loaded, by languages.
 * @type {Record<string, Record<string, string>>}
 */
export const FIELD_TEXTS = {};

/** The name of the script with everything else; "" where the entry of the index has to say it. */
export const PANEL = "panel.js";
