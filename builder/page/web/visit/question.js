// What a visitor asks: a few words are searched for, more are asked with as a text. Either way the
// other one is offered.

import { messages } from "../base/messages.js";
import { isFewWords } from "../texts/few_words.js";
import { textField } from "../view/elements.js";
import { askText } from "./asking.js";
import { searched } from "./places.js";
import { search, stopTyping } from "./searching.js";

/** Can words be searched for where the visitor looks? */
export const hasWords = () => searched().some(({ worded }) => worded);

/** Would what stands in the field be searched for? */
export const isSearch = () => hasWords() && isFewWords(textField().value);

/**
 * Answer what stands in the field. as: "text" or "words", or null where its length says it.
 * @param {{ as?: string | null, probes?: number | null }} how
 */
export async function ask({ as = null, probes = null } = {}) {
  stopTyping();
  const words = as === "words" ? hasWords() : as !== "text" && isSearch();
  if (words) {
    await search({
      forced: as !== null,
      offer: { label: messages.asText, ask: () => ask({ as: "text" }) },
    });
  } else {
    const other = { label: messages.asWords, ask: () => ask({ as: "words" }) };
    await askText({ probes, forced: as !== null }, hasWords() ? [other] : []);
  }
}
