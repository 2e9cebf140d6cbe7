// What the page is doing, and what is the matter.

import { say } from "../base/language.js";
import { size } from "../base/numbers.js";
import { Problem } from "../base/problem.js";
import { byId } from "./elements.js";

/** @param {string} text */
export function showProblem(text) {
  byId("problem").textContent = text;
}

/**
 * What a problem says to the visitor.
 * @param {unknown} problem
 */
export function sentence(problem) {
  if (problem instanceof Problem) return problem.message;
  if (problem instanceof RangeError || problem instanceof WebAssembly.RuntimeError) {
    return say("noMemory");
  }
  return say("wrong", { problem: String(problem) });
}

/**
 * @param {string} text
 * @param {boolean} unseen for screen readers only, because it is to be seen elsewhere
 */
export function showStatus(text, unseen = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("unseen", unseen);
}

/** @returns {HTMLButtonElement} */
const findButton = () => byId("find");

/** @param {boolean} is */
export function showBusy(is) {
  findButton().disabled = is;
  byId("results").setAttribute("aria-busy", String(is));
}

let told = ""; // of what is being loaded

/**
 * @param {number} loaded bytes
 * @param {number} total bytes
 */
export function showLoading(loaded, total) {
  /** @type {HTMLProgressElement} */
  const bar = byId("loading");
  bar.hidden = loaded >= total;
  bar.max = total;
  bar.value = loaded;
  if (loaded < total) {
    told = say("loading", { loaded: size(loaded), total: size(total) });
    showStatus(told);
  } else if (told && byId("status").textContent === told) {
    showStatus(findButton().disabled ? say("searching") : "");
  }
}

export function hideLoading() {
  byId("loading").hidden = true;
}
