// Whose turn it is: of the questions that were put only the last one is answered.

import { hideOrigin } from "../view/origin.js";
import { hideReading } from "../view/reading_view.js";
import { hideResults } from "../view/results.js";
import { hideLoading, sentence, showBusy, showProblem, showStatus } from "../view/state.js";

let asked = 0;

/** The number of a new question. */
export const nextTurn = () => ++asked;

/**
 * Was no other question put since?
 * @param {number} mine
 */
export const isMyTurn = (mine) => mine === asked;

/** For programs that drive the page: the number of the last question with an answer. */
export function answered() {
  document.documentElement.dataset.answered = String(asked);
}

/**
 * Say what is the matter, where no other question was put since.
 * @param {unknown} problem
 * @param {number} mine
 */
export function fail(problem, mine = nextTurn()) {
  if (!isMyTurn(mine)) return;
  answered();
  showBusy(false);
  showStatus("");
  hideReading();
  hideResults();
  hideOrigin();
  hideLoading();
  showProblem(sentence(problem));
}
