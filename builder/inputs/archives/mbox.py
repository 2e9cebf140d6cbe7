"""An mbox file: the mail messages of a folder of a mail program, one after the other, each behind a
line that begins with "From " (RFC 4155).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pocketindex.builder.document import Document, Skip, Unfit, most_of_record
from pocketindex.builder.inputs.archives.archive import nothing
from pocketindex.builder.inputs.kinds import INPUTS
from pocketindex.builder.inputs.opening.elsewhere import name_of_file
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.options import DEFAULTS, Options
from pocketindex.builder.inputs.pages.mail import mail, messages
from pocketindex.builder.inputs.pages.single import FILE_BYTES, File, too_long
from pocketindex.builder.inputs.source import (
    OnBytes,
    OnSkip,
    SourceError,
    unmeasured,
)

# The line before a message has a time. Of programs that write none it has an address, and a header
# follows it.
_BEGIN = re.compile(rb"From [^\r\n]*\d\d:\d\d[^\r\n]*\d{4}|From (?:-|\S+@\S+)[ \t]*(?:\r?\n|\Z)")
_FROM = re.compile(rb"^From ", re.MULTILINE)
_BLOCK, _MOST_BEGIN = 1 << 20, 1_000  # bytes


def documents(
    source: str, skip: OnSkip, measure: OnBytes = unmeasured, options: Options = DEFAULTS
) -> Iterator[Document]:
    """Yield the documents of each message, in the order of the file. The id of message n, counted
    from 1, is the name of the file, a slash and n.

    Skipped: what the kinds of files skip, and a message that is "too long". Raises SourceError
    where something stands before the first message.
    """
    file = name_of_file(source)
    number = 0
    with Stream(source, text=False) as stream:
        for number, content in enumerate(_messages(stream), 1):
            place = f"{stream.name}/{number}"
            try:
                if content is None:
                    raise too_long(None, most_of_record(FILE_BYTES))
                if not content:
                    raise Unfit("empty", "the message is empty")
                message, id = mail.unquoted(content), f"{file}/{number}"
                yield from messages.of_file(
                    File(message, id, str(number), place, skip, options, INPUTS["mail"])
                )
            except Unfit as unfit:
                skip(Skip(place, unfit.reason, unfit.detail))
            measure(stream.read, stream.total)
        if not number:
            skip(nothing(stream.name, "message"))


def _messages(stream: Stream) -> Iterator[bytes | None]:
    """Yield the content of each message; None for one that is too long."""
    most = most_of_record(FILE_BYTES)
    parts, size, blank, begun = list[bytes](), 0, True, False
    for block in stream.blocks(_BLOCK, most):
        content = block.content or b""
        at = 0
        for found in [*(match.start() for match in _FROM.finditer(content)), len(content)]:
            if begun:
                size += found - at
                if size <= most:
                    parts.append(content[at:found])
            elif content[at:found].strip(b"\r\n") or block.content is None:
                raise SourceError(
                    stream.name,
                    'expected a line that begins with "From " and has a time, as an mbox file '
                    "begins; give a single message as .eml",
                )
            if found:
                blank = not content[content.rfind(b"\n", 0, found - 1) + 1 : found].strip(b"\r\n")
            at = found
            line = content[found : content.find(b"\n", found) + 1 or None]
            # A long line is text, in which the expression would look for a time from every place.
            if blank and len(line) < _MOST_BEGIN and _BEGIN.match(line):
                if begun:
                    yield b"".join(parts) if size <= most else None
                parts, size, blank, begun = [], 0, False, True
                at = found + len(line)
        if block.content is None:
            size, blank = size + block.size, False
    if begun:
        yield b"".join(parts) if size <= most else None
