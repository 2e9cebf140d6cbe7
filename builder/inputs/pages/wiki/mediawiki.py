"""Dumps of a MediaWiki, as Wikipedia publishes them: XML with a page for each article, redirect,
talk and so on.

A document is a page of the main name space, as its last revision in the dump has it. Its id is the
page id, which no two pages share and which stays when a page is renamed; its title is the page's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import quote

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.kinds import INPUTS
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.pages.wiki.wikitext import Stripper
from pocketindex.builder.inputs.source import OnBytes, OnSkip, SourceError, needed, unmeasured
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from pocketindex.builder.spill.threads import Each, one_by_one
from pocketindex.errors import TEXT_BYTES, TextTooLong

_HEAD_BYTES = 4096
_PAGES, _BYTES = 256, 1 << 20  # pages whose markup is taken away at once, and their bytes
_MAIN = "0"
_FILE = "6"
_CATEGORY = "14"
_REDIRECT = re.compile(
    r"\s*#redirect\b", re.IGNORECASE
)  # dumps before 2011 have it in the text only
_UNQUOTED = ";@$!*(),/~:"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def documents(
    source: str, skip: OnSkip, measure: OnBytes = unmeasured, drop: Sequence[str] = ()
) -> Iterator[Document]:
    """Yield the articles of a dump, in its order.

    url and language are those that the dump says of its wiki.

    drop: parts of pages that are left out, as wikitext.DROPS has them. Skipped: "redirect", "other
    name space", "empty" (no text besides markup), "no id" and "too long" (see Document). Raises
    SourceError where the dump is cut short or no well-formed XML, after the pages before.
    """
    for articles, skips in map(_stripped, _read(source, measure, drop)):
        for skipped in skips:
            skip(skipped)
        yield from articles


def batches(
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    drop: Sequence[str] = (),
    each: Each = one_by_one,
) -> Iterator[DocumentBatch]:
    """Yield the same, many at a time. each: for the work of threads."""
    for batch, skips in each(_bundled, _read(source, measure, drop)):
        for skipped in skips:
            skip(skipped)
        yield batch


def _read(source: str, measure: OnBytes, drop: Sequence[str]) -> Iterator[_Pages]:
    """Yield pages; before an error comes all that is whole."""
    with Stream(source) as stream:
        etree = needed("lxml.etree", "wiki", stream.name, "it is a MediaWiki dump")
        events = etree.iterparse(
            _File(stream),
            events=("end",),
            tag=("{*}siteinfo", "{*}revision", "{*}page"),
            huge_tree=True,  # a text has more than ten million bytes now and then
            resolve_entities=False,
            no_network=True,
            remove_comments=True,  # a text is one piece then
            remove_pis=True,
            collect_ids=False,
        )
        some = _Pages(_Wiki(None, drop))
        text = ""
        number = 0
        ended = None
        try:
            for _, element in events:
                name = element.tag.rpartition("}")[2]
                if name == "revision":
                    text = next((child.text or "" for child in element.iterchildren("{*}text")), "")
                    element.clear()
                    continue
                if name == "siteinfo":
                    yield some
                    some = _Pages(_Wiki(element, drop))
                else:
                    number += 1
                    some.add(_children(element), text, stream.name, number)
                    text = ""
                if some.full:
                    yield some
                    some = _Pages(some.wiki)
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
                measure(stream.read, stream.total)
        except SourceError as error:
            ended = error
        except etree.XMLSyntaxError as error:
            last = events.error_log.last_error
            problem = (
                f"line {last.line}, column {last.column}: {last.message.strip()}"
                if last
                else str(error.msg)
            )
            ended = SourceError(
                stream.name, f"not well-formed XML: {problem}; download or export the dump again"
            )
        yield some
        if ended:
            raise ended


def _children(element: Any) -> dict[str, str]:
    """Return the text of the first child of each name, whatever its name space."""
    return {
        child.tag.rpartition("}")[2]: child.text or ""
        for child in element.iterchildren("{*}*", reversed=True)
    }


class _Page(NamedTuple):
    place: str
    id: str
    title: str
    url: str
    wikitext: bytes


@dataclass(slots=True)
class _Pages:
    """Some articles of a wiki, and what was skipped between them. size: bytes of the articles."""

    wiki: _Wiki
    found: list[_Page | Skip] = field(default_factory=list)
    size: int = 0

    def add(self, children: dict[str, str], text: str, source: str, number: int) -> None:
        id = children.get("id", "")
        place = f"{source}:page {id or f'number {number:,}'}"
        try:
            article = _Page(place, id, *self.wiki.article(children, text))
        except Unfit as unfit:
            self.found.append(Skip(place, unfit.reason, unfit.detail))
        else:
            self.found.append(article)
            self.size += len(article.wikitext)

    @property
    def full(self) -> bool:
        return len(self.found) >= _PAGES or self.size >= _BYTES


def _stripped(some: _Pages) -> tuple[list[Document], list[Skip]]:
    """Return documents and skips, both in the order of the dump."""
    found, skips = list[Document](), list[Skip]()
    texts = iter(
        some.wiki.stripper.texts([page.wikitext for page in some.found if isinstance(page, _Page)])
    )
    for page in some.found:
        if isinstance(page, Skip):
            skips.append(page)
            continue
        try:
            found.append(
                Document(
                    *(page.id, page.title, next(texts), page.url, some.wiki.language), name=page.id
                )
            )
        except Unfit as unfit:
            skips.append(Skip(page.place, unfit.reason, unfit.detail))
    return found, skips


def _bundled(some: _Pages) -> tuple[DocumentBatch, list[Skip]]:
    found, skips = _stripped(some)
    return DocumentBatch.of(found), skips


class _Wiki:
    """What a dump says of its wiki, and how to read its pages.

    siteinfo: that element, if there was one.
    """

    def __init__(self, siteinfo: Any, drop: Sequence[str]) -> None:
        names: dict[str, str] = {}
        self._base = self.language = ""
        if siteinfo is not None:
            names = {
                space.get("key", ""): space.text or ""
                for space in siteinfo.iterfind("{*}namespaces/{*}namespace")
            }
            base = siteinfo.findtext("{*}base") or ""
            self._base = base[: max(base.rfind("/"), base.rfind("title=") + 5) + 1]
            self.language = (
                siteinfo.getparent().get(_LANGUAGE, "") if siteinfo.getparent() is not None else ""
            )
        self._others = tuple(name + ":" for key, name in names.items() if key != _MAIN and name)
        self.stripper = Stripper([names.get(_FILE, "")], [names.get(_CATEGORY, "")], drop)

    def article(self, children: dict[str, str], text: str) -> tuple[str, str, bytes]:
        """Return title, url and wikitext of a page. Raises Unfit."""
        title, space = children.get("title", ""), children.get("ns")
        if space is None:  # as in dumps before 2011
            space = "other" if title.startswith(self._others) else _MAIN
        if space != _MAIN:
            raise Unfit("other name space", f"{title!r} is no article")
        if "redirect" in children or _REDIRECT.match(text):
            raise Unfit("redirect", f"{title!r} leads to another page")
        wikitext = text.encode()
        if len(wikitext) > TEXT_BYTES:
            raise Unfit("too long", str(TextTooLong(len(wikitext))))
        url = (
            self._base + quote(title.replace(" ", "_"), safe=_UNQUOTED)
            if self._base and title
            else ""
        )
        return title, url, wikitext


class _File:
    """What iterparse reads from: a stream whose first bytes are those of a dump."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._head = stream.take(_HEAD_BYTES)
        if not INPUTS["mediawiki"].fits(self._head):
            begins = self._head[:40].decode(errors="replace").strip()
            raise SourceError(
                stream.name,
                (
                    "expected a dump of a MediaWiki, which begins with <mediawiki …>, found "
                    f"{begins!r}"
                ),
            )

    def read(self, size: int) -> bytes:
        head, self._head = self._head, b""
        return head or self._stream.piece(size)
