// Addresses that a collection gives.

import { element } from "../base/element.js";

/**
 * A link that leads to a page, or null: what would run or hold something itself, or ask another
 * computer for a file, is shown as text only.
 * @param {string} url
 */
export function safeLink(url) {
  if (!url) return null;
  try {
    const { protocol, host } = new URL(url, location.href);
    const beside = protocol === "file:" && location.protocol === "file:" && host === location.host;
    return protocol === "http:" || protocol === "https:" || beside ? url : null;
  } catch {
    return null;
  }
}

/**
 * An address as a person reads it. Originals have the names that their collection knows, not those
 * of the folder in which the disc has them.
 * @param {string} url
 */
export function readable(url) {
  try {
    return decodeURI(url).replace(/^o\d+\//, "");
  } catch {
    return url;
  }
}

/**
 * A text that leads to an address, where there is one.
 * @param {string | null} href
 * @param {string} text
 */
export function linkTo(href, text) {
  if (!href) return element("span", { dir: "auto" }, text);
  if (href.startsWith("#")) return element("a", { href, dir: "auto" }, text);
  return element("a", { href, rel: "noreferrer noopener", dir: "auto" }, text);
}

/** @param {{ title?: string, id?: string }} named */
export const nameOf = ({ title, id }) => title || id || "";
