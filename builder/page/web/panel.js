// What the element <pocket-search> loads when it is touched: the search, and how answers are shown.

import { PANEL_STYLE } from "./panel/given.js";
import { Searching } from "./panel/searching.js";

const style = new CSSStyleSheet();
style.replaceSync(PANEL_STYLE);

/** @type {import("./field/opening.js").Attach} */
function attach(opened) {
  opened.host.shadowRoot?.adoptedStyleSheets.push(style);
  return new Searching(opened);
}

Object.assign(customElements.get("pocket-search") ?? {}, { attach });
