"""Files that are one document each: text, Markdown, HTML, EPUB, PDF and office files, alone, in a
folder or in an archive.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from pocketindex.builder.document import Document, Notice, Skip, Unfit
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING, decoded
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.pages import epub, html, markdown, office, pdf
from pocketindex.builder.inputs.source import STDIN, OnBytes, OnSkip, needed, unmeasured
from pocketindex.errors import TEXT_BYTES

# A text of the largest size in UTF-16, where a letter takes two bytes, and its mark.
FILE_BYTES = 2 * TEXT_BYTES + 3
_BLOCK = 1 << 20

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
SUFFIXES = (*_KINDS, *office.SUFFIXES)
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
    add: Sequence[str] = (),
) -> Document:
    """Return the document in the bytes of a file. Raises Unfit.

    id: its path, which tells by its end what it is (text where it does not), unless suffix does;
    name: for messages; skip: is told of text that is not in the encoding, and of damaged parts;
    add: what is added to the texts of office files, of office.ADDS.
    """
    stem, end = os.path.splitext(id.rsplit("/", 1)[-1])
    end = (suffix or end).lower()
    if end in office.SUFFIXES:
        return office.document(content, id, stem, name, end, skip, add)
    return _KINDS.get(end, _text)(content, id, stem, name, partial(_decoded, name, skip, encoding))


def require(source: str, names: Collection[str]) -> None:
    """Raise SourceError where the files of these names in `source` need a package that is not
    installed.
    """
    examples = {_KINDS.get(os.path.splitext(name)[1].lower()): name for name in names}
    for kind, (package, extra, shown) in _PACKAGES.items():
        if kind in examples:
            needed(package, extra, source, f"it has {shown} files, as {examples[kind]}")
    office.require(source, names)


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
    add: Sequence[str] = (),
) -> Iterator[Document]:
    id = "stdin" if source == STDIN else os.path.basename(source)
    with Stream(source, text=False) as stream:
        content = stream.take(FILE_BYTES + 1)
        measure(stream.read, stream.total)
        try:
            if len(content) > FILE_BYTES:
                raise Unfit("too long", f"the file has more than {FILE_BYTES:,} bytes")
            found = document(content, id, stream.name, skip, encoding, suffix, add)
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
