// The keys of what was found: arrows lead from the field to the links and back, a letter goes on in
// the field.

/**
 * @param {HTMLElement} all with field and links in it
 * @param {HTMLInputElement} field
 */
export function moveByKeys(all, field) {
  all.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
    if (ctrlKey || metaKey || altKey || isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (go(all, field, target, key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    } else if (target instanceof HTMLAnchorElement && (/^\S$/u.test(key) || key === "Backspace")) {
      field.focus();
    }
  });
}

/**
 * To the next link or the one before; before the first stands the field. Returns whether it went.
 * @param {HTMLElement} all
 * @param {HTMLInputElement} field
 * @param {EventTarget | null} target
 * @param {1 | -1} step
 */
function go(all, field, target, step) {
  const from = /** @type {HTMLElement} */ (target);
  // A list or a box to tick has arrows of its own.
  if (from !== field && !from.matches("a, button")) return false;
  const stops = [field, ...linksOf(all)];
  const goal = stops[stops.indexOf(from) + step];
  if (!goal || !stops.includes(from)) return false;
  goal.focus();
  if (goal === field) field.select();
  return true;
}

/**
 * The links and buttons of the hits, in order, also those that the page has made itself.
 * @param {HTMLElement} all
 * @returns {HTMLElement[]}
 */
export function linksOf(all) {
  const items = [...all.querySelectorAll("[part=hit], .more")];
  return items.flatMap((item) => {
    const slot = item.querySelector("slot");
    const places = slot ? slot.assignedElements() : [item];
    return places.flatMap((place) => [
      ...(place.matches("button") ? [/** @type {HTMLElement} */ (place)] : []),
      .../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("a[href], button")),
    ]);
  });
}

/** @param {HTMLElement} all */
export const firstLink = (all) => linksOf(all).find((each) => each instanceof HTMLAnchorElement);
