// What can go wrong, in words for whoever stands before the page.

class Problem extends Error {}
class TooShort extends Problem {}

const COPY_AGAIN = "Copy or download it again.";

const words = {
  noPocketFile: (name) => `“${name}” is not a pocket file. Choose a file that “pocketindex build” has written; its name mostly ends in .pocket.`,
  tooNew: (name) => `“${name}” was made by a newer pocketindex than this page. Open it with a newer page.`,
  needsCmph: (name) => `“${name}” has a hash of libcmph, which no page can read. Build it again with --mph pilot.`,
  damaged: (name, place) => `“${name}” is damaged (${place}). ${COPY_AGAIN}`,
  cutOff: (name, expected, found) => `“${name}” should have ${number(expected)} bytes and has ${number(found)}. ${COPY_AGAIN}`,
  changed: (name) => `“${name}” was changed or moved while it was open. Choose it again.`,
  missingShard: (file) =>
    `The file ${file} cannot be loaded. Is the whole folder here? A page opened inside a zip archive has no files beside it: unpack the archive first.`,
  damagedShard: (file) => `The file ${file} is damaged. Copy or download the folder again.`,
  foreignShard: (file) => `The file ${file} is of another edition of this collection. Copy the whole folder again, or reload the page.`,
  choose: (file) =>
    `The page cannot read ${file} by itself: it was opened from a folder, or its server sends no parts of files. Choose the file with “Search another .pocket file”, or drop it here.`,
  noRange: "The server stopped sending parts of the file. Reload the page.",
  noMemory: "The browser has no more memory for this. Close other pages, or ask with a shorter text.",
  tooShort: (least, found) => `This text is too short: it has ${number(found)} usable ${found === 1 ? "word" : "words"}, and at least ${number(least)} are needed. Give more of it.`,
  tooLong: "This text is longer than 256 MB. Give a part of it.",
  noText: "Give a text first: paste it, type it, or drop a file.",
  notRead: (name) => `“${name}” cannot be read as text. Plain text, Markdown and HTML files can.`,
  noDocument: (name) => `“${name}” has no such document. The address may be of another edition of this collection.`,
  inLanguage: "All in your text’s language",
  others: "Search the other collections, too",
  bySketch: "By the stored features of the document, ",
  nothing: "Nothing similar found.",
  loading: "Loading, this once:",
  searching: "Searching",
  noTitle: "No title begins so.",
};

const number = (value) => Number(value).toLocaleString("en");

const size = (bytes) => {
  const units = ["bytes", "KB", "MB", "GB"];
  let unit = 0;
  for (; bytes >= 1000 && unit < 3; unit++) bytes /= 1000;
  return `${bytes < 10 && unit > 0 ? bytes.toFixed(1) : Math.round(bytes)} ${units[unit]}`;
};
