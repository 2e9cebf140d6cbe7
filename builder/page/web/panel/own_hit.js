// A page's own form of a hit: a template within the element, filled with what is known of the page
// that was found. It stands in the page, not in the element's shadow, so the page's style holds.

import { element } from "../base/element.js";
import { safeLink } from "../view/links.js";
import { linkOf, marked } from "./hits.js";

/** @typedef {import("./hits.js").Hit} Hit */

// Of an element whose content is a field; data-field-NAME: of one whose attribute NAME is.
const FIELD = "data-field";
const ADDRESSES = ["href", "src"];
const ATTRIBUTES = [...ADDRESSES, "alt", "title", "datetime", "lang"];

/**
 * An item with a slot for a hit, and what the element gets as its child to fill the slot.
 * @param {HTMLTemplateElement} template
 * @param {Hit} hit
 * @param {string} slot
 */
export function ownItem(template, hit, slot) {
  const item = element("li", { part: "hit" }, element("slot", { name: slot }));
  return { item, filled: element("div", { slot }, filledOf(template, hit)) };
}

/**
 * @param {HTMLTemplateElement} template
 * @param {Hit} hit
 */
function filledOf(template, hit) {
  const made = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  for (const inner of made.querySelectorAll("template")) {
    const places = inner.getAttribute(FIELD) === "places" ? hit.subs : [];
    const hits = places.map((each) => ({ ...hit, ...each, meta: { title: each.title }, subs: [] }));
    inner.replaceWith(...hits.map((each) => filledOf(inner, each)));
  }
  for (const each of made.querySelectorAll("*")) fill(each, hit);
  return made;
}

/**
 * Put fields of a page into an element. If the page lacks one of them, the element goes.
 * @param {Element} into
 * @param {Hit} hit
 */
function fill(into, hit) {
  for (const { name, value: field } of [...into.attributes]) {
    const attribute = name.slice(FIELD.length + 1);
    if (name !== FIELD && !(name.startsWith(FIELD) && ATTRIBUTES.includes(attribute))) continue;
    into.removeAttribute(name);
    const text = textOf(hit, field, ADDRESSES.includes(attribute));
    const html = { title: hit.marked, excerpt: hit.excerpt }[field];
    if (!text) into.remove();
    else if (attribute) into.setAttribute(attribute, text);
    else into.replaceChildren(...(html ? marked(html) : [text]));
  }
}

/**
 * @param {Hit} hit
 * @param {string} field url, excerpt or the name of the page's metadata
 * @param {boolean} address does the field name a file, seen from the page?
 */
function textOf({ link, page, excerpt, meta }, field, address) {
  if (field === "url") return linkOf(link);
  if (field === "excerpt") return excerpt;
  const text = meta[field];
  return text && address ? safeLink(new URL(text, page).href) : text;
}
