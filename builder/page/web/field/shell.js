// What of an element is there before anything is loaded: a button that opens a dialog with the
// field, or the field alone.

import { element } from "../base/element.js";

/**
 * all: what the style holds for; panel: for what is found; status: what screen readers say when it
 * changes
 * @typedef {{
 *   all: HTMLElement, button: HTMLButtonElement | null, dialog: HTMLDialogElement | null,
 *   form: HTMLFormElement, field: HTMLInputElement, panel: HTMLElement, status: HTMLElement,
 * }} Shell
 */

const KEYS = /Mac|iP(hone|ad|od)/.test(navigator.platform) ? "⌘K" : "Ctrl K";

/**
 * @param {Record<string, string>} texts
 * @param {boolean} inline without a dialog
 * @returns {Shell}
 */
export function shellOf(texts, inline) {
  const { search, placeholder } = texts;
  const field = part("field", "input", { type: "search", placeholder, "aria-label": search });
  Object.assign(field, { autocomplete: "off", spellcheck: false, maxLength: 1000 });
  const form = part("form", "form", { role: "search" }, lens(), field);
  const status = part("status", "p", { role: "status" });
  const panel = part("panel", "div", {}, status);
  const all = element("div", { className: "all" });
  const shell = { all, button: null, dialog: null, form, field, panel, status };
  if (inline) {
    all.append(form, panel);
    return shell;
  }
  form.append(part("close", "button", { type: "button" }, texts.close));
  const dialog = part("dialog", "dialog", { "aria-label": search }, form, panel);
  const how = { type: "button", "aria-haspopup": "dialog", "aria-keyshortcuts": "/ Control+K" };
  const keys = element("kbd", { "aria-hidden": "true" }, KEYS);
  const button = part("button", "button", how, lens(), element("span", {}, search), keys);
  all.append(button, dialog);
  return { ...shell, button, dialog };
}

/**
 * An element that a page's style can name.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {string} part
 * @param {Name} name
 * @param {Record<string, unknown>} properties
 * @param {...(Node | string)} children
 */
const part = (part, name, properties, ...children) =>
  element(name, { part, ...properties }, ...children);

/** A magnifying glass, which the style draws. */
const lens = () => element("span", { className: "lens", "aria-hidden": "true" });
