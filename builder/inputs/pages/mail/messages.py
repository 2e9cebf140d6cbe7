"""Mail messages as documents: one for each message, and one for each attachment of a kind that is
read, through the reader of that kind.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator
from email.message import Message
from typing import Any

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING, believable, decoded
from pocketindex.builder.inputs.pages import html
from pocketindex.builder.inputs.pages.mail import mail

SUFFIXES = (".eml", ".mht", ".mhtml")
DAMAGED = "damaged mail"  # the reason of a Notice
OTHER_KIND = "other kind: "
_DEPTH = 50  # messages within messages
_NOT_READ = (
    "an attachment of this kind is not read; save it and give it by itself if it is a source"
)

# Of a content, its suffix, an id, the name of a file, and a place: the documents in it.
Read = Callable[[bytes, str, str, str, str], Iterator[Document]]


def documents(file: Any, suffix_of: Callable[[str, str], str], read: Read) -> Iterator[Document]:
    """Yield the document of a message, then those of its attachments and of messages within it.

    file: a single.File; suffix_of: gives the suffix by which an attachment of a media type and of
    a name is read, or nothing; read: reads it. The id of attachment n, counted from 1, is that of
    the message, a slash and n.

    Raises Unfit "unreadable" for a message that is nested too deeply.
    """
    try:
        message = mail.parsed(file.content)
    except ValueError as error:
        raise Unfit("unreadable", str(error)) from None
    yield from _documents(file, message, suffix_of, read, 0)


def _documents(
    file: Any, message: Message, suffix_of: Callable[[str, str], str], read: Read, depth: int
) -> Iterator[Document]:
    found = mail.read(message)
    try:
        text = "\n\n".join(filter(None, (_text(file, part, found) for part in found.body)))
        if found.sender:
            text = f"From: {found.sender}\n\n{text}"
        document = file.document(found.subject, text, date=found.date)
        yield dataclasses.replace(document, url=found.url)
    except Unfit as unfit:
        file.skip(Skip(file.place, unfit.reason, unfit.detail))
    for problem in dict.fromkeys(found.problems):
        file.say(DAMAGED, problem)
    for number, part in enumerate(found.attachments, 1):
        id, place = f"{file.id}/{number}", f"{file.place}/{number}"
        inner = dataclasses.replace(file, id=id, place=place, name=f"{file.name}/{number}")
        if isinstance(part, Message):
            if depth < _DEPTH:
                yield from _documents(inner, part, suffix_of, read, depth + 1)
            else:
                file.skip(Skip(place, "unreadable", "messages are nested too deeply"))
            continue
        suffix = suffix_of(part.media_type, part.name)
        if not suffix:
            kind = os.path.splitext(part.name)[1].lower() or part.media_type
            file.skip(Skip(place, OTHER_KIND + kind[:40], _NOT_READ))
            continue
        name = os.path.splitext(part.name)[0] or inner.name
        try:
            yield from read(part.content, suffix, id, name, place)
        except Unfit as unfit:
            file.skip(Skip(place, unfit.reason, unfit.detail))


def _text(file: Any, part: mail.Part, found: mail.Mail) -> str:
    """Return the text of a part of the body."""
    if part.media_type == mail.HTML:
        page = html.read(part.content, file.place, part.charset, file.options.encoding, main=False)
        if page.problem:
            file.say(WRONG_ENCODING, page.problem)
        return page.text.strip()
    named = file.options.encoding or believable(part.content, part.charset)
    if not named and not part.content.isascii():
        named = mail.best_encoding(part.content)
    text, problem = decoded(part.content, named or "utf-8")
    if problem:
        file.say(WRONG_ENCODING, problem)
    return text.replace("\r\n", "\n").strip("\n").rstrip()
