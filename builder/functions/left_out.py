"""Leave out the parts of a text that do not count: quotations, and passages of certain texts."""

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
    """Return the passages of a text that one of the other texts has as well, as a list of (start,
    end) in code points, in rising order. Index.sources takes such a list as leave_out.

    others: anything that [Documents][pocketindex.Documents] describes, such as an author's
    drafts, or a form that everybody was given. Raises TypeError, SourceError, OSError.

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
    """Yield a LeftOut, which is valid until the block ends.

    quotes: whether it leaves out quotations and bibliographies; ignored: the texts whose passages
    it leaves out. Raises TypeError, OSError, and SourceError for an ignored record that is not a
    document.
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
