"""The kinds of files that are read: one table. How a file is known, the formats of --format, what a
folder gives, the packages that are asked for, the help and the table of docs/inputs.md follow from
it.

A module that reads is named here, and is imported when there is something to read. Kinds that are
known and not read are in reader/kinds.py.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.source import Batches, Documents, needed
from pocketindex.kinds import BEGIN, unpacked_name


@dataclass(frozen=True)
class Input:
    """A kind of sources, and how it is read.

    about: a line for people, what becomes a document; name: the format; suffixes: of its files, in
    lower case and unpacked; magic: matches the first bytes, unpacked; media_types: where these and
    no names tell it; packages: those that it needs, which `extra` installs (without packages: the
    extra that HTML in it needs).

    documents: reads a source; batches: gives the same, many at a time, with threads. one: reads a
    file that is a document (pages.single.File), or a message with attachments; whatever has it is
    read from folders and archives. in_folder: a folder gives it, too, as one of several documents.
    is_text: another text may begin so, or the name of a text be meant.

    What `documents` takes besides: files: all of the options, because a source is a file that is a
    document, or holds such files; walked: also a folder, with `spared`; named: `fields`, the names
    of the fields of its records; drops: `drop`, any of these parts of a text; encoded: `encoding`;
    placed: `place`, from where it goes on in the middle of a file. Of an input that takes all
    options, `encoded`, `drops`, `adds` (parts of a text) and `pages` (it has pages of HTML) say
    which are of use.
    """

    documents: Documents
    about: str
    name: str = ""
    suffixes: tuple[str, ...] = ()
    magic: re.Pattern[bytes] | None = None
    media_types: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    extra: str = ""
    batches: Batches | None = None
    one: Callable[[Any], Iterator[Document]] | None = None
    in_folder: bool = False
    is_text: bool = False
    files: bool = False
    walked: bool = False
    named: bool = False
    drops: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    encoded: bool = False
    placed: bool = False
    pages: bool = False

    def fits(self, begin: bytes) -> bool:
        """Return whether the first bytes of a file, without its packing, are of this kind."""
        return bool(self.magic and self.magic.match(begin))

    def need(self, source: str, what: str) -> None:
        """Raise NeedsPackage where a package is not installed; what: `source` is, or is in it."""
        for package in self.packages:
            needed(package, self.extra, source, what)

    @property
    def what(self) -> str:
        """What a file of this kind is, in a few words."""
        return re.split("[:,]", self.about)[0]

    @property
    def needs(self) -> str:
        """What is to be installed, for people; "" for nothing."""
        extra = f"pocketindex[{self.extra}]" if self.extra else ""
        return extra if self.packages or not extra else f"{extra} for HTML"


def _later(module: str, function: str = "documents") -> Any:
    """Return a function of a module of the inputs, which is imported when it is called."""

    def call(*arguments: Any, **named: Any) -> Any:
        found = importlib.import_module(f"pocketindex.builder.inputs.{module}")
        return getattr(found, function)(*arguments, **named)

    return call


def _many(name: str, module: str, about: str, suffixes: str = "", **more: Any) -> Input:
    """Return the input of sources of many documents, which documents() of a module reads."""
    return Input(_later(module), about, name, tuple(suffixes.split()), **more)


def _one(name: str, module: str, about: str, suffixes: str, **more: Any) -> Input:
    """Return the input of files that are a document each, which of_file() of a module reads."""
    return Input(
        partial(_later("pages.single", "of_source"), name),
        about,
        name,
        tuple(suffixes.split()),
        one=_later(module, "of_file"),
        files=True,
        in_folder=True,
        **more,
    )


_HTML = ("resiliparse.parse.html",)
_LXML = ("lxml.etree",)
_ADDS = ("comments", "notes")  # what can be added to a text: comments, and notes of the speaker
_OOXML, _ODF = (
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.",
)
# A zip archive that begins with a file of a package, and has those of its kind (an archive of such
# packages begins with the name of one).
_PACKAGE = (
    rb"(?s)(?=PK\x03\x04.{26}(?:\[Content_Types\]\.xml|(?:_rels|docProps|customXml|word|ppt)/))"
)
# A compound file, which older programs wrote, and which is refused with what to do.
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

# Where the first bytes fit several, the first is meant.
_TABLE = (
    _many(
        "jsonl",
        "rows.jsonl",
        "a record of JSON Lines or of a JSON array",
        ".jsonl .ndjson .json",
        magic=re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"'),
        batches=_later("rows.jsonl_batches", "batches"),
        named=True,
        encoded=True,
        placed=True,
        is_text=True,
    ),
    _many(
        "csv",
        "rows.csv",
        "a record of comma-separated values with a first row of names",
        ".csv",
        named=True,
        encoded=True,
        placed=True,
        is_text=True,
    ),
    Input(
        partial(_later("rows.csv"), separators="\t"),
        "the same with tabs",
        "tsv",
        (".tsv", ".tab"),
        named=True,
        encoded=True,
        placed=True,
        is_text=True,
    ),
    _many(
        "parquet",
        "rows.parquet",
        "a row of a Parquet, Arrow or Feather file",
        ".parquet .pq .arrow .arrows .feather",
        magic=re.compile(rb"PAR1|ARROW1|\xff{4}(?s:...)\0"),
        packages=("pyarrow",),
        extra="parquet",
        batches=_later("rows.parquet", "batches"),
        named=True,
    ),
    _one(
        "text",
        "pages.text",
        "a text file",
        ".txt .text",
        media_types=("text/plain",),
        encoded=True,
        is_text=True,
    ),
    _one(
        "markdown",
        "pages.markup.markdown",
        "a Markdown file",
        ".md .markdown",
        media_types=("text/markdown", "text/x-markdown"),
        encoded=True,
        is_text=True,
    ),
    _one(
        "rst",
        "pages.markup.rest",
        "a file of reStructuredText",
        ".rst .rest",
        media_types=("text/x-rst", "text/prs.fallenstein.rst"),
        packages=("docutils",),
        extra="rst",
        encoded=True,
        is_text=True,
    ),
    _one(
        "html",
        "pages.html_file",
        "a page: its title, and what a person sees on it except navigation",
        ".html .htm .xhtml",
        magic=re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b", re.IGNORECASE),
        media_types=("text/html", "application/xhtml+xml"),
        packages=_HTML,
        extra="html",
        encoded=True,
        pages=True,
        is_text=True,
    ),
    _one(
        "epub",
        "pages.epub",
        "a book: its title and everything in its spine, in reading order",
        ".epub",
        magic=re.compile(rb"PK\x03\x04(?s:.{26})mimetypeapplication/epub\+zip"),
        media_types=("application/epub+zip",),
        packages=_HTML,
        extra="html",
        encoded=True,
        pages=True,
    ),
    _one(
        "pdf",
        "pages.pdf",
        "a PDF file: its title, and all text that its pages show",
        ".pdf",
        magic=re.compile(rb"%PDF-"),
        media_types=("application/pdf",),
        packages=("pypdfium2", "fontTools"),
        extra="pdf",
    ),
    _one(
        "docx",
        "pages.office.office",
        "a Word document",
        ".docx .docm .dotx .dotm",
        magic=re.compile(
            _PACKAGE + rb"(?=.*?PK\x03\x04.{26}word/(?:document|styles|settings))|" + re.escape(OLE)
        ),
        media_types=(f"{_OOXML}wordprocessingml.document",),
        packages=_LXML,
        extra="office",
        adds=("comments",),
    ),
    _one(
        "pptx",
        "pages.office.office",
        "a PowerPoint presentation",
        ".pptx .pptm .ppsx .ppsm .potx .potm",
        magic=re.compile(_PACKAGE + rb"(?=.*?PK\x03\x04.{26}ppt/(?:presentation|slide))"),
        media_types=(f"{_OOXML}presentationml.presentation",),
        packages=_LXML,
        extra="office",
        adds=_ADDS,
    ),
    _one(
        "odt",
        "pages.office.office",
        "a text or a presentation of OpenDocument",
        ".odt .ott .fodt .odp .otp .fodp",
        magic=re.compile(
            rb"(?s)PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\."
            rb"(?:text|presentation)"
            rb"|(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?<office:document\s"
        ),
        media_types=(f"{_ODF}text", f"{_ODF}presentation"),
        packages=_LXML,
        extra="office",
        adds=_ADDS,
    ),
    _one(
        "rtf",
        "pages.office.office",
        "a Rich Text Format file, which programs also save under the name of an older file",
        ".rtf .doc .dot .ppt .pps",
        magic=re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\\rtf"),
        media_types=(
            "application/rtf",
            "text/rtf",
            "application/msword",
            "application/vnd.ms-powerpoint",
        ),
        adds=("comments",),
    ),
    _one(
        "mail",
        "pages.mail.messages",
        "a message, and each attachment of a format that is read",
        ".eml .mht .mhtml",
        extra="html",
        encoded=True,
        adds=_ADDS,
        is_text=True,
    ),
    _many(
        "mbox",
        "archives.mbox",
        "the same of each message of an mbox file",
        ".mbox .mbx",
        magic=re.compile(rb"From [^\r\n]*\r?\n(?:>From [^\r\n]*\r?\n)?[!-9;-~]+:[ \t]"),
        extra="html",
        in_folder=True,
        is_text=True,
        files=True,
        encoded=True,
        adds=_ADDS,
    ),
    _many(
        "folder",
        "folder",
        "each file of a folder, of the formats from text to zip; a message of a Maildir",
        files=True,
        walked=True,
        encoded=True,
        adds=_ADDS,
        pages=True,
    ),
    _many(
        "tar",
        "archives.tar",
        "each file of an archive, of the formats from text to mail; nothing is unpacked to disk",
        ".tar",
        magic=re.compile(rb"(?s:.{257})ustar"),
        in_folder=True,
        files=True,
        encoded=True,
        adds=_ADDS,
        pages=True,
    ),
    _many(
        "zip",
        "archives.zip",
        "the same of a zip archive",
        ".zip",
        magic=re.compile(rb"PK(?:\x03\x04|\x05\x06)"),
        in_folder=True,
        files=True,
        encoded=True,
        adds=_ADDS,
        pages=True,
    ),
    _many(
        "warc",
        "archives.warc",
        "a page or text of a crawl",
        ".warc .wet",
        magic=re.compile(rb"\s*WARC/\d", re.IGNORECASE),
        extra="warc",
        files=True,
        encoded=True,
        pages=True,
        is_text=True,
    ),
    _many(
        "zim",
        "archives.zim",
        "an article or text of a ZIM file, as Kiwix has them",
        ".zim .zimaa",  # the latter is the first of several files; libzim finds the others
        magic=re.compile(rb"ZIM\x04"),
        packages=("libzim.reader",),
        extra="zim",
        files=True,
        encoded=True,
        pages=True,
    ),
    _many(
        "mediawiki",
        "pages.wiki.mediawiki",
        "an article of an XML dump of a MediaWiki, by its page id; its wikitext becomes text",
        ".xml",
        magic=re.compile(
            rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<mediawiki[\s>]"
        ),
        packages=_LXML,
        extra="wiki",
        batches=_later("pages.wiki.mediawiki", "batches"),
        drops=("tables", "references"),
        is_text=True,
    ),
)
INPUTS = {kind.name: kind for kind in _TABLE}
TEXT = INPUTS["text"]
_BY_SUFFIX = {suffix: kind for kind in _TABLE for suffix in kind.suffixes}
_BY_MEDIA_TYPE = {type: kind for kind in _TABLE for type in kind.media_types}


def by_name(name: str) -> Input | None:
    """Return the kind of a file, packed or not, that its suffix tells."""
    _, dot, end = unpacked_name(name).rpartition(".")
    return _BY_SUFFIX.get(dot + end.lower())


def by_media_type(media_type: str) -> Input | None:
    """Return the kind of a content that a media type tells."""
    return _BY_MEDIA_TYPE.get(media_type)


def one_by_name(name: str) -> Input | None:
    """Return the kind of a file that its suffix tells, if it is read from folders and archives as
    one document.
    """
    kind = by_name(name)
    return kind if kind and kind.one else None


def by_begin(begin: bytes) -> Input | None:
    """Return the kind of a file by its first bytes without packing; None if they do not tell."""
    return next((kind for kind in _TABLE if kind.fits(begin)), None)


def by_content(content: bytes, named: Input) -> Input:
    """Return the kind of a document that its first bytes tell beyond doubt, else the one that its
    name tells, which is `named`.

    What may be meant as a text, as the source of a page, is one under the name of a text. Raises
    Unfit "unreadable" for an archive that is named as a text.
    """
    found = by_begin(content[:BEGIN])
    if not found or (found.is_text and named.is_text):
        return named
    if found.one:
        return found
    if found.in_folder and named.is_text:
        raise Unfit("unreadable", "its first bytes are those of an archive; rename it so")
    return named
