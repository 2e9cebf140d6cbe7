// The keys that lead to the field from everywhere on a page.

const EDITED = "input, textarea, select, [contenteditable]:not([contenteditable=false])";

/**
 * Does a key open the search: Control and K, Command and K, or a slash where nobody writes?
 * @param {KeyboardEvent} event
 */
export function isShortcut(event) {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented, isComposing } = event;
  if (defaultPrevented || isComposing || altKey) return false;
  if (ctrlKey || metaKey) return ctrlKey !== metaKey && key.toLowerCase() === "k";
  const [place] = event.composedPath();
  return key === "/" && !(place instanceof Element && place.closest(EDITED));
}
