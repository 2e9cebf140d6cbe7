"""Turn HTML into text: title, language and what a person sees of a page (visible.py), with
resiliparse, which runs in a separate process (apart.py).

Bytes beyond ASCII that are valid UTF-8 are read as UTF-8, whatever a page declares: text in another
encoding is hardly ever valid UTF-8, and wrong declarations are common. Otherwise the encoding is
determined as in the standard (https://html.spec.whatwg.org/#determining-the-character-encoding).
"""

from __future__ import annotations

import codecs
import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pocketindex.builder.document import Notice, Shortened
from pocketindex.builder.inputs.opening import encoding as opening
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING
from pocketindex.builder.inputs.options import WHOLE, Css
from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.pages.visible import visible
from pocketindex.builder.inputs.source import OnSkip, needed
from pocketindex.errors import spelled
from pocketindex.options import OptionError

NOT_SELECTED = "not selected"  # the reason of a Notice

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # which begins as UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0\0\0", "utf-32-le"),  # no mark, but no page of bytes begins so
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_MARKS = tuple(mark for mark, _ in _BOMS)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/][^<>]*?charset\s*=\s*[\"']?\s*([^\s\"'/<>;]+)", re.IGNORECASE)
_XML_SAYS = re.compile(rb"\s*<\?xml[^<>]*?encoding\s*=\s*[\"']([^\s\"'<>]+)")
_XML = re.compile(rb"\s*<\?xml\b")
_STATEFUL = ("iso2022", "hz")  # how Python calls encodings of 7 bits that are not ASCII
_SHIFTS = (b"\x1b", b"~")  # what all of these have where they differ from ASCII
# What the standard means by these is more than Python does.
_SUPERSETS = {"shift_jis": "cp932", "euc_kr": "cp949", "gbk": "gb18030", "big5": "big5hkscs"}

_XHTML = "http://www.w3.org/1999/xhtml"
_BEGIN = 4096  # characters that the root begins in
_PREFIX = re.compile(rf"xmlns:([\w-]+)\s*=\s*[\"']{_XHTML}[\"']")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)
_INSTRUCTION = re.compile(r"<\?.*?(?:\?>|\Z)", re.DOTALL)
_SUBSET = re.compile(r"(<!DOCTYPE[^<>\[]*)\[(.*?)\]\s*>", re.DOTALL)
_ENTITY = re.compile(r"<!ENTITY\s+([\w.-]+)\s+(?:\"([^\"]*)\"|'([^']*)')\s*>")


@dataclass(frozen=True)
class Page:
    """The title, the text and the language of a page; each may be empty.

    problem: what is wrong with its encoding, or nothing; words: the number of words visible on it;
    left: the number of them that are not in the text; selected: whether an element matches the
    selector.
    """

    title: str
    text: str
    lang: str
    problem: str = field(default="", compare=False)
    words: int = field(default=0, compare=False)
    left: int = field(default=0, compare=False)
    selected: bool = field(default=True, compare=False)

    def tell(self, place: str, skip: OnSkip, css: Css = WHOLE) -> None:
        """Report to skip how the text differs from the page; place: of the page, for messages."""
        for notice in self._notices(place, css):
            skip(notice)

    def _notices(self, place: str, css: Css) -> Iterator[Notice]:
        if self.problem:
            yield Notice(place, WRONG_ENCODING, self.problem)
        if not self.selected:
            yield Notice(
                place, NOT_SELECTED, f"nothing on the page matches {spelled('select', css.select)}"
            )
        yield Shortened.of(place, self.words, self.left, by_choice=any(css))


def read(
    content: bytes,
    name: str,
    charset: str = "",
    encoding: str | None = None,
    css: Css = WHOLE,
    main: bool = True,
) -> Page:
    """Return the page in these bytes; name: for messages; charset: what the transport declared,
    such as "Shift_JIS"; encoding: what the user gave, which outranks everything else; main: whether
    navigation is left out.

    Raises Unfit "unreadable" for a page that is more work than apart.py allows, SourceError where
    resiliparse is missing.
    """
    needed("resiliparse.parse.html", "html", name, "it is HTML")
    return Page(*apart.read(__name__, content, name, charset, main, encoding, *css))


def parsed(
    content: bytes,
    name: str,
    charset: str = "",
    main: bool = True,
    encoding: str | None = None,
    select: str = "",
    exclude: str = "",
) -> tuple[str, str, str, str, int, int, bool]:
    """Parse a page in this process, and return the fields of a Page.

    main: whether navigation is left out, as from a page of a site; a page of a book has none.
    """
    html = needed("resiliparse.parse.html", "html", name, "it is HTML")
    source, problem = decoded(content, name, charset, encoding)
    is_xml = _XHTML in source[:_BEGIN] or source.lstrip().startswith("<?xml")
    if is_xml:
        source = _as_html(source)
    found = visible(html, source, Css(select, exclude), main, is_xml)
    return found.title, found.text, found.lang, problem, found.words, found.left, found.selected


def check_selectors(**options: str) -> None:
    """Raise OptionError for an option whose value is not a CSS selector, and SourceError if
    resiliparse is missing. An empty selector is valid.
    """
    for name, selector in options.items():
        if selector:
            html = needed("resiliparse.parse.html", "html", f"--{name}", "it is for HTML")
            try:
                html.HTMLTree.parse("").document.query_selector(selector)
            except Exception as error:  # the library has its own
                raise OptionError(
                    f"{{{name}}} is {{0!r}}, which is not a CSS selector ({{1}}); expected one "
                    "like 'main', '#content' or '.article, .notes'",
                    (selector, error),
                    {name: f"--{name}"},
                ) from None


def decoded(
    content: bytes, name: str, charset: str = "", encoding: str | None = None
) -> tuple[str, str]:
    """Return the characters of a page, and what is wrong with them, or nothing. Bytes that are
    invalid in its encoding become U+FFFD.
    """
    if encoding:
        return opening.decoded(content, encoding)
    for mark, by_mark in _BOMS if content.startswith(_MARKS) else ():
        if content.startswith(mark):
            return opening.decoded(content if b"<" in mark else content[len(mark) :], by_mark)
    is_ascii = content.isascii()
    if not is_ascii or not any(char in content for char in _SHIFTS):
        with contextlib.suppress(UnicodeDecodeError):
            return content.decode(), ""
    encodings = needed("resiliparse.parse.encoding", "html", name, "it is HTML")
    said = [label for label in (charset, *_declared(content)) if label]
    if is_ascii:
        stateful = next(filter(None, map(_stateful, said)), "")
        if not stateful and b"\x1b" in content:
            stateful = encodings.detect_encoding(content)
        return opening.decoded(content, stateful or "ascii")
    # A declaration of UTF-16 that can be read in bytes cannot be true.
    known = [_known(encodings, label) for label in said]
    known = ["utf-8" if one.startswith("utf-16") else one for one in known if one]
    if not known and not _XML.match(content):
        return _guessed(content, encodings.detect_encoding(content))
    tried = [opening.decoded(content, one) for one in known or ["utf-8"]]
    return next((one for one in tried if not one[1]), tried[0])


def _guessed(content: bytes, encoding: str) -> tuple[str, str]:
    text = content.decode(encoding, "replace")
    problem = (
        f"it declares no encoding and is not UTF-8; {encoding.upper()} is a guess; "
        f"name the encoding, such as {spelled('encoding', 'cp1252')}"
    )
    return text, problem


def _declared(content: bytes) -> list[str]:
    """Return the encodings that the page declares, wherever it does."""
    found = (_META.search(_COMMENT.sub(b"", content)), _XML_SAYS.match(content))
    return [declaration[1].decode("latin-1") for declaration in found if declaration]


def _stateful(label: str) -> str:
    try:
        name = codecs.lookup(label.strip("\"' \t\r\n\f")).name
    except (LookupError, ValueError):  # no label, or one with a zero in it
        return ""
    return name if name.startswith(_STATEFUL) else ""


def _known(encodings: Any, label: str) -> str:
    """Return Python's name of the encoding that the standard means by a label, nothing where it
    means none.
    """
    name: str | None = encodings.map_encoding_to_html5(label.strip("\"' \t\r\n\f").lower(), False)
    try:
        found = codecs.lookup(name).name if name else ""
    except LookupError:
        return ""
    return _SUPERSETS.get(found, found)


def _as_html(source: str) -> str:
    """Return XHTML without what HTML does not have: CDATA, instructions, name spaces and declared
    entities. Empty elements are closed with the marks.
    """
    if "<![CDATA[" in source:
        source = _CDATA.sub(
            lambda part: part[1].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
            source,
        )
    head = source[:_BEGIN]
    if (at := head.find("<!DOCTYPE")) >= 0 and (subset := _SUBSET.match(source, at)):
        source = source[: subset.start()] + subset[1] + ">" + source[subset.end() :]
        for name, *value in _ENTITY.findall(subset[2]):
            source = source.replace(f"&{name};", "".join(value))
    if source.find("<?", 1) >= 0:
        source = _INSTRUCTION.sub("", source)
    if prefix := _PREFIX.search(head):
        source = re.sub(rf"(</?){re.escape(prefix[1])}:", r"\1", source)
    return source
