"""Mail messages as documents: one for each message, and one for each attachment of a kind that is
read, through the reader of that kind.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from email.message import Message

from pocketindex.builder.document import Document, Skip, Unfit
from pocketindex.builder.inputs.kinds import by_media_type, one_by_name
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING, believable, decoded
from pocketindex.builder.inputs.pages import html, single
from pocketindex.builder.inputs.pages.mail import mail
from pocketindex.builder.inputs.pages.single import File
from pocketindex.builder.inputs.source import NeedsPackage

DAMAGED = "damaged mail"  # the reason of a Notice
OTHER_KIND = "other kind: "
_DEPTH = 50  # messages within messages
_NOT_READ = (
    "an attachment of this kind is not read; save it and give it by itself if it is a source"
)


def of_file(file: File) -> Iterator[Document]:
    """Yield the document of a message, then those of its attachments and of messages within it.

    The id of attachment n, counted from 1, is that of the message, a slash and n.

    Raises Unfit "unreadable" for a message that is nested too deeply.
    """
    try:
        message = mail.parsed(file.content)
    except ValueError as error:
        raise Unfit("unreadable", str(error)) from None
    yield from _documents(file, message, 0)


def _documents(file: File, message: Message, depth: int) -> Iterator[Document]:
    found = mail.read(message)
    try:
        text = "\n\n".join(filter(None, (_text(file, part, found) for part in found.body)))
        if found.sender:
            text = f"From: {found.sender}\n\n{text}"
        yield file.document(found.subject, text, date=found.date, url=found.url)
    except Unfit as unfit:
        file.skip(Skip(file.place, unfit.reason, unfit.detail))
    for problem in dict.fromkeys(found.problems):
        file.say(DAMAGED, problem)
    for number, part in enumerate(found.attachments, 1):
        id, place = f"{file.id}/{number}", f"{file.place}/{number}"
        inner = dataclasses.replace(file, id=id, place=place, name=f"{file.name}/{number}")
        if isinstance(part, Message):
            if depth < _DEPTH:
                yield from _documents(inner, part, depth + 1)
            else:
                file.skip(Skip(place, "unreadable", "messages are nested too deeply"))
            continue
        try:
            yield from _attached(inner, part)
        except Unfit as unfit:
            file.skip(Skip(place, unfit.reason, unfit.detail))


def _attached(file: File, part: mail.Part) -> Iterator[Document]:
    """Yield the documents of an attachment; file: what it becomes. Raises Unfit."""
    kind = one_by_name(part.name) or by_media_type(part.media_type)
    if not kind:
        suffix = os.path.splitext(part.name)[1].lower() or part.media_type
        raise Unfit(OTHER_KIND + suffix[:40], _NOT_READ)
    name = os.path.splitext(part.name)[0] or file.name
    try:
        yield from single.documents(
            part.content, file.id, file.place, file.skip, file.options, kind, name
        )
    except NeedsPackage as error:  # which leaves out the attachment, and not all mail
        raise Unfit(OTHER_KIND + "attachment", error.problem) from None


def _text(file: File, part: mail.Part, found: mail.Mail) -> str:
    """Return the text of a part of the body."""
    if part.media_type == mail.HTML:
        try:
            page = html.read(
                part.content, file.place, part.charset, file.options.encoding, main=False
            )
        except Unfit as unfit:
            if len(found.body) == 1:
                raise
            found.problems.append(f"a page in it is left out: {unfit.detail}")
            return ""
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
