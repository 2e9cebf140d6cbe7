// Numbers as they are shown.

/**
 * @param {number} value
 * @returns {string}
 */
export const number = (value) => Number(value).toLocaleString("en");

/**
 * A count of bytes.
 * @param {number} bytes
 * @returns {string}
 */
export function size(bytes) {
  const units = ["bytes", "KB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < 3; unit++) value /= 1000;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/**
 * A share that is given in ten-thousandths, rounded as the command rounds it: half to even.
 * @param {number} share
 */
export function percent(share) {
  const exact = (share / 10_000) * 100;
  const below = Math.floor(exact);
  const whole = exact - below === 0.5 ? below + (below % 2) : Math.round(exact);
  return share > 0 && whole === 0 ? "less than 1 %" : `${whole} %`;
}
