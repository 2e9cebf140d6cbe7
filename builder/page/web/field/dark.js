// Whether a page is dark. A page may have a switch of its own, so the colour of its text decides,
// and not what the visitor's system prefers.

/** Does the page have light text? */
export function isDark() {
  const { color } = getComputedStyle(document.body);
  const [a, b, c] = (color.match(/[\d.]+/g) ?? []).map(Number);
  if (color.startsWith("ok")) return a > 0.6;
  if (color.startsWith("l")) return a > 60;
  return 3 * a + 6 * b + c > (color.startsWith("rgb") ? 1500 : 6);
}
