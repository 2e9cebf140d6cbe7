// A kept text as a reader sees it: paragraphs, headings, lists, tables and code, and marks in it.
// Inputs keep a line for each of them, which begins with a space of its own in headings, items and
// code, and a tab between the cells of a row (docs/inputs.md). In plain text, an indent makes code.

/** @typedef {[number, number]} Span start and end in a string */

/**
 * A piece of a text; of: the number of the mark that it is in, or -1.
 * @typedef {{ text: string, of: number }} MarkedPiece
 */

/**
 * rows: of cells, of a table; an item is a row with one; of others there is one cell.
 * @typedef {"text" | "heading" | "list" | "code" | "table"} Kind
 * @typedef {{ kind: Kind, rows: MarkedPiece[][][] }} Block
 */

/** @typedef {{ from: number, to: number, kind: Block["kind"] }} Line */

const INDENTED = /^(?: {2,}|\t)\s*\S/;
const LEAST_CELLS = 2;
const HEADING = "\u2005"; // builder/inputs/pages/signs.py
const ITEM = "\u2006";
const CODE = "\u2004";
/** @type {Record<string, Kind>} */
const LINE_SIGNS = { [HEADING]: "heading", [ITEM]: "list", [CODE]: "code" };
// A blank line within code parts no paragraphs.
const BLANK = new RegExp(`\\n[^\\S\\n${CODE}]*\\n`);

/**
 * @param {string} text
 * @param {Span[]} spans in any order; those that overlap are one mark
 * @returns {Block[]}
 */
export function blocksOf(text, spans) {
  const marks = apart(spans);
  /** @type {Line[][]} */
  const runs = [];
  // Where blank lines part paragraphs, the lines of one were broken to fit a width.
  const isBroken = BLANK.test(text);
  let before = "";
  for (const line of linesOf(text)) {
    const isEmpty = line.to === line.from;
    const alone = line.kind === "heading" || (line.kind === "text" && !isBroken);
    const goesOn = line.kind === before && !alone;
    if (!isEmpty && goesOn) runs.at(-1)?.push(line);
    else if (!isEmpty) runs.push([line]);
    if (!isEmpty) before = line.kind;
    else if (before !== "code") before = ""; // within code, a blank line may be a part of it
  }
  return runs.map((run) => {
    const { kind } = run[0];
    const whole = { from: run[0].from, to: run[run.length - 1].to };
    if (kind === "list") return { kind, rows: run.map((c) => [cutAtMarks(text, c, marks)]) };
    if (kind !== "table") return { kind, rows: [[unsigned(cutAtMarks(text, whole, marks))]] };
    return {
      kind,
      rows: run.map((line) => cellsOf(text, line).map((c) => cutAtMarks(text, c, marks))),
    };
  });
}

/**
 * Pieces of code without the signs of its lines; no mark begins at one.
 * @param {MarkedPiece[]} pieces
 */
const unsigned = (pieces) =>
  pieces.map(({ text, of }) => ({ text: text.replaceAll(`\n${CODE}`, "\n"), of }));

/**
 * How many marks spans are.
 * @param {Span[]} spans
 */
export const countOf = (spans) => apart(spans).length;

/**
 * Spans that do not overlap, rising.
 * @param {Span[]} spans
 */
function apart(spans) {
  /** @type {Span[]} */
  const found = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else if (to > from) found.push([from, to]);
  }
  return found;
}

/**
 * @param {string} text
 * @returns {Generator<Line>}
 */
function* linesOf(text) {
  let from = 0;
  while (from <= text.length) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    const line = text.slice(from, to);
    const sign = line.charAt(0) in LINE_SIGNS ? 1 : 0;
    const kind = kindOf(line);
    yield { from: from + sign, to: line.trim() === "" ? from + sign : to, kind };
    from = to + 1;
  }
}

/**
 * @param {string} line
 * @returns {Block["kind"]}
 */
function kindOf(line) {
  if (line.startsWith(CODE)) return "code";
  if (line.trim().split("\t").length >= LEAST_CELLS) return "table";
  return LINE_SIGNS[line.charAt(0)] ?? (INDENTED.test(line) ? "code" : "text");
}

/**
 * Where the cells of a row lie.
 * @param {string} text
 * @param {Line} line
 */
function cellsOf(text, { from, to }) {
  let at = from;
  return text
    .slice(from, to)
    .split("\t")
    .map((cell) => {
      const place = { from: at, to: at + cell.length };
      at += cell.length + 1;
      return place;
    });
}

/**
 * A stretch of a text, cut where marks begin and end.
 * @param {string} text
 * @param {{ from: number, to: number }} stretch
 * @param {Span[]} marks rising
 */
function cutAtMarks(text, { from, to }, marks) {
  /** @type {MarkedPiece[]} */
  const pieces = [];
  let at = from;
  for (let i = firstBehind(marks, from); i < marks.length && marks[i][0] < to; i++) {
    const start = Math.max(marks[i][0], from);
    const end = Math.min(marks[i][1], to);
    if (start > at) pieces.push({ text: text.slice(at, start), of: -1 });
    pieces.push({ text: text.slice(start, end), of: i });
    at = end;
  }
  if (at < to) pieces.push({ text: text.slice(at, to), of: -1 });
  return pieces;
}

/**
 * The first mark that ends behind a place.
 * @param {Span[]} marks
 * @param {number} place
 */
function firstBehind(marks, place) {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle][1] > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
