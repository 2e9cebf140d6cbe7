// From the box to the answer and back, by keys.

import { byId, textField } from "../view/elements.js";

const LINKS = "#named a, #sources h3 a, #hits h3 a";

/** @param {Element} element is it a title of the answer? */
export const isLink = (element) => element.matches(LINKS);

/**
 * Is the cursor behind all that stands in the box?
 * @param {HTMLTextAreaElement} field
 */
export const isAtEnd = (field) => field.selectionEnd === field.value.length;

/**
 * To the next title of the answer, or to the one before: from the box to the first. Returns whether
 * there is one.
 * @param {1 | -1} step
 */
export function goToLink(step) {
  const links = Array.from(document.querySelectorAll(LINKS)).filter(
    (link) => link.getClientRects().length > 0,
  );
  const at = links.indexOf(/** @type {Element} */ (document.activeElement));
  const goal = links[at + step];
  if (!(goal instanceof HTMLElement)) return false;
  goal.focus();
  return true;
}

/** To the box, with what stands in it ready to be replaced. */
export function goToBox() {
  byId("ask").scrollIntoView({ block: "nearest" });
  textField().focus();
  textField().select();
}
