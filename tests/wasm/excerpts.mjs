// What the page says of a hit's text: node excerpts.mjs < CASES. A case is a line of JSON,
// [text, document, most], and becomes [passages, snippet of the document, excerpt].
import { createInterface } from "node:readline";
import { excerpt, oneLine, snippet } from "../../builder/page/web/texts/excerpts.js";
import { passages } from "../../builder/page/web/texts/passages.js";

for await (const line of createInterface({ input: process.stdin })) {
  const [text, document, most] = JSON.parse(line);
  const found = passages(text, document, most);
  for (const { from, to } of found) {
    if (!document.slice(from, to).trim()) {
      throw new Error("a passage without a place in the document");
    }
  }
  const common = found.map(({ start, end, words }) => [oneLine(text.slice(start, end)), words]);
  const pieces = excerpt(document, found).map(({ text, same }) => [text, same]);
  console.log(JSON.stringify([common, snippet(document), pieces]));
}
