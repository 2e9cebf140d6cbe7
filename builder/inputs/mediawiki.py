"""Dumps of a MediaWiki, as Wikipedia publishes them: XML with a page for each article, redirect, talk and so on.

A document is a page of the main name space, as its last revision in the dump has it. Its id is the page id, which no two pages share and
which stays when a page is renamed; its title is the page's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.source import OnBytes, OnSkip, SourceError, Stream, needed, unmeasured
from pocketindex.builder.inputs.wikitext import DROPS as _DROPS
from pocketindex.builder.inputs.wikitext import Stripper
from pocketindex.errors import TextTooLong

DROPS = tuple(_DROPS)
BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<mediawiki[\s>]")

_HEAD_BYTES = 4096
_MAIN, _FILE, _CATEGORY = "0", "6", "14"
_REDIRECT = re.compile(r"\s*#redirect\b", re.IGNORECASE)  # dumps before 2011 have it in the text only
_UNQUOTED = ";@$!*(),/~:"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def documents(source: str, skip: OnSkip, measure: OnBytes = unmeasured, drop: Sequence[str] = ()) -> Iterator[Document]:
    """The articles of a dump, in its order. url and language are those that the dump says of its wiki.

    drop: parts of pages that are left out, some of DROPS. Skipped: "redirect", "other name space", "empty" (no text besides markup),
    "no id" and "too long" (see Document). Raises SourceError where the dump is cut short or no well-formed XML, after the pages before.
    """
    with Stream(source) as stream:
        etree = needed("lxml.etree", "wiki", stream.name, "it is a MediaWiki dump")
        events = etree.iterparse(
            _File(stream),
            events=("end",),
            tag=("{*}siteinfo", "{*}revision", "{*}page"),
            huge_tree=True,  # a text has more than ten million bytes now and then
            resolve_entities=False,
            no_network=True,
            collect_ids=False,
        )
        try:
            yield from _documents(events, stream, skip, measure, drop)
        except etree.XMLSyntaxError as error:
            last = events.error_log.last_error
            problem = f"line {last.line}, column {last.column}: {last.message.strip()}" if last else str(error.msg)
            raise SourceError(stream.name, f"not well-formed XML: {problem}; download or export the dump again") from error


def _documents(events: Any, stream: Stream, skip: OnSkip, measure: OnBytes, drop: Sequence[str]) -> Iterator[Document]:
    wiki, text, number = _Wiki(None, drop), "", 0
    for _, element in events:
        name = element.tag.rpartition("}")[2]
        if name == "revision":
            text = _content(element, "text") or ""
            element.clear()
            continue
        if name == "siteinfo":
            wiki = _Wiki(element, drop)
        else:
            number += 1
            try:
                document = wiki.document(element, text)
            except Unfit as unfit:
                id = _content(element, "id") or f"number {number:,}"
                skip(Skip(f"{stream.name}:page {id}", unfit.reason, unfit.detail))
            else:
                yield document
            text = ""
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
        measure(stream.read, stream.total)


class _Wiki:
    """What a dump says of its wiki, and how to read its pages. siteinfo: that element, if there was one."""

    def __init__(self, siteinfo: Any, drop: Sequence[str]) -> None:
        names: dict[str, str] = {}
        self._base = self._lang = ""
        if siteinfo is not None:
            names = {space.get("key", ""): space.text or "" for space in siteinfo.iterfind("{*}namespaces/{*}namespace")}
            base = siteinfo.findtext("{*}base") or ""
            self._base = base[: max(base.rfind("/"), base.rfind("title=") + 5) + 1]
            self._lang = siteinfo.getparent().get(_LANGUAGE, "") if siteinfo.getparent() is not None else ""
        self._others = tuple(name + ":" for key, name in names.items() if key != _MAIN and name)
        self._stripper = Stripper([names.get(_FILE, "")], [names.get(_CATEGORY, "")], drop)

    def document(self, page: Any, text: str) -> Document:
        """Raises Unfit."""
        id, title, space = _content(page, "id") or "", _content(page, "title") or "", _content(page, "ns")
        if space is None:  # as in dumps before 2011
            space = "other" if title.startswith(self._others) else _MAIN
        if space != _MAIN:
            raise Unfit("other name space", f"{title!r} is no article")
        if _content(page, "redirect") is not None or _REDIRECT.match(text):
            raise Unfit("redirect", f"{title!r} leads to another page")
        url = self._base + quote(title.replace(" ", "_"), safe=_UNQUOTED) if self._base and title else ""
        try:
            return Document(id, title or id, self._stripper.text(text), url, self._lang)
        except TextTooLong as error:
            raise Unfit("too long", str(error)) from error


def _content(element: Any, name: str) -> str | None:
    """The text of the first child of this name; None where there is none."""
    for child in element.iterchildren("{*}" + name):
        return child.text or ""
    return None


class _File:
    """What iterparse reads from: a stream whose first bytes are those of a dump."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._head = stream.take(_HEAD_BYTES)
        if not BEGINS.match(self._head):
            begins = self._head[:40].decode(errors="replace").strip()
            raise SourceError(stream.name, f"expected a dump of a MediaWiki, which begins with <mediawiki …>, found {begins!r}")

    def read(self, size: int) -> bytes:
        head, self._head = self._head, b""
        return head or self._stream.piece(size)
