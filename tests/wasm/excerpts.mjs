// What the page says of a hit's text: node excerpts.mjs FOLDER < CASES. FOLDER has the page's scripts; a case is a line of JSON, [text, document, most],
// and becomes [passages, snippet of the document, excerpt].
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const scripts = ["passages.js", "excerpts.js"]
  .map((name) => readFileSync(`${process.argv[2]}/${name}`, "utf-8"))
  .join("\n");
const page = new Function(
  `"use strict"; ${scripts}\nreturn { passages, snippet, excerpt, oneLine };`,
)();
for await (const line of createInterface({ input: process.stdin })) {
  const [text, document, most] = JSON.parse(line);
  const found = page.passages(text, document, most);
  const common = found.map(({ start, end, words }) => [
    page.oneLine(text.slice(start, end)),
    words,
  ]);
  for (const { from, to } of found)
    if (!document.slice(from, to).trim())
      throw new Error("a passage without a place in the document");
  const pieces = page.excerpt(document, found).map(({ text, same }) => [text, same]);
  console.log(JSON.stringify([common, page.snippet(document), pieces]));
}
