"""A mail message (RFC 5322, MIME) to what its reader sees: subject, sender, date, readable text and
attachments, with the `email` package of the standard library.

The readable text is the plain one where a message has it, else its HTML. Quoted lines stay. What is
broken in a header or in a part costs that header or part alone, and is said in `problems`.
"""

from __future__ import annotations

import datetime
import email
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.policy import Compat32, compat32
from email.utils import collapse_rfc2231_value, parsedate_to_datetime
from typing import Any
from urllib.parse import quote

from pocketindex.builder.document import URL_BYTES

PLAIN, HTML = "text/plain", "text/html"
# Parts that only say how the message was signed or packed, and that no reader looks at.
_SIGNATURES = frozenset(
    (
        "application/pgp-signature",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/pgp-encrypted",
    )
)
_ENCRYPTED = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime"))
_MOST_DEPTH = 50  # of parts within parts: each line is looked at once for each that it lies in
_MOST_HEADER = 1 << 14  # characters of one: `email` takes the square of them to find its parameters
_READ = ("subject", "from", "date", "message-id", "content-")  # how the headers begin that count
_MOST_PARTS = 10_000  # of a message; what has more was written to keep its reader busy
# A plain text with fewer than a fifth of the words of its HTML says only that there is HTML.
_STUB = 5
_TAG = re.compile(
    r"<(?:style|script)\b.*?(?:</(?:style|script)>|\Z)|<[^<>]*>", re.DOTALL | re.IGNORECASE
)
_ENRICHED = re.compile(r"<param>[^<]*</param>|</?[A-Za-z-]{1,60}>", re.IGNORECASE)
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """A part of a message: media_type in lower case; name: of the file that it was, or nothing;
    content: its bytes without their transfer encoding; charset: what it is said to be in.
    """

    media_type: str
    name: str
    content: bytes
    charset: str = ""


@dataclass
class Mail:
    """What a reader sees of a message.

    sender: as "Ada Lovelace <ada@example.org>"; date: in ISO 8601 where it can be read, else as it
    stands; url: its Message-ID as a URL of the scheme `mid` (RFC 2392), or nothing; body: parts of
    readable text, each PLAIN or HTML, in order; attachments: files, and messages in it.
    """

    subject: str = ""
    sender: str = ""
    date: str = ""
    url: str = ""
    body: list[Part] = field(default_factory=list)
    attachments: list[Part | Message] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class _Nested(Message):
    """A message or a part that knows how many parts it lies in, and its type, which the parser asks
    for again and again once the headers are there.
    """

    depth = 0
    _type = ""

    def get_content_type(self) -> str:
        self._type = self._type or super().get_content_type()
        return self._type

    def attach(self, payload: Any) -> None:
        payload.depth = self.depth + (self.get_content_maintype() == "multipart")
        if payload.depth > _MOST_DEPTH:
            raise RecursionError
        super().attach(payload)


class _Policy(Compat32):
    """How `email` parses by default, but for headers without end, which it cuts."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_MOST_HEADER]


_POLICY = _Policy()


def parsed(content: bytes) -> Message:
    """Parse a message. Raises ValueError where its parts or messages nest too deeply."""
    policy = compat32 if len(content) < _MOST_HEADER else _POLICY
    try:
        return email.message_from_bytes(content, _Nested, policy=policy)
    except RecursionError:
        raise ValueError("its parts are nested too deeply") from None


def read(message: Message) -> Mail:
    """Return what a reader sees of a message."""
    mail = Mail()
    # Not message.get(), which loses bytes that are not ASCII. Of two headers the first counts.
    headers = {name.lower(): str(value) for name, value in reversed(list(message.raw_items()))}
    subject, sender, date, identifier = (
        _decoded(headers.get(name, ""), mail.problems)
        for name in ("subject", "from", "date", "message-id")
    )
    mail.subject = " ".join(subject.split())
    mail.sender = " ".join(sender.split())
    mail.date = _date(date)
    identifier = identifier.strip().strip("<>")
    mail.url = f"mid:{quote(identifier, safe='@')}" if identifier else ""
    if len(mail.url) > URL_BYTES:
        mail.problems.append(f"its Message-ID of {len(identifier):,} characters is left out")
        mail.url = ""
    count = 0
    # A stack in place of recursion, because a stranger decides how deep messages nest.
    stack: list[tuple[Message, bool]] = [(message, True)]
    while stack:
        part, readable = stack.pop()
        count += 1
        if count > _MOST_PARTS:
            mail.problems.append(f"only the first {_MOST_PARTS:,} of its parts are read")
            break
        stack.extend(reversed(list(_inside(part, readable, mail))))
    return mail


def _inside(part: Message, readable: bool, mail: Mail) -> Iterator[tuple[Message, bool]]:
    """Take what a part has itself into the mail, and yield the parts in it."""
    for name, value in part.raw_items():
        if len(value) == _MOST_HEADER and name.lower().startswith(_READ):
            mail.problems.append(f"its {name} is cut after {_MOST_HEADER:,} characters")
    kind = part.get_content_type()
    if part.is_multipart() and kind.startswith("multipart/"):
        children = [child for child in part.get_payload() if isinstance(child, Message)]
        chosen = _chosen(children) if kind == "multipart/alternative" else None
        for child in children:
            yield child, readable and chosen in (None, child)
    elif kind == "message/delivery-status":
        lines = [f"{name}: {value}" for one in _messages(part) for name, value in one.items()]
        if readable:
            mail.body.append(Part(PLAIN, "", "\n".join(lines).encode(errors="replace"), "utf-8"))
    elif kind == "text/rfc822-headers":
        try:
            mail.attachments.append(parsed(_bytes(part, mail.problems)))
        except ValueError as error:
            mail.problems.append(f"the headers of a message in it are left out: {error}")
    elif kind.startswith("message/") and part.is_multipart():
        mail.attachments.extend(_messages(part))
    elif kind in _SIGNATURES:
        pass
    elif kind in _ENCRYPTED and part.get_param("smime-type") != "signed-data":
        mail.problems.append("a part of it is encrypted and cannot be read")
    else:
        _leaf(part, kind, readable, mail)


def _leaf(part: Message, kind: str, readable: bool, mail: Mail) -> None:
    told = _parameters(part, "content-type", mail.problems)
    placed = _parameters(part, "content-disposition", mail.problems)
    name = placed.get("filename") or told.get("name", "")
    name = _decoded(name, mail.problems).replace("\\", "/").rsplit("/", 1)[-1].strip()
    attached = bool(name) or part.get_content_disposition() == "attachment"
    content = _bytes(part, mail.problems)
    charset = told.get("charset", "").lower()
    if attached or not kind.startswith("text/"):
        if content.strip():
            mail.attachments.append(Part(kind, name, content, charset))
    elif readable and content.strip():
        if kind == "text/enriched":
            text = _ENRICHED.sub("", content.decode("latin-1")).replace("<<", "<")
            content = text.encode("latin-1")
        elif kind == PLAIN and told.get("format", "").lower() == "flowed":
            content = _flowed(content, told.get("delsp", "").lower() == "yes")
        mail.body.append(Part(HTML if kind == HTML else PLAIN, "", content, charset))


def _chosen(children: list[Message]) -> Message | None:
    """Return the alternative that is read: plain text, unless that is empty or says only that the
    message is HTML. Problems are told when it is read.
    """
    plain = next((one for one in children if _says(one, PLAIN)), None)
    html = next((one for one in reversed(children) if _holds(one, HTML)), None)
    if plain is None or html is None:
        return plain or html or (children[0] if children else None)
    page = next(one for one in _within(html) if one.get_content_type() == HTML)
    words = len(_TAG.sub(" ", _bytes(page, []).decode("latin-1")).split())
    return plain if len(_bytes(plain, []).split()) * _STUB >= words else html


def _says(part: Message, kind: str) -> bool:
    return part.get_content_type() == kind and bool(_bytes(part, []).strip())


def _holds(part: Message, kind: str) -> bool:
    return any(one.get_content_type() == kind for one in _within(part))


def _within(part: Message) -> Iterator[Message]:
    """Yield a part and all parts in it, as walk() does, which a message may nest too deeply for."""
    stack = [part]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(_messages(one)))


def _messages(part: Message) -> list[Message]:
    # Only of parts: the text of a message is decoded by a charset that may be any bytes.
    inner: Any = part.get_payload() if part.is_multipart() else []
    return [one for one in inner if isinstance(one, Message)]


def _bytes(part: Message, problems: list[str]) -> bytes:
    """Return the content of a part without its transfer encoding."""
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError) as error:
        problems.append(f"the transfer encoding of a part is damaged: {error}")
        return b""
    return payload if isinstance(payload, bytes) else b""


def _parameters(part: Message, header: str, problems: list[str]) -> dict[str, str]:
    """Return the parameters of a header by their names; of two with one name the first counts."""
    try:
        found = part.get_params([], header)
        return {
            name.lower(): value if isinstance(value, str) else collapse_rfc2231_value(value)
            for name, value in reversed(found)
        }
    except (ValueError, LookupError) as error:
        problems.append(f"the {header} of a part cannot be read: {error}")
        return {}


def _decoded(value: str, problems: list[str]) -> str:
    """Decode the encoded words of a header (RFC 2047); bytes that stand there as they are, which
    `email` gives as surrogates, are UTF-8 or else Windows-1252.
    """
    try:
        pieces = decode_header(value) if "=?" in value else [(value, None)]
    except (ValueError, LookupError, MessageError) as error:  # base64 that is none
        problems.append(f"a header is damaged: {error}")
        pieces = [(value, None)]
    text = []
    for piece, charset in pieces:
        raw = piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else piece
        charset = None if charset == "unknown-8bit" else charset
        try:
            text.append(raw.decode(charset or "utf-8"))
        except (LookupError, ValueError):
            if charset:
                problems.append(f"a header is not in the encoding {charset!r} that it names")
            text.append(raw.decode(best_encoding(raw), "replace"))
    return "".join(text)


def best_encoding(content: bytes) -> str:
    """Return the encoding of bytes that nobody declares: UTF-8 where they are valid, else
    Windows-1252.
    """
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _date(value: str) -> str:
    try:
        found: datetime.datetime = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return value.strip()
    return found.isoformat()


def _flowed(content: bytes, delete: bool) -> bytes:
    """Join the lines that the sender broke (RFC 3676): those that end with a space, within the
    same depth of quotation.
    """
    lines = list[list[bytes]]()
    depth_before = 0
    open_line = False
    for line in content.replace(b"\r\n", b"\n").split(b"\n"):
        depth = len(line) - len(line.lstrip(b">"))
        text = line[depth:].removeprefix(b" ")
        signature = text == b"-- "
        if open_line and depth == depth_before and not signature:
            lines[-1].append(text)
        else:
            lines.append([b">" * depth + (b" " if depth else b"") + text])
        open_line = text.endswith(b" ") and not signature
        depth_before = depth
        if open_line and delete:
            lines[-1][-1] = lines[-1][-1][:-1]
    return b"\n".join(map(b"".join, lines))


def unquoted(content: bytes) -> bytes:
    """Return a message of an mbox file without the marks of lines that begin with From."""
    return _QUOTED_FROM.sub(rb"\1", content) if b">From " in content else content
