"""Passages of a text that other texts have, too, and that so do not count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from pocketindex.builder.collections.ignored import LeftOut, ignored_index
from pocketindex.builder.document import Notice, Skip
from pocketindex.builder.functions.documents import Documents, found_of
from pocketindex.builder.inputs import given
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.settings import DEFAULTS, Settings
from pocketindex.queries.spans import Span


def shared_passages(text: str, others: Documents) -> list[Span]:
    """Return the passages of text that one of the other texts has, too, as rising places in code
    points: what Index.sources takes as leave_out.

    others: what [Documents][pocketindex.builder.Documents] says: an author's drafts, or a form that
    everybody was given. Raises TypeError, SourceError, OSError.

    >>> import pocketindex
    >>> drafts = ["A draft of some sentences. It has two of them."]
    >>> pocketindex.shared_passages("It has two of them.", drafts)
    [(0, 18)]
    """
    with leaving_out(False, [others]) as left_out:
        return left_out.spans(text)


@contextmanager
def leaving_out(
    quotes: bool, ignored: Iterable[Documents], settings: Settings = DEFAULTS
) -> Iterator[LeftOut]:
    """Give what leaves parts of texts out, for the time of a block: quotations, and passages of the
    ignored texts. A record of these that is no document raises SourceError.
    """
    with ExitStack() as stack:
        texts = [text for some in ignored for text in _texts(found_of(some, settings))]
        index = stack.enter_context(ignored_index(texts)).index if texts else None
        yield LeftOut(quotes, index)


def _texts(found: given.Found) -> Iterator[str]:
    for source, kind in found:

        def refuse(one: Skip | Notice, source: str = source) -> None:
            if isinstance(one, Skip):
                raise SourceError(source, f"{one.place}: {one.reason}: {one.detail}")

        for document in kind.documents(source, refuse):
            yield document.text
