"""Read contents by their media types, as crawls and ZIM files have them, in the formats that a
folder may have.
"""

from __future__ import annotations

import re

from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.archives.archive import OTHER_KIND
from pocketindex.builder.inputs.kinds import INPUTS, TEXT, Input, by_media_type
from pocketindex.builder.inputs.options import Options
from pocketindex.builder.inputs.pages import single
from pocketindex.builder.inputs.source import NeedsPackage, OnSkip

_GIVES = "contents of this media type are not read"
_UNKNOWN = ("", "unknown/unknown", "application/unknown", "*/*")
_TYPE = 60  # characters of a media type that are shown
# How content begins that no media type tells: https://mimesniff.spec.whatwg.org, section 7.1.
_MARKUP = re.compile(
    rb"[\t\n\f\r ]*<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title"
    rb"|b|body|br|p)[ >])",
    re.IGNORECASE,
)
_BINARY = re.compile(rb"[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_LOOKED_AT = 1445  # bytes, as in the standard


def check_type(media_type: str) -> None:
    """Raise Unfit "other kind: " and the type if a media type is not that of a document. A type
    that says nothing is accepted.
    """
    if not by_media_type(media_type) and media_type not in _UNKNOWN:
        raise Unfit(OTHER_KIND + media_type[:_TYPE], _GIVES)


def document(
    content: bytes,
    media_type: str,
    charset: str,
    id: str,
    name: str,
    place: str,
    skip: OnSkip,
    options: Options,
    title: str = "",
) -> Document:
    """Return the document in a content. Raises Unfit.

    charset: the encoding that the transport declares; name: used if there is no title; place, skip,
    options, title: as in single.File.
    """
    check_type(media_type)
    kind = by_media_type(media_type) or _sniffed(content)
    try:
        return next(single.documents(content, id, place, skip, options, kind, name, charset, title))
    except NeedsPackage as error:
        if kind.pages:
            raise  # a crawl without its pages is not what was meant
        raise Unfit(OTHER_KIND + media_type, error.problem) from None


def _sniffed(content: bytes) -> Input:
    begin = content[:_LOOKED_AT]
    if begin.startswith(b"%PDF-"):
        return INPUTS["pdf"]
    if _MARKUP.match(begin.removeprefix(_BOMS[0])):
        return INPUTS["html"]
    if begin.startswith(_BOMS) or not _BINARY.search(begin):
        return TEXT
    raise Unfit(OTHER_KIND + "no media type", _GIVES)
