// Counts of bytes, and shares, as they are shown.

import { say } from "./language.js";

/** @type {import("./language.js").Key[]} */
const UNITS = ["kilobytes", "megabytes", "gigabytes"];

/**
 * A count of bytes.
 * @param {number} bytes
 */
export function size(bytes) {
  if (bytes < 1000) return say("bytes", { count: bytes });
  let value = bytes / 1000;
  let unit = 0;
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000;
  return say(UNITS[unit], { size: value < 10 ? Math.round(10 * value) / 10 : Math.round(value) });
}

/**
 * A share that is given in ten-thousandths, rounded as the command rounds it: half to even.
 * @param {number} share
 */
export function percent(share) {
  const exact = (share / 10_000) * 100;
  const below = Math.floor(exact);
  const whole = exact - below === 0.5 ? below + (below % 2) : Math.round(exact);
  return isTiny(share) ? say("lessThanOne") : say("percent", { share: whole });
}

/**
 * Is it more than nothing, and rounded to nothing?
 * @param {number} share in ten-thousandths
 */
export const isTiny = (share) => share > 0 && share <= 50;
