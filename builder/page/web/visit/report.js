// The sources of a text as a file to keep: the part of the page that has them, and its style.

import { say, today } from "../base/language.js";
import { byId, element } from "../view/elements.js";

const NAME = "report.html";
const CONTROLS = "button, .unseen"; // that do nothing in a file

/**
 * Save the report. names: of the collections that were asked.
 * @param {string} names
 */
export function saveReport(names) {
  const link = element("a", { download: NAME });
  link.href = URL.createObjectURL(new Blob([reportOf(names)], { type: "text/html" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * A page without scripts. Texts of collections go through the DOM, which escapes them.
 * @param {string} names
 */
function reportOf(names) {
  const made = document.implementation.createHTMLDocument(document.title);
  made.documentElement.lang = document.documentElement.lang;
  const style = made.createElement("style");
  style.textContent = document.querySelector("style")?.textContent ?? "";
  const encoding = made.createElement("meta");
  encoding.setAttribute("charset", "utf-8");
  made.head.prepend(encoding);
  made.head.append(style);
  const title = element("h1", {}, document.title);
  const about = element("p", {}, say("reportOf", { names, day: today() }));
  const origin = /** @type {HTMLElement} */ (byId("origin").cloneNode(true));
  for (const each of origin.querySelectorAll(CONTROLS)) each.remove();
  for (const each of [origin, ...origin.querySelectorAll("[tabindex], [role=button]")]) {
    each.removeAttribute("tabindex");
    each.removeAttribute("role");
  }
  for (const link of origin.querySelectorAll("a")) {
    link.setAttribute("href", new URL(link.getAttribute("href") ?? "", location.href).href);
  }
  made.body.className = "report";
  made.body.append(title, about, origin);
  return `<!doctype html>\n${made.documentElement.outerHTML}\n`;
}
