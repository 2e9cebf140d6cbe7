// Which element of a page a key is for.

/**
 * Is an element shown, so that a visitor could use it?
 * @param {Element} host
 */
export function isShown(host) {
  const { visibility } = getComputedStyle(host);
  return host.getClientRects().length && visibility === "visible" && !host.closest("[inert]");
}

/**
 * Is a key for an element: the one in whose dialog it was pressed, or else the first one that is
 * shown; where none is, as with a menu that is folded, the first one with a dialog?
 * @param {Element} host
 * @param {Event} event
 */
export function isMeant(host, event) {
  const all = [...document.querySelectorAll("pocket-search")];
  const place = event.composedPath();
  return (
    host ===
    (all.find((one) => place.includes(one)) ||
      all.find(isShown) ||
      all.find((one) => !one.hasAttribute("inline")))
  );
}
