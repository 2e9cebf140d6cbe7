// The dialog and the field of an element: opened, closed, and connected with what is loaded then.

import { isDark } from "./dark.js";
import { enter, loadAhead, loadPanel } from "./entry.js";
import { FIELD_TEXTS } from "./given.js";
import { isShortcut } from "./keys.js";
import { load } from "./load.js";
import { isMeant, isShown } from "./meant.js";
import { shellOf } from "./shell.js";
import { languageOf, textsOf } from "./texts.js";

/** @typedef {import("./shell.js").Shell} Shell */

/**
 * What the script PANEL does with a field: ask with what stands in it, open the first hit, end.
 * @typedef {{ ask: () => void, go: () => void, clear: () => void }} Panel
 */

/**
 * host: the element; base: the address of the folder with the index; entry: that of its entry file,
 * which load has begun to load.
 * @typedef {{ host: HTMLElement, shell: Shell, base: string, entry: string, load: typeof load,
 *   language: string, open: () => void, close: () => void }} Opened
 */

/** @typedef {(opened: Opened) => Panel} Attach */

/**
 * @param {HTMLElement} host
 * @param {string} base
 * @param {() => Attach} attach what the script PANEL has left
 */
export function openingOf(host, base, attach) {
  const language = languageOf(host);
  const texts = textsOf(FIELD_TEXTS, language, host);
  const shell = shellOf(texts, host.hasAttribute("inline"));
  const { all, button, dialog, form, field, status } = shell;
  let entry = enter(base);
  /** @type {Panel | undefined} */
  let panel;

  async function start() {
    host.toggleAttribute("dark", isDark());
    if (!panel) {
      status.textContent ||= texts.loading;
      try {
        entry = enter(base);
        loadAhead(base, entry).catch(() => {});
        await loadPanel(base, entry);
        panel ??= attach()({ host, shell, base, entry, load, language, open, close });
      } catch {
        status.textContent = texts.missing;
      }
    }
    panel?.ask();
  }

  /** @param {string} [text] */
  function open(text) {
    if (text !== undefined) field.value = text;
    if (dialog && !dialog.open) {
      if (!isShown(host)) comeOut(host, dialog);
      dialog.showModal();
      host.dispatchEvent(new Event("pocket-open", { bubbles: true }));
    }
    field.focus();
    field.select();
    start();
  }

  function close() {
    if (dialog) dialog.close();
    else field.value = "";
    panel?.clear();
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (!isShortcut(event) || !isMeant(host, event)) return;
    event.preventDefault();
    open();
  }

  button?.addEventListener("click", () => open());
  button?.addEventListener("pointerenter", () => loadPanel(base, entry).catch(() => {}));
  dialog?.addEventListener("click", ({ target }) => target === dialog && close());
  dialog?.addEventListener("close", () =>
    host.dispatchEvent(new Event("pocket-close", { bubbles: true })),
  );
  form.querySelector("button")?.addEventListener("click", close);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    panel?.go();
  });
  field.addEventListener("focus", () => dialog || start());
  field.addEventListener("input", () => start());
  all.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    close();
  });
  return { shell, open, close, press, start };
}

/**
 * Take an element that is not shown, as in a menu that is folded, to the end of the page until its
 * dialog is closed: it would not be shown, either, and would yet keep visitors from the page.
 * @param {HTMLElement} host
 * @param {HTMLDialogElement} dialog
 */
function comeOut(host, dialog) {
  const place = document.createComment("");
  const { style } = host;
  const before = style.cssText;
  const back = () => {
    style.cssText = before;
    place.replaceWith(host);
  };
  host.replaceWith(place);
  document.body.append(host);
  style.cssText += ";display:contents!important;visibility:visible!important";
  dialog.addEventListener("close", back, { once: true });
}
