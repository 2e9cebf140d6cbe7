// The element <pocket-search> as every page has it: its button, its dialog and its field. All else
// is loaded when one of them is touched.

import { FIELD_STYLE } from "./field/given.js";
import { openingOf } from "./field/opening.js";

// In a folder that nobody serves, a page that has the name of its folder is a file, too.
function mendLinks() {
  if (location.protocol !== "file:") return;
  for (const link of document.querySelectorAll("pocket-related a")) {
    if (link instanceof HTMLAnchorElement && link.href.endsWith("/")) link.href += "index.html";
  }
}

const script = document.currentScript;
const here = script instanceof HTMLScriptElement ? script.src : document.baseURI;

class PocketSearch extends HTMLElement {
  /** @type {import("./field/opening.js").Attach} */
  static attach;

  /** @type {ReturnType<typeof openingOf> | undefined} */
  opening;

  connectedCallback() {
    const isNew = !this.opening;
    this.opening ??= this.begin();
    document.addEventListener("keydown", this.opening.press);
    const asked = new URLSearchParams(location.search).get("q");
    const isFirst = document.querySelector("pocket-search") === this;
    if (isNew && isFirst && asked !== null) this.open(asked);
  }

  disconnectedCallback() {
    if (this.opening) document.removeEventListener("keydown", this.opening.press);
  }

  begin() {
    const own = this.getAttribute("base");
    const base = own ? new URL(own, document.baseURI) : new URL(".", here);
    const opening = openingOf(this, base.href, () => PocketSearch.attach);
    const style = new CSSStyleSheet();
    style.replaceSync(FIELD_STYLE);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    root.append(opening.shell.all);
    return opening;
  }

  /**
   * Open the dialog, or go to the field.
   * @param {string} [text] to search for
   */
  open(text) {
    this.opening?.open(text);
  }

  /** Close the dialog, or empty the field. */
  close() {
    this.opening?.close();
  }
}

customElements.get("pocket-search") ?? customElements.define("pocket-search", PocketSearch);
mendLinks();
