"""Read files that are one document each, or a mail message with its attachments: compressed or not,
alone, in a folder or in an archive.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial

from pocketindex.builder.document import Document, Notice, Skip, Unfit, most_of_record
from pocketindex.builder.inputs.opening.compression import MAGICS
from pocketindex.builder.inputs.opening.encoding import WRONG_ENCODING, believable, decoded
from pocketindex.builder.inputs.opening.stream import Stream
from pocketindex.builder.inputs.options import DEFAULTS, Options
from pocketindex.builder.inputs.pages import broken_words, epub, first_bytes, html, pdf
from pocketindex.builder.inputs.pages.mail import messages
from pocketindex.builder.inputs.pages.markup import markdown
from pocketindex.builder.inputs.pages.office import office
from pocketindex.builder.inputs.source import (
    PACKED,
    STDIN,
    NeedsPackage,
    OnBytes,
    OnSkip,
    SourceError,
    needed,
    packed,
    unmeasured,
)
from pocketindex.errors import TEXT_BYTES

# A text of the largest size in UTF-16, where a letter takes two bytes, and its mark.
FILE_BYTES = 2 * TEXT_BYTES + 3


def too_long(size: int | None, most: int) -> Unfit:
    """Return what is wrong with a file of more than most bytes; size: None if it is unknown."""
    found = f"{size:,}" if size and size > most else f"more than {most:,}"
    because = ", a sixteenth of --max-memory; raise it" if most < FILE_BYTES else ""
    return Unfit("too long", f"the file has {found} bytes, expected at most {most:,}{because}")


@dataclass(frozen=True)
class File:
    """A file that is to become a document.

    id: of the document; name: of the file, used if there is no title; place: for messages; skip: is
    called with each problem; options: how it is read; charset, title: the encoding and the title
    that the container declares.
    """

    content: bytes
    id: str
    name: str
    place: str
    skip: OnSkip
    options: Options
    charset: str = ""
    title: str = ""

    def text(self) -> str:
        """Decode the content: by the encoding that is named, or else by its byte order mark, as
        UTF-16 where zero bytes tell that, or as UTF-8. Raises Unfit where it is no text.
        """
        named = self.options.encoding or believable(self.content, self.charset)
        encoding, mark = ("", 0) if named else first_bytes.marked(self.content)
        guess = "" if named or encoding else first_bytes.guessed(self.content)
        text, problem = decoded(self.content[mark:], named or encoding or guess or "utf-8")
        first_bytes.check_text(text)
        if guess and not problem:
            problem = (
                f"it has zero bytes and no byte order mark; {guess.upper()} is a guess; name the "
                "encoding with --encoding, as utf-16-le"
            )
        if problem:
            self.say(WRONG_ENCODING, problem)
        return text

    def say(self, reason: str, problem: str) -> None:
        """Report how the document differs from the file."""
        self.skip(Notice(self.place, reason, problem))

    def document(self, title: str, text: str, lang: str = "", date: str = "") -> Document:
        """Return the document of the file, with its name where it has no title. Raises Unfit."""
        own = self.title or title
        return Document(self.id, own, text, lang=lang, date=date, name=self.name)


def _text(file: File) -> Document:
    return file.document("", broken_words.joined(file.text()))


def _markdown(file: File) -> Document:
    found = markdown.read(file.text())
    if found.problem:
        file.say(markdown.MARKUP_STAYS, found.problem)
    return file.document(found.title, found.text, found.lang, found.date)


def _html(file: File) -> Document:
    options = file.options
    if not options.encoding:
        first_bytes.check_page(file.content)
    page = html.read(file.content, file.place, file.charset, options.encoding, options.css)
    page.tell(file.place, file.skip, options.css)
    return file.document(page.title, page.text, page.lang)


def _epub(file: File) -> Document:
    book = epub.read(file.content, file.place, file.options.encoding, file.options.css)
    book.tell(file.place, file.skip, file.options.css)
    for problem in book.problems:
        file.say(epub.PART_LEFT_OUT, problem)
    return file.document(book.title, book.text, book.lang)


def _office(file: File, suffix: str) -> Document:
    found = office.read(file.content, file.place, suffix, file.options.add)
    for problem in found.problems:
        file.say(office.DAMAGED, problem)
    return file.document(found.title, found.text, found.lang)


def _pdf(file: File) -> Document:
    found = pdf.read(file.content, file.place)
    for reason, problem in found.problems:
        file.say(reason, problem)
    return file.document(found.title, found.text)


_KINDS: dict[str, Callable[[File], Document]] = {
    **dict.fromkeys((".txt", ".text"), _text),
    **dict.fromkeys((".md", ".markdown"), _markdown),
    **dict.fromkeys((".html", ".htm", ".xhtml"), _html),
    ".epub": _epub,
    ".pdf": _pdf,
}
KINDS = (*_KINDS, *office.SUFFIXES, *messages.SUFFIXES)  # the suffixes of files that are documents
SUFFIXES = packed(*KINDS)
_KIND_FORMATS = ("text", "markdown", "html", "epub", "pdf", *office.BEGINS)  # name what a file is
# The suffixes that stand for media types, where these and no names say what a file is.
MEDIA_TYPES = {
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/x-markdown": ".md",
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "application/epub+zip": ".epub",
    "application/pdf": ".pdf",
    **office.MEDIA_TYPES,
}
_PACKAGES = {
    _html: ("resiliparse.parse.html", "html", "HTML"),
    _epub: ("resiliparse.parse.html", "html", "EPUB"),
    _pdf: ("pypdfium2", "pdf", "PDF"),
}


def documents(
    content: bytes,
    id: str,
    place: str,
    skip: OnSkip,
    options: Options = DEFAULTS,
    suffix: str = "",
    name: str = "",
) -> Iterator[Document]:
    """Yield the documents in the bytes of a file, as document() reads it: the one that it is, or
    those of a mail message and its attachments.
    """
    stem, end = split(id.rsplit("/", 1)[-1])
    if (suffix or end).lower() not in messages.SUFFIXES:
        yield document(content, id, place, skip, options, suffix, name)
        return

    def read(content: bytes, suffix: str, id: str, name: str, place: str) -> Iterator[Document]:
        with _said_as_unfit():
            yield from documents(content, id, place, skip, options, suffix, name)

    file = File(_unpacked(content, place), id, name or stem, place, skip, options)
    yield from messages.documents(file, _suffix_of, read)


def _suffix_of(media_type: str, name: str) -> str:
    """Return the suffix by which a content of a media type and a name is read, or nothing."""
    suffix = split(name)[1].lower()
    return suffix if suffix in KINDS else MEDIA_TYPES.get(media_type, "")


@contextlib.contextmanager
def _said_as_unfit() -> Iterator[None]:
    """Leave out an attachment whose package is missing, and not all mail."""
    try:
        yield
    except NeedsPackage as error:
        raise Unfit("other kind: attachment", error.problem) from None


def document(
    content: bytes,
    id: str,
    place: str,
    skip: OnSkip,
    options: Options = DEFAULTS,
    suffix: str = "",
    name: str = "",
    charset: str = "",
    title: str = "",
) -> Document:
    """Return the document in the bytes of a file, which may be compressed. Raises Unfit.

    id: its path, whose end tells its format unless suffix is given, or the first bytes tell another
    one and no format is named; other files are read as text; name: used if there is no title,
    instead of the file's name without its suffix; place, skip, options, charset, title: as in File.
    """
    stem, end = split(id.rsplit("/", 1)[-1])
    end = (suffix or end).lower()
    content = _unpacked(content, place)
    if not (content or title):
        raise Unfit("empty", "the file is empty")
    if options.format not in _KIND_FORMATS:
        named, end = end, first_bytes.suffix_of(content, end)
        if end != named:
            require(place, [f"{id}{end}"])
    read = partial(_office, suffix=end) if end in office.SUFFIXES else _KINDS.get(end, _text)
    return read(File(content, id, name or stem, place, skip, options, charset, title))


def split(name: str) -> tuple[str, str]:
    """Return the name of a file without its suffixes, and the suffix that tells its kind."""
    stem, end = os.path.splitext(name)
    return os.path.splitext(stem) if end.lower() in PACKED else (stem, end)


def _unpacked(content: bytes, name: str) -> bytes:
    if not content.startswith(MAGICS):
        return content
    try:
        with Stream(name, text=False, content=content) as stream:
            most = most_of_record(FILE_BYTES)
            whole = stream.take(most + 1)
    except NeedsPackage:
        raise
    except SourceError as error:
        raise Unfit("unreadable", error.problem) from None
    if len(whole) > most:
        raise too_long(None, most)
    return whole


def require(source: str, names: Collection[str]) -> None:
    """Raise SourceError where the files of these names in `source` need a package that is not
    installed.
    """
    examples = {_KINDS.get(split(name)[1].lower()): name for name in names}
    for kind, (package, extra, shown) in _PACKAGES.items():
        if kind in examples:
            needed(package, extra, source, f"it has {shown} files, as {examples[kind]}")
    office.require(source, names)


def reader(suffix: str) -> Callable[..., Iterator[Document]]:
    """Return the `documents` of an input that takes a source, whatever its name, for a file with
    this suffix.
    """
    return partial(_documents, suffix)


def _documents(
    suffix: str,
    source: str,
    skip: OnSkip,
    measure: OnBytes = unmeasured,
    options: Options = DEFAULTS,
) -> Iterator[Document]:
    id = "stdin" if source == STDIN else os.path.basename(source)
    with Stream(source, text=False) as stream:
        most = most_of_record(FILE_BYTES)
        content = stream.take(most + 1)
        measure(stream.read, stream.total)
        try:
            if len(content) > most:
                raise too_long(stream.total, most)
            yield from documents(content, id, stream.name, skip, options, suffix)
        except Unfit as unfit:
            skip(Skip(stream.name, unfit.reason, unfit.detail))
