// The words of a search, marked in what is shown of its hits.

import { loadTexts } from "../core/documents.js";
import { marksOf } from "../core/words.js";
import { oneLine } from "../texts/excerpts.js";
import { wordExcerpt } from "../texts/few_words.js";
import { nameOf } from "../view/links.js";
import { whenSeen } from "../view/seen.js";
import { sentence, showProblem } from "../view/state.js";
import { showMarkedTitle, showPiece } from "../view/word_item.js";
import { isMyTurn } from "./turn.js";

/** @typedef {import("../ask/words.js").FoundWordHit} FoundWordHit */

/**
 * Mark the words in titles, and in a piece of what the file keeps of the text of each hit that the
 * visitor sees: other texts are not loaded. Damage there leaves the hits as they are.
 * @param {FoundWordHit[]} hits
 * @param {Uint8Array} asked
 * @param {boolean} prefix
 * @param {number} mine
 */
export async function showMarks(hits, asked, prefix, mine) {
  for (const hit of hits) {
    showMarkedTitle(hit, marksOf(hit.collection.core, nameOf(hit), asked, prefix));
  }
  /** @param {Element[]} seen */
  const showPieces = async (seen) => {
    const own = hits.filter(({ item }) => item && seen.includes(item));
    try {
      for (const collection of new Set(own.map((hit) => hit.collection))) {
        const each = own.filter((hit) => hit.collection === collection);
        await loadTexts(collection, each);
        if (!isMyTurn(mine)) return;
        for (const hit of each) {
          const line = oneLine(hit.text ?? "");
          showPiece(hit, wordExcerpt(line, marksOf(collection.core, line, asked, prefix)));
        }
      }
    } catch (problem) {
      if (isMyTurn(mine)) showProblem(sentence(problem));
    }
  };
  const kept = hits.filter(({ collection }) => collection.kept !== 0);
  await whenSeen(
    kept.flatMap(({ item }) => item ?? []),
    showPieces,
  );
}
