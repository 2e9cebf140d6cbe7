"""Files that are one document each: text, Markdown, HTML, EPUB and PDF, compressed or not, alone,
in a folder or in an archive.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from pocketindex.builder.document import Document, Notice, Skip, Unfit, most_of_record
from pocketindex.builder.inputs.opening.compression import MAGICS
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING, decoded
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.pages import epub, html, markdown, pdf
from pocketindex.builder.inputs.source import (
    PACKED,
    STDIN,
    NeedsPackage,
    OnBytes,
    OnSkip,
    SourceError,
    needed,
    packed,
    unmeasured,
)
from pocketindex.errors import TEXT_BYTES

# A text of the largest size in UTF-16, where a letter takes two bytes, and its mark.
FILE_BYTES = 2 * TEXT_BYTES + 3
_BLOCK = 1 << 20


def too_long(size: int | None, most: int) -> Unfit:
    """Return what is wrong with a file of more than most bytes; size: None where it has none."""
    found = f"{size:,}" if size and size > most else f"more than {most:,}"
    because = ", a sixteenth of --max-memory; raise it" if most < FILE_BYTES else ""
    return Unfit("too long", f"the file has {found} bytes, expected at most {most:,}{because}")


Decode = Callable[[bytes], str]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _text(content: bytes, id: str, stem: str, name: str, decode: Decode) -> Document:
    return Document(id, stem, decode(content))


def _markdown(content: bytes, id: str, stem: str, name: str, decode: Decode) -> Document:
    heading, text = markdown.read(decode(content))
    return Document(id, heading or stem, text)


def _html(content: bytes, id: str, stem: str, name: str, decode: Decode) -> Document:
    page = html.read(content, name)
    return Document(id, page.title or stem, page.text, lang=page.lang)


def _epub(content: bytes, id: str, stem: str, name: str, decode: Decode) -> Document:
    book = epub.read(content, name)
    return Document(id, book.title or stem, book.text, lang=book.lang)


def _pdf(content: bytes, id: str, stem: str, name: str, decode: Decode) -> Document:
    title, text = pdf.read(content, name)
    return Document(id, title or stem, text)


_KINDS: dict[str, Callable[[bytes, str, str, str, Decode], Document]] = {
    **dict.fromkeys((".txt", ".text"), _text),
    **dict.fromkeys((".md", ".markdown"), _markdown),
    **dict.fromkeys((".html", ".htm", ".xhtml"), _html),
    ".epub": _epub,
    ".pdf": _pdf,
}
KINDS = tuple(_KINDS)  # the suffixes of files that are documents
SUFFIXES = packed(*KINDS)
# The suffixes that stand for media types, where these and no names say what a file is.
MEDIA_TYPES = {
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/x-markdown": ".md",
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "application/epub+zip": ".epub",
    "application/pdf": ".pdf",
}
_PACKAGES = {
    _html: ("resiliparse.parse.html", "html", "HTML"),
    _epub: ("resiliparse.parse.html", "html", "EPUB"),
    _pdf: ("pypdfium2", "pdf", "PDF"),
}


def document(
    content: bytes,
    id: str,
    name: str,
    skip: OnSkip,
    encoding: str | None = None,
    suffix: str = "",
    title: str = "",
) -> Document:
    """Return the document in the bytes of a file, which may be compressed. Raises Unfit.

    id: its path, which tells by its end what it is (text where it does not), unless suffix does;
    name: for messages; skip: is told of text that is not in the encoding; title: for a file that
    has none, instead of its name without suffix.
    """
    stem, end = split(id.rsplit("/", 1)[-1])
    return _KINDS.get((suffix or end).lower(), _text)(
        _unpacked(content, name), id, title or stem, name, partial(_decoded, name, skip, encoding)
    )


def split(name: str) -> tuple[str, str]:
    """Return the name of a file without its suffixes, and the suffix that tells its kind."""
    stem, end = os.path.splitext(name)
    return os.path.splitext(stem) if end.lower() in PACKED else (stem, end)


def _unpacked(content: bytes, name: str) -> bytes:
    if not content.startswith(MAGICS):
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


def require(source: str, names: Iterable[str]) -> None:
    """Raise SourceError where the files of these names in `source` need a package that is not
    installed.
    """
    examples = {_KINDS.get(split(name)[1].lower()): name for name in names}
    for kind, (package, extra, shown) in _PACKAGES.items():
        if kind in examples:
            needed(package, extra, source, f"it has {shown} files, as {examples[kind]}")


def reader(suffix: str) -> Callable[..., Iterator[Document]]:
    """Return the `documents` of an input that takes a source, whatever its name, for a file with
    this suffix.
    """
    return partial(_documents, suffix)


def _documents(
    suffix: str,
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    encoding: str | None = None,
) -> Iterator[Document]:
    id = "stdin" if source == STDIN else os.path.basename(source)
    with Stream(source, text=False) as stream:
        most = most_of_record(FILE_BYTES)
        content = stream.take(most + 1)
        measure(stream.read, stream.total)
        try:
            if len(content) > most:
                raise too_long(stream.total, most)
            found = document(content, id, stream.name, skip, encoding, suffix)
        except Unfit as unfit:
            skip(Skip(stream.name, unfit.reason, unfit.detail))
        else:
            yield found


def _decoded(name: str, skip: OnSkip, encoding: str | None, content: bytes) -> str:
    """Return the text: of the encoding that is named, or else of its byte order mark, or UTF-8."""
    marked = next((mark for mark in _BOMS if content.startswith(mark[0])), (b"", "utf-8"))
    text, problem = (
        decoded(content, encoding) if encoding else decoded(content[len(marked[0]) :], marked[1])
    )
    if problem:
        skip(Notice(name, WRONG_ENCODING, problem))
    return text
