// The keys of what was found: arrows lead from the field to the links and back, a letter goes on in
// the field.

/**
 * @param {HTMLElement} all with all of these
 * @param {HTMLInputElement} field
 * @param {HTMLElement} found with the links
 */
export function moveByKeys(all, field, found) {
  all.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
    if (ctrlKey || metaKey || altKey || isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (go([field, ...linksOf(found)], target, key === "ArrowDown" ? 1 : -1))
        event.preventDefault();
    } else if (target instanceof HTMLAnchorElement && (/^\S$/u.test(key) || key === "Backspace")) {
      field.focus();
    }
  });
}

/**
 * To the next stop or the one before; the first is the field. Returns whether it went.
 * @param {HTMLElement[]} stops
 * @param {EventTarget | null} from
 * @param {1 | -1} step
 */
function go(stops, from, step) {
  const at = stops.indexOf(/** @type {HTMLElement} */ (from));
  const goal = at < 0 ? undefined : stops[at + step]; // a box to tick has arrows of its own
  goal?.focus();
  if (goal instanceof HTMLInputElement) goal.select();
  return goal !== undefined;
}

/**
 * The links and buttons of hits that are shown, in order, also those that the page has made itself.
 * @param {HTMLElement} hits
 */
export function linksOf(hits) {
  const found = [...hits.querySelectorAll("a, button, slot")].flatMap((each) =>
    each instanceof HTMLSlotElement
      ? each.assignedElements().flatMap((own) => [...own.querySelectorAll("a[href], button")])
      : [each],
  );
  const shown = found.filter((link) => link.getClientRects().length > 0);
  return /** @type {HTMLElement[]} */ (shown);
}

/** @param {HTMLElement} hits */
export const firstLink = (hits) => linksOf(hits).find((each) => each instanceof HTMLAnchorElement);
