// What the page says of a hit's text: node excerpts.mjs < CASES. A case is a line of JSON,
// [document, passage of it or ""], and becomes [snippet of the document, excerpt].
import { createInterface } from "node:readline";
import { excerpt, snippet } from "../../builder/page/web/texts/excerpts.js";

for await (const line of createInterface({ input: process.stdin })) {
  const [document, passage] = JSON.parse(line);
  const from = document.indexOf(passage);
  const common = passage ? [{ from, to: from + passage.length }] : [];
  const pieces = excerpt(document, common).map(({ text, same }) => [text, same]);
  console.log(JSON.stringify([snippet(document), pieces]));
}
