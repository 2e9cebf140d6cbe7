"""EPUB to text: title, language and chapters of a book, in its reading order, read in a process of
its own (apart.py).

A book is a zip archive. META-INF/container.xml names its package, which lists the files and the
order, the spine, in which they are read (https://www.w3.org/TR/epub-33/).
"""

from __future__ import annotations

import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree import ElementTree

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages import apart, html
from pocketindex.builder.inputs.pages.visible import WHOLE, Css
from pocketindex.builder.inputs.source import needed

CONTAINER, ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
# The archive begins with a file of this name and content, which is not packed.
BEGINS = re.compile(rb"PK\x03\x04(?s:.{26})mimetypeapplication/epub\+zip")
_CHAPTERS = ("application/xhtml+xml", "text/html", "text/x-oeb1-document")
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


def read(content: bytes, name: str, encoding: str | None = None, css: Css = WHOLE) -> html.Page:
    """Read the title, the text of all chapters and the language of a book; name: for messages;
    encoding: of the chapters, whatever they say; css: what of them counts.

    Raises Unfit "unreadable" (no EPUB, cut short, encrypted, or more work than apart.py allows),
    SourceError where resiliparse is missing.
    """
    needed("resiliparse.parse.html", "html", name, "it is an EPUB file")
    return html.Page(*apart.read(__name__, content, name, encoding, *css))


def parsed(
    content: bytes,
    name: str,
    encoding: str | None = None,
    select: str = "",
    exclude: str = "",
) -> tuple[str, str, str, str, int, int, bool]:
    """Parse a book in this process, and return the fields of a Page."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            path = next(iter(_attributes(book, CONTAINER, "rootfile", "full-path")), "")
            if not path:
                raise Unfit("unreadable", f"no EPUB file: its {CONTAINER} names no package")
            package = ElementTree.fromstring(book.read(path))  # noqa: S314, apart.py bounds it
            chapters = [
                html.parsed(book.read(chapter), name, "", False, encoding, select, exclude)
                for chapter in _chapters(book, package, posixpath.dirname(path))
            ]
    except Unfit:
        raise
    except _ERRORS as error:
        raise Unfit(
            "unreadable", f"no EPUB file, cut short, damaged or encrypted: {error}"
        ) from None
    title, lang = (package.findtext(f".//{{*}}{part}") or "" for part in ("title", "language"))
    _, texts, _, problems, words, left, selected = (
        zip(*chapters, strict=True) if chapters else [()] * 7
    )
    return (
        " ".join(title.split()),
        "\n\n".join(filter(None, texts)),
        lang.strip(),
        next(filter(None, problems), ""),
        sum(words),
        sum(left),
        any(selected) or not select,
    )


def _chapters(book: zipfile.ZipFile, package: ElementTree.Element, folder: str) -> Iterator[str]:
    """Yield the paths of the spine's texts; a table of contents is none."""
    files = {item.get("id"): item for item in package.iterfind("{*}manifest/{*}item")}
    encrypted = _attributes(book, ENCRYPTION, "CipherReference", "URI")
    for entry in package.iterfind("{*}spine/{*}itemref"):
        item = files[entry.get("idref")]
        if item.get("media-type") not in _CHAPTERS or "nav" in item.get("properties", "").split():
            continue
        path = posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
        if path in encrypted:
            raise Unfit("unreadable", f"{path} in it is encrypted; give a copy that is not")
        yield path


def _attributes(book: zipfile.ZipFile, path: str, element: str, name: str) -> list[str]:
    """List an attribute of all elements of this name in a file, which need not be there."""
    if path not in book.namelist():
        return []
    root = ElementTree.fromstring(book.read(path))  # noqa: S314
    return [unquote(one.get(name, "")) for one in root.iterfind(f".//{{*}}{element}")]
