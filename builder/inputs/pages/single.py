"""Read files that are one document each, or a mail message with its attachments: compressed or not,
alone, in a folder or in an archive.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pocketindex.builder.document import Document, Notice, Skip, Unfit, most_of_record
from pocketindex.builder.inputs.kinds import INPUTS, TEXT, Input, by_content, one_by_name
from pocketindex.builder.inputs.opening.elsewhere import name_of_file
from pocketindex.builder.inputs.opening.encoding import (
    WRONG_ENCODING,
    believable,
    decoded,
    guessed,
    marked,
    of_guess,
)
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.options import DEFAULTS, Options
from pocketindex.builder.inputs.pages import first_bytes
from pocketindex.builder.inputs.source import (
    NeedsPackage,
    OnBytes,
    OnSkip,
    SourceError,
    unmeasured,
)
from pocketindex.errors import TEXT_BYTES, spelled
from pocketindex.kinds import packing_of, unpacked_name

# A text of the largest size in UTF-16, where a letter takes two bytes, and its mark.
FILE_BYTES = 2 * TEXT_BYTES + 3


def too_long(size: int | None, most: int) -> Unfit:
    """Return what is wrong with a file of more than most bytes; size: None if it is unknown."""
    found = f"{size:,}" if size and size > most else f"more than {most:,}"
    because = f", a sixteenth of {spelled('max_memory')}; raise it" if most < FILE_BYTES else ""
    return Unfit("too long", f"the file has {found} bytes, expected at most {most:,}{because}")


@dataclass(frozen=True)
class File:
    """A file that is to become a document.

    id: of the document; name: of the file, used if there is no title; place: for messages; skip: is
    called with each problem; options: how it is read; kind: what it is; charset, title: the
    encoding and the title that the container declares.
    """

    content: bytes
    id: str
    name: str
    place: str
    skip: OnSkip
    options: Options
    kind: Input
    charset: str = ""
    title: str = ""

    def text(self) -> str:
        """Decode the content: by the encoding that is named, or else by its byte order mark, as
        UTF-16 or UTF-32 where zero bytes tell that, or as UTF-8. Raises Unfit where it is no text.
        """
        named = self.options.encoding or believable(self.content, self.charset)
        encoding, mark = ("", 0) if named else marked(self.content)
        guess = "" if named or encoding else guessed(self.content)
        text, problem = decoded(self.content[mark:], named or encoding or guess or "utf-8")
        first_bytes.check_text(text)
        if guess and not problem:
            problem = of_guess(guess)
        if problem:
            self.say(WRONG_ENCODING, problem)
        return text

    def say(self, reason: str, problem: str) -> None:
        """Report how the document differs from the file."""
        self.skip(Notice(self.place, reason, problem))

    def document(
        self, title: str, text: str, lang: str = "", date: str = "", url: str = ""
    ) -> Document:
        """Return the document of the file, with its name where it has no title. Raises Unfit."""
        own = self.title or title
        return Document(self.id, own, text, url=url, lang=lang, date=date, name=self.name)


def documents(
    content: bytes,
    id: str,
    place: str,
    skip: OnSkip,
    options: Options = DEFAULTS,
    kind: Input | None = None,
    name: str = "",
    charset: str = "",
    title: str = "",
) -> Iterator[Document]:
    """Yield the documents in the bytes of a file, which may be packed: the one that it is, or those
    of a mail message and its attachments. Raises Unfit, and NeedsPackage.

    id: its path; kind: that of its name, or what else tells it, by default what the id does, else
    text; the first bytes may tell another one, unless it is the format that is named; name: used if
    there is no title, instead of the file's name without its suffix; place, skip, options, charset,
    title: as in File.
    """
    named = kind or one_by_name(id) or TEXT
    content = _unpacked(content, place)
    if not (content or title):
        raise Unfit("empty", "the file is empty")
    kind = named if options.format == named.name else by_content(content, named)
    kind.need(place, f"it is {kind.what}")
    file = File(content, id, name or stem(id), place, skip, options, kind, charset, title)
    assert kind.one
    yield from kind.one(file)


def stem(path: str) -> str:
    """Return the name of a file without the suffixes of its kind and its packing."""
    return os.path.splitext(unpacked_name(path.rpartition("/")[2]))[0]


def require(source: str, names: Iterable[str]) -> None:
    """Raise NeedsPackage where files of these names in `source` need one that is not installed."""
    for kind, name in {kind: name for name in names if (kind := one_by_name(name))}.items():
        kind.need(source, f"{name} in it is {kind.what}")


def _unpacked(content: bytes, name: str) -> bytes:
    if not packing_of(content):
        return content
    try:
        with Stream(name, text=False, content=content) as stream:
            most = most_of_record(FILE_BYTES)
            whole = stream.take(most + 1)
    except NeedsPackage:
        raise
    except SourceError as error:
        raise Unfit("unreadable", error.problem) from None
    if len(whole) > most:
        raise too_long(None, most)
    return whole


def of_source(
    format: str,
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    options: Options = DEFAULTS,
) -> Iterator[Document]:
    """Yield the documents of a source that is a file of a format, whatever its name."""
    id = name_of_file(source)
    with Stream(source, text=False) as stream:
        most = most_of_record(FILE_BYTES)
        content = stream.take(most + 1)
        measure(stream.read, stream.total)
        try:
            if len(content) > most:
                raise too_long(stream.total, most)
            yield from documents(content, id, stream.name, skip, options, INPUTS[format])
        except Unfit as unfit:
            skip(Skip(stream.name, unfit.reason, unfit.detail))
