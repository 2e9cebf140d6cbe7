// What is shown of a hit's text: its beginning, or the longest passage that it has in common with the visitor's text.

const SNIPPET = 160; // characters of a beginning
const EXCERPT = 240; // characters around a passage, and at most of it
const BEFORE = 60; // of them before it
const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";

const oneLine = (text) => text.split(new RegExp(`${SPACE}+`)).filter(Boolean).join(" ");

// The beginning of a text, as docs/format.md 6.1 has it; characters are code points.
function snippet(text, characters = SNIPPET) {
  // A code point has at most two units; runs of white space may be long, so that more is taken until there is enough.
  let line = [];
  for (let taken = 4 * characters; ; taken *= 4) {
    line = Array.from(oneLine(text.slice(0, taken)));
    if (taken >= text.length || line.length > characters + 1) break;
  }
  if (line.length <= characters) return line.join("");
  const space = line.lastIndexOf(" ", characters);
  return line.slice(0, space >= Math.floor((characters + 1) / 2) ? space : characters).join("");
}

// Pieces of a text, {text, same}: the beginning, or what lies around the first of the passages; same marks what stands in both texts.
function excerpt(document, common) {
  if (common.length === 0) return [{ text: snippet(document), same: false }];
  const start = wordStart(document, Math.max(0, common[0].from - BEFORE));
  const end = wordEnd(document, Math.min(document.length, start + EXCERPT));
  const pieces = start > 0 ? [{ text: "… ", same: false }] : [];
  let at = start;
  const add = (to, same) => {
    if (to > at) pieces.push({ text: document.slice(at, to), same });
    at = Math.max(at, to);
  };
  const inside = common.filter(({ from, to }) => to > start && from < end).sort((a, b) => a.from - b.from);
  for (const { from, to } of inside) {
    add(Math.min(from, end), false);
    add(Math.min(to, end), true);
  }
  add(end, false);
  if (end < document.length) pieces.push({ text: " …", same: false });
  return pieces;
}

// Where the word begins that place lies in, and where it ends, if that is near; never within a surrogate pair.
function wordStart(text, place) {
  const found = place > 0 ? text.slice(Math.max(0, place - 24), place).search(/\S+$/) : -1;
  return found < 0 ? whole(text, place) : whole(text, Math.max(0, place - 24) + found);
}

function wordEnd(text, place) {
  const rest = /^\S{0,24}/.exec(text.slice(place, place + 24))[0];
  return whole(text, place + rest.length);
}

const whole = (text, place) => (/[\udc00-\udfff]/.test(text.charAt(place)) ? place + 1 : place);
