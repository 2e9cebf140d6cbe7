"""Find the parts of a text that do not count: quotations, and passages of drafts or forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pocketindex.builder.collections.temporary_index import TemporaryIndex
from pocketindex.constants import MOST_SOURCES
from pocketindex.index import Index
from pocketindex.queries.quotations import quotations
from pocketindex.queries.spans import Span, joined, left_out


@dataclass(frozen=True)
class LeftOut:
    """Leaves out the parts of texts that do not count.

    quotes: whether quotations and bibliographies are left out. ignored: an index of the texts whose
    passages are left out, if there are any.
    """

    quotes: bool = False
    ignored: Index | None = None

    def spans(self, text: str) -> list[Span]:
        """Return the parts of a text that do not count, in code points, in rising order."""
        spans = quotations(text) if self.quotes else []
        if self.ignored is not None:
            found = self.ignored.sources(text, MOST_SOURCES)
            spans = spans + [span for one in found for span in one.passages]
        return joined(spans)

    def of(self, text: str) -> str:
        """Return a text of the same length with white space in place of what does not count."""
        spans = self.spans(text)
        return left_out(text, spans) if spans else text


NOTHING = LeftOut()


def ignored_index(texts: Iterable[str]) -> TemporaryIndex:
    """Build a temporary index of the texts whose passages do not count."""
    return TemporaryIndex(texts)
