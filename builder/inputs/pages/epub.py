"""Turn EPUB into text: title, language and chapters of a book in reading order, read in a separate
process (apart.py).

A book is a zip archive. META-INF/container.xml names its package, which lists the files and the
order, the spine, in which they are read (https://www.w3.org/TR/epub-33/). A file that is damaged is
reported and left out.
"""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote
from xml.etree import ElementTree

from pocketindex.builder.document import Document, Unfit, beyond_memory, most_of_record
from pocketindex.builder.inputs.options import WHOLE, Css
from pocketindex.builder.inputs.pages import apart, html
from pocketindex.errors import TEXT_BYTES

if TYPE_CHECKING:
    from pocketindex.builder.inputs.pages.single import File

PART_LEFT_OUT = "part left out"  # the reason of a Notice
CONTAINER, ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_PAGES = ("application/xhtml+xml", "text/html", "text/x-oeb1-document")
_DRAWING = "image/svg+xml"
_SILENT = ("image/", "audio/", "video/")  # what has no text, and needs no word about it
_PACKAGE, _PAGE = ".opf", (".xhtml", ".html", ".htm")  # names, where nothing else tells
# What a damaged archive or package raises.
_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ElementTree.ParseError,
    ArithmeticError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    ValueError,
)


@dataclass(frozen=True)
class Book(html.Page):
    """The text of a book, and the problems of its parts.

    problems: a sentence for each part of it that could not be read.
    """

    problems: list[str] = field(default_factory=list)


def of_file(file: File) -> Iterator[Document]:
    """Yield the document of a book."""
    book = read(file.content, file.place, file.options.encoding, file.options.css)
    book.tell(file.place, file.skip, file.options.css)
    for problem in book.problems:
        file.say(PART_LEFT_OUT, problem)
    yield file.document(book.title, book.text, book.lang)


def read(content: bytes, name: str, encoding: str | None = None, css: Css = WHOLE) -> Book:
    """Read the title, the text of all chapters and the language of a book; name: for messages;
    encoding: of the chapters, whatever they declare; css: which of their elements count.

    Raises Unfit "unreadable" (no EPUB, cut short, no chapter that can be read, or more work than
    apart.py allows).
    """
    most = most_of_record(TEXT_BYTES)
    return Book(*apart.read(__name__, content, name, encoding, *css, most))


def parsed(
    content: bytes,
    name: str,
    encoding: str | None = None,
    select: str = "",
    exclude: str = "",
    most: int = TEXT_BYTES,
) -> tuple[str, str, str, str, int, int, bool, list[str]]:
    """Parse a book in this process, and return the fields of a Book; most: bytes that its text may
    have, beyond which it is not read on. Raises Unfit.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except _ERRORS as error:
        raise Unfit(
            "unreadable", f"no EPUB file, cut short, damaged or encrypted: {error}"
        ) from None
    with archive:
        return _Archive(archive, name, encoding, Css(select, exclude)).book(most)


class _Archive:
    """A book under way. encoding, css: as read() has them."""

    def __init__(self, archive: zipfile.ZipFile, name: str, encoding: str | None, css: Css) -> None:
        self._archive, self._name, self._encoding, self._css = archive, name, encoding, css
        self._wrong_encoding = ""
        self._words = self._left = 0
        self._selected = not css.select
        self._paths = {path.lower(): path for path in reversed(archive.namelist())}
        self._problems = list[str]()
        self._encrypted = set[str]()
        self._encrypted.update(self._attributes(ENCRYPTION, "CipherReference", "URI"))

    def book(self, most: int) -> tuple[str, str, str, str, int, int, bool, list[str]]:
        path, package = self._package()
        texts, size = list[str](), 0
        for chapter, kind in self._chapters(package, posixpath.dirname(path)):
            try:
                texts.append(self._text(chapter, kind))
            except _ERRORS as error:
                self._problems.append(f"{chapter} in it cannot be read: {error}")
                continue
            size += len(texts[-1].encode())
            if size > most:
                raise Unfit("too long", f"the text up to {chapter} in it has {_beyond(size, most)}")
        text = "\n\n".join(filter(None, texts))
        if self._problems and not text:
            raise Unfit("unreadable", self._problems[0])
        title, lang = (package.findtext(f".//{{*}}{part}") or "" for part in ("title", "language"))
        return (
            *(" ".join(title.split()), text, lang.strip(), self._wrong_encoding),
            *(self._words, self._left, self._selected, self._problems),
        )

    def _package(self) -> tuple[str, ElementTree.Element]:
        """Return the first package that can be read, and its path.

        A book with several packages is the same book in several forms, of which the first one suits
        everybody. Without a package, all pages are chapters, in the order of the archive.
        """
        named = self._attributes(CONTAINER, "rootfile", "full-path")
        paths = named or [path for path in self._archive.namelist() if path.endswith(_PACKAGE)]
        pages = [path for path in self._archive.namelist() if path.lower().endswith(_PAGE)]
        if not paths and not pages:
            raise Unfit("unreadable", f"not an EPUB file: its {CONTAINER} names no package")
        for path in paths:
            try:
                package = self._tree(path)
            except _ERRORS as error:
                self._problems.append(f"{path} in it cannot be read: {error}")
                continue
            if len(named) > 1:
                self._problems.append(f"it has {len(named)} packages, of which {path} is read")
            return path, package
        package = ElementTree.Element("package")
        manifest, spine = (ElementTree.SubElement(package, part) for part in ("manifest", "spine"))
        for page in pages:
            ElementTree.SubElement(
                manifest, "item", {"id": page, "href": page, "media-type": _PAGES[0]}
            )
            ElementTree.SubElement(spine, "itemref", {"idref": page})
        return "", package

    def _chapters(self, package: ElementTree.Element, folder: str) -> Iterator[tuple[str, str]]:
        """Yield path and media type of each file of the spine that has text.

        A file of another type is replaced by its fallback in the manifest.
        """
        files = {item.get("id"): item for item in package.iterfind("{*}manifest/{*}item")}
        for entry in package.iterfind("{*}spine/{*}itemref"):
            id, item, seen = entry.get("idref"), None, set[str | None]()
            while id in files and id not in seen:
                seen.add(id)
                item = files[id]
                kind = item.get("media-type", "").partition(";")[0].strip().lower()
                if kind in _PAGES or kind == _DRAWING:
                    href = unquote(item.get("href", "").partition("#")[0])
                    path = posixpath.normpath(posixpath.join("/", folder, href))
                    yield path.lstrip("/"), kind  # no address leads out of a book
                    break
                id = item.get("fallback")
            else:
                first = files.get(entry.get("idref"))
                if first is None:
                    self._problems.append(
                        f"its spine names {entry.get('idref')!r}, which is not one of its files"
                    )
                elif not (kind := first.get("media-type", "")).startswith(_SILENT):
                    self._problems.append(
                        f"{first.get('href')} in it is of the type {kind!r}, and it has no "
                        "fallback that is a page"
                    )

    def _text(self, path: str, kind: str) -> str:
        content = self._content(path)
        if kind == _DRAWING:
            return "\n".join(_drawn(ElementTree.fromstring(content)))  # noqa: S314
        _, text, _, problem, words, left, selected = html.parsed(
            content, self._name, "", False, self._encoding, *self._css
        )
        self._wrong_encoding = self._wrong_encoding or problem
        self._words += words
        self._left += left
        self._selected |= selected
        return text

    def _content(self, path: str) -> bytes:
        if path in self._encrypted:
            raise ValueError("it is encrypted; give a copy that is not")
        return self._archive.read(self._paths.get(path.lower(), path))

    def _tree(self, path: str) -> ElementTree.Element:
        return ElementTree.fromstring(self._content(path))  # noqa: S314, apart.py bounds it

    def _attributes(self, path: str, element: str, name: str) -> list[str]:
        """List an attribute of all elements of this name in a file, which need not be there."""
        if path.lower() not in self._paths:
            return []
        try:
            root = self._tree(path)
        except _ERRORS as error:
            self._problems.append(f"{path} in it cannot be read: {error}")
            return []
        return [unquote(one.get(name, "")) for one in root.iterfind(f".//{{*}}{element}")]


def _beyond(size: int, most: int) -> str:
    if most < TEXT_BYTES:
        return beyond_memory(size, most)
    return f"{size:,} bytes, expected at most {most:,}"


def _drawn(element: ElementTree.Element) -> Iterator[str]:
    """Yield the texts of a drawing, and what it says of itself."""
    name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    if name in ("text", "title", "desc", "foreignObject"):
        if text := " ".join(" ".join(element.itertext()).split()):
            yield text
    elif name not in ("script", "style", "metadata"):
        for child in element:
            yield from _drawn(child)
