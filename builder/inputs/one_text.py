"""The text of one document, as a query is: through the inputs, so that it is what a build would
have made of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import islice

from pocketindex.builder.document import Notice, Shortened, Skip
from pocketindex.builder.inputs.fields import NUMBERED
from pocketindex.builder.inputs.finding import check_encoding, find, known, told
from pocketindex.builder.inputs.kinds import INPUTS
from pocketindex.builder.inputs.opening.addresses import located
from pocketindex.builder.inputs.opening.elsewhere import Elsewhere
from pocketindex.builder.inputs.options import Options
from pocketindex.builder.inputs.source import STDIN, SourceError, shown
from pocketindex.errors import spelled

_LOOKED_AT = 4096  # characters of a text, to tell whether it is one


def _print(notice: Notice) -> None:
    print(f"pocketindex: {notice.place}: {notice.detail}", file=sys.stderr)


def text_of(
    source: str,
    format: str | None = None,
    encoding: str | None = None,
    batch: bool = False,
    tell: Callable[[Notice], None] = _print,
) -> bytes:
    """Return the text of the only document of a source, in UTF-8.

    batch: whether the command has --batch, which messages then suggest; tell: is given what is not
    as it stands there, which standard error says by default.

    The format is known by name or first bytes, of standard input by these, else it is text. Raises
    SourceError where there is no document, more than one, or no text in it, and what the inputs do;
    OSError where there is no such file.
    """
    left_out = list[Skip]()

    def skip(one: Skip | Notice) -> None:
        if isinstance(one, Skip):
            left_out.append(one)
        elif one.reason != NUMBERED and (not isinstance(one, Shortened) or one.is_much):
            tell(one)

    source = located(source)
    kind = find(source, format) if format else known(source)
    if not kind:
        if source != STDIN and not isinstance(source, Elsewhere):
            os.stat(source)
        kind = INPUTS["text"]
    if encoding:
        check_encoding(encoding, [(source, kind)])
    found = list(islice(told(kind, Options(encoding=encoding)).documents(source, skip), 2))
    if len(found) > 1:
        many = ", or many by --batch" if batch else ""
        raise SourceError(
            shown(source),
            f"expected one document, found more; give one{many}, or say "
            f"{spelled('format', 'text')}",
        )
    if not found:
        why = (
            f"{left_out[0].reason}: {left_out[0].detail}"
            if left_out
            else "there is no document in it"
        )
        raise SourceError(shown(source), f"{why}; give a document with a text")
    if "\0" in found[0].text[:_LOOKED_AT]:
        raise SourceError(
            shown(source),
            f"expected a text, found binary data; name its format ({spelled('format')}) or its "
            f"encoding ({spelled('encoding')})",
        )
    return found[0].text.encode()
