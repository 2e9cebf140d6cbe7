// Whose turn it is: of the questions that were put only the last one is answered.

import { byId } from "../view/elements.js";
import { hideOrigin } from "../view/origin.js";
import { hideReading } from "../view/reading_view.js";
import { hideResults } from "../view/results.js";
import { hideLoading, sentence, showBusy, showProblem, showStatus } from "../view/state.js";

let asked = 0;
/** @type {Element | null} */
let focused = null; // what had the focus when the last question was put

/** The number of a new question. */
export function nextTurn() {
  focused = document.activeElement;
  return ++asked;
}

/**
 * Was no other question put since?
 * @param {number} mine
 */
export const isMyTurn = (mine) => mine === asked;

/** For programs that drive the page: the number of the last question with an answer. */
export function answered() {
  document.documentElement.dataset.answered = String(asked);
}

/** Show what a page shows that was asked nothing. */
export function showNothing() {
  answered();
  showBusy(false);
  showStatus("");
  hideReading();
  hideResults();
  hideOrigin();
  hideLoading();
  showProblem("");
}

/**
 * Say what is the matter, where no other question was put since.
 * @param {unknown} problem
 * @param {number} mine
 */
export function fail(problem, mine = nextTurn()) {
  if (!isMyTurn(mine)) return;
  showNothing();
  showProblem(sentence(problem));
  byId("problem").scrollIntoView({ block: "nearest" });
  keepFocus();
}

/**
 * Where what had the focus was disabled or hidden on the way, it has it again, or the button that
 * asks once more.
 */
function keepFocus() {
  const now = document.activeElement;
  const isLost = !now || now === document.body || now.getClientRects().length === 0;
  if (!isLost || !(focused instanceof HTMLElement) || focused === document.body) return;
  const goal = focused.isConnected && focused.getClientRects().length > 0 ? focused : byId("find");
  goal.focus({ preventScroll: true });
}
