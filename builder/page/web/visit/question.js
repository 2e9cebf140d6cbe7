// What a visitor asks: a few words are searched for, a text is asked with, and a sentence is both.
// What was not done is offered.

import { say } from "../base/language.js";
import { asksFor } from "../texts/few_words.js";
import { textField } from "../view/elements.js";
import { askText } from "./asking.js";
import { searched } from "./places.js";
import { search, stopTyping } from "./searching.js";

/** Can words be searched for where the visitor looks? */
export const hasWords = () => searched().some(({ worded }) => worded);

/**
 * Answer what stands in the box. as: "text" or "words", or null where it says itself what it is.
 * @param {{ as?: string | null, probes?: number | null }} how
 */
export async function ask({ as = null, probes = null } = {}) {
  stopTyping();
  const text = textField().value;
  const forced = as === "text" || as === "words";
  const kind = hasWords() ? (forced ? as : asksFor(text)) : "text";
  if (kind === "text") {
    const other = { label: say("asWords"), ask: () => ask({ as: "words" }) };
    await askText({ probes, forced }, hasWords() ? [other] : []);
  } else {
    await search({
      forced,
      traced: kind === "both",
      offer: { label: say("asText"), ask: () => ask({ as: "text" }) },
    });
  }
}
