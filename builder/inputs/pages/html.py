"""HTML to text: title, language and main text of a page, with resiliparse, which reads in a process
of its own (apart.py).

The encoding is found as the standard says
(https://html.spec.whatwg.org/#determining-the-character-encoding): a byte order mark, what the
transport said, a declaration in the first 1,024 bytes, then a guess from the bytes.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Any

from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.source import needed

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PRESCAN = 1024
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/][^>]*?charset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
_XML = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\s\"'>]+)")
# The search for main text looks at all that a block stands in, so that nesting costs its square;
# browsers stop at this depth, too.
_DEPTH = 512
_DEEPER = " ".join("*" * _DEPTH)


@dataclass(frozen=True)
class Page:
    """What a page says: its title, its main text (all text where none stands out), its language;
    each may be empty.
    """

    title: str
    text: str
    lang: str


def read(content: bytes, name: str, charset: str = "") -> Page:
    """Return the page in these bytes; name: for messages; charset: what the transport said, as
    "Shift_JIS".

    Raises Unfit "unreadable" for a page that is more work than apart.py allows, SourceError where
    resiliparse is missing.
    """
    needed("resiliparse.parse.html", "html", name, "it is HTML")
    return Page(*apart.read(__name__, content, name, charset))


def parsed(content: bytes, name: str, charset: str, main: bool = True) -> tuple[str, str, str]:
    """Parse a page in this process: title, text and language; main: its main text, or all of it."""
    html = needed("resiliparse.parse.html", "html", name, "it is HTML")
    extract = needed("resiliparse.extract.html2text", "html", name, "it is HTML").extract_plain_text
    source = decoded(content, name, charset)
    tree = html.HTMLTree.parse(source)
    options = {"preserve_formatting": False, "list_bullets": False}
    deep = source.count("<") >= _DEPTH and tree.document.query_selector(_DEEPER) is not None
    text = extract(tree, main_content=True, **options) if main and not deep else ""
    root = tree.document.query_selector("html")
    return tree.title or "", text or extract(tree, **options), (root and root.getattr("lang")) or ""


def decoded(content: bytes, name: str, charset: str = "") -> str:
    """Return the characters of a page; bytes that its encoding does not have become U+FFFD."""
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            return content[len(bom) :].decode(encoding, "replace")
    encodings = needed("resiliparse.parse.encoding", "html", name, "it is HTML")
    encoding = (
        _known(encodings, charset)
        or _declared(encodings, content[:_PRESCAN])
        or encodings.detect_encoding(content)
    )
    return content.decode(encoding, "replace")


def _declared(encodings: Any, begin: bytes) -> str:
    """Return the encoding that the page declares: one of UTF-16 is UTF-8, or nobody could have read
    it.
    """
    for declaration in (_META.search(_COMMENT.sub(b"", begin)), _XML.match(begin)):
        if declaration and (encoding := _known(encodings, declaration[1].decode("latin-1"))):
            return "utf-8" if encoding.startswith("utf-16") else encoding
    return ""


def _known(encodings: Any, label: str) -> str:
    """Return Python's name of the encoding that the standard means by a label, nothing where it
    means none.
    """
    name: str | None = encodings.map_encoding_to_html5(label.strip("\"' \t\r\n\f").lower(), False)
    try:
        return codecs.lookup(name).name if name else ""
    except LookupError:
        return ""
