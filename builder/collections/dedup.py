"""Which documents of a collection stay when near-duplicates go."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pocketindex.builder.collections.corpus import Corpus, Flags, Floats, Numbers

KEPT = 0
EXACT = 1
NEAR = 2
KINDS = ("kept", "exact", "near")
MUCH = 1 / 3  # of the documents: so many near-duplicates are rare
SHOWN = 3  # pairs of so many


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of documents 0, 1, ...: verdict (KEPT, EXACT, NEAR), the document kept for it
    (itself), and its similarity to that.
    """

    verdicts: npt.NDArray[np.uint8]
    keepers: Numbers
    similarities: Floats

    def count(self, verdict: int) -> int:
        return int((self.verdicts == verdict).sum())

    @property
    def stays(self) -> Flags:
        return np.equal(self.verdicts, KEPT)

    def of(self, count: int) -> Decision:
        """Return the decision on the first count documents; their keepers may be later ones."""
        return Decision(self.verdicts[:count], self.keepers[:count], self.similarities[:count])


def decide(corpus: Corpus, preferences: array[float], others: int = 0) -> Decision:
    """Decide which documents stay, in the order in which they are preferred.

    One that is near to none that is kept stays; another one goes for one that it is near to.

    So what goes is similar to what is kept for it, directly, and no two that stay are near:
    similarity is not passed on from one to the next, as it is within a cluster. others: how many
    documents behind all others are what these are compared with; all of them count.
    """
    text_of = np.array(corpus.text_of, np.int64)
    ranks = np.concatenate([np.array(preferences), np.full(others, float("-inf"))])
    order = np.lexsort((np.arange(len(text_of)), ranks))
    # The document that is preferred of each text, and the texts as these are preferred.
    texts, places = np.unique(text_of[order], return_index=True)
    best = order[places]
    given = int((best >= len(preferences)).sum())  # preferred to all, they come first
    found = corpus.keepers(texts[np.argsort(places)], given)
    keepers = best[found.texts][text_of]
    verdicts = np.where(text_of[keepers] == text_of, EXACT, NEAR).astype(np.uint8)
    verdicts[keepers == np.arange(len(text_of))] = KEPT
    return Decision(verdicts, keepers, found.similarities[text_of])


def samples(named: Callable[[int], str], decision: Decision, option: str) -> list[str]:
    """Return lines with some of the pairs if so large a share of the documents was dropped that a
    person should check them. named: what people know a document by; option: what sets the least
    similarity.
    """
    gone = np.flatnonzero(decision.verdicts == NEAR)
    if len(gone) <= MUCH * len(decision.verdicts):
        return []
    some = gone[np.linspace(0, len(gone) - 1, num=SHOWN, dtype=np.int64)]
    lines = [
        f"{len(gone) / len(decision.verdicts):.0%} of all documents went as near-duplicates; look "
        f"at some of them, and raise {option} if they should have stayed:"
    ]
    for document in dict.fromkeys(some.tolist()):
        own, kept = named(document), named(int(decision.keepers[document]))
        lines.append(f"  {own} went for {kept}, similarity {decision.similarities[document]:.2f}")
    return lines
