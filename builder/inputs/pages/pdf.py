"""Turn PDF into text: title and text of all pages, with pypdfium2, which runs in a separate process
(apart.py).

The text is what a page shows: what is drawn on it, the values of form fields, and notes that are
written on the page itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.pages import apart, broken_words
from pocketindex.builder.inputs.pages.pdf_letters import Letters
from pocketindex.builder.inputs.source import needed
from pocketindex.errors import TEXT_BYTES
from pocketindex.wording.counted import have

if TYPE_CHECKING:
    from pocketindex.builder.inputs.pages.single import File

# Reasons of Notices.
PART_LEFT_OUT = "part left out"
NO_TEXT = "pages without text"
UNREADABLE = "letters unreadable"

_HYPHEN = re.compile("\ufffe(?:\r?\n)?")  # what pdfium makes of a hyphen at the end of a line
# What no page shows: control characters, private use, and what stands for letters unknown. Some of
# them in a row are a word; one alone is a bullet for the most part.
_STRANGE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]{2,}")
_TAG = re.compile("<[^>]*>")
_EVERY = 4  # letter of a page is asked whether its font says what it is, and all where one is not
_LEAST_STRANGE = 4  # letters of a page
_RANGES = 20  # of pages in a sentence


@dataclass(frozen=True)
class Pdf:
    """The title and the text of a PDF file; each may be empty.

    problems: reason and sentence for each way in which the text falls short of what the file shows.
    """

    title: str
    text: str
    problems: list[list[str]]


def of_file(file: File) -> Iterator[Document]:
    """Yield the document of a PDF file."""
    found = read(file.content, file.place)
    for reason, problem in found.problems:
        file.say(reason, problem)
    yield file.document(found.title, found.text)


def read(content: bytes, name: str) -> Pdf:
    """Return the content of a PDF file; name: for messages.

    Raises Unfit "unreadable" (no PDF, cut short, a password, no page that can be read, or more work
    than apart.py allows), "empty" (neither a title nor a page with text), "too long".
    """
    return Pdf(*apart.read(__name__, content, name))


def parsed(content: bytes, name: str) -> tuple[str, str, list[tuple[str, str]]]:
    """Parse a PDF in this process: the fields of Pdf."""
    pdfium = needed("pypdfium2", "pdf", name, "it is a PDF file")
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium.raw.FPDF_ERR_PASSWORD:
            raise Unfit("unreadable", "it needs a password; give a copy without one") from None
        raise Unfit("unreadable", f"not a PDF file, cut short or damaged: {error}") from None
    with contextlib.closing(document):
        return _Reader(pdfium, document, name).read()


class _Reader:
    """A document under way. damaged, scanned, strange: numbers of pages, from 1; unknown: letters
    of the strange pages that no font names, of all their letters.
    """

    def __init__(self, pdfium: Any, document: Any, name: str) -> None:
        self._pdfium, self._raw, self._document = pdfium, pdfium.raw, document
        self._damaged, self._scanned, self._strange = list[int](), list[int](), list[int]()
        self._letters = self._unknown = 0
        self._fonts = Letters(self._raw, name)
        with contextlib.suppress(pdfium.PdfiumError):  # of a damaged form: its pages have text
            document.init_forms()

    def read(self) -> tuple[str, str, list[tuple[str, str]]]:
        pages, size = list[str](), 0
        for number in range(1, len(self._document) + 1):
            try:
                with contextlib.closing(self._document[number - 1]) as page:
                    pages.append(self._page(page, number))
            except (self._pdfium.PdfiumError, AssertionError, UnicodeError):
                self._damaged.append(number)
                continue
            size += len(pages[-1])
            if size > TEXT_BYTES:
                raise Unfit("too long", f"the text has more than {TEXT_BYTES:,} characters")
        text = broken_words.joined("\n\n".join(pages), breaks=True)
        title = " ".join(self._document.get_metadata_value("Title").split())
        problems = list(self._problems())
        if not text.strip() and not (title and pages):
            if self._damaged:
                raise Unfit("unreadable", problems[0][1])
            raise Unfit("empty", self._none())
        return title, text, problems

    def _page(self, page: Any, number: int) -> str:
        """Return the text of a page, and note what is wrong with it."""
        with contextlib.closing(page.get_textpage()) as drawn:
            text, unknown = self._drawn(drawn)
        text = "\n".join(filter(None, (text, *self._written(page))))
        if unknown >= _LEAST_STRANGE:
            self._strange.append(number)
            letters = sum(not char.isspace() for char in text)
            self._unknown += min(unknown, letters)
            self._letters += letters
        if not text.strip() and self._has_picture(page):
            self._scanned.append(number)
        return text

    def _drawn(self, drawn: Any) -> tuple[str, int]:
        """Return what is drawn on a page, and how many letters its fonts do not name, or name
        wrongly.
        """
        text = drawn.get_text_range()
        wrong, count = self._raw.FPDFText_HasUnicodeMapError, drawn.count_chars()
        unknown = list[int]()
        if any(wrong(drawn, at) == 1 for at in range(0, count, _EVERY)):
            unknown = [at for at in range(count) if wrong(drawn, at) == 1]
            text = self._fonts.named(drawn, text, unknown)
        strange = sum(map(len, _STRANGE.findall(text)))
        return _HYPHEN.sub("-\n", text), max(strange, len(unknown))

    def _has_picture(self, page: Any) -> bool:
        return any(True for _ in page.get_objects([self._raw.FPDF_PAGEOBJ_IMAGE]))

    def _written(self, page: Any) -> Iterator[str]:
        """Yield the values of form fields and the notes that stand on a page."""
        raw = self._raw
        hidden = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
        for number in range(raw.FPDFPage_GetAnnotCount(page)):
            annotation = raw.FPDFPage_GetAnnot(page, number)
            if not annotation:
                continue
            try:
                if raw.FPDFAnnot_GetFlags(annotation) & hidden:
                    continue
                kind = raw.FPDFAnnot_GetSubtype(annotation)
                if kind == raw.FPDF_ANNOT_FREETEXT:
                    plain, rich = (
                        _string(raw.FPDFAnnot_GetStringValue, annotation, name)
                        for name in (b"Contents", b"RC")
                    )
                    yield plain or " ".join(html.unescape(_TAG.sub(" ", rich)).split())
                elif kind == raw.FPDF_ANNOT_WIDGET and self._document.formenv:
                    yield from self._values(annotation)
            finally:
                raw.FPDFPage_CloseAnnot(annotation)

    def _values(self, field: Any) -> Iterator[str]:
        """Yield what a form field shows."""
        raw, forms = self._raw, self._document.formenv
        kind = raw.FPDFAnnot_GetFormFieldType(forms, field)
        if kind == raw.FPDF_FORMFIELD_TEXTFIELD:
            flags = raw.FPDFAnnot_GetFormFieldFlags(forms, field)
            if flags & raw.FPDF_FORMFLAG_TEXT_PASSWORD:
                return
        elif kind not in (raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
            return
        chosen = [
            _string(raw.FPDFAnnot_GetOptionLabel, forms, field, option)
            for option in range(raw.FPDFAnnot_GetOptionCount(forms, field))
            if raw.FPDFAnnot_IsOptionSelected(forms, field, option)
        ]
        yield from chosen or [_string(raw.FPDFAnnot_GetFormFieldValue, forms, field)]

    def _problems(self) -> Iterator[tuple[str, str]]:
        count = len(self._document)
        if self._damaged:
            yield PART_LEFT_OUT, f"{_pages(self._damaged, count)} cannot be read: damaged"
        if self._scanned:
            yield (
                NO_TEXT,
                f"{_pages(self._scanned, count)} with pictures and without text: a scan needs "
                "character recognition first",
            )
        if self._strange:
            yield (
                UNREADABLE,
                f"{_pages(self._strange, count)}: {self._unknown:,} of {self._letters:,} letters "
                f"({self._unknown / max(self._letters, 1):.0%}) are of fonts that do not say which "
                "letters they are, and may be wrong; make the file again with other fonts, or "
                "recognise its characters",
            )
        if attached := self._document.count_attachments():
            yield (
                PART_LEFT_OUT,
                f"{attached:,} attached {'files are' if attached > 1 else 'file is'} not read; "
                "give them to build as sources",
            )
        if self._document.get_formtype() == self._raw.FORMTYPE_XFA_FULL:
            yield PART_LEFT_OUT, "it is an XFA form; only its plain PDF is read"

    def _none(self) -> str:
        """Return why no page has text, as a sentence."""
        count = len(self._document)
        scan = "a scan needs character recognition first"
        if count == 1:
            if not self._scanned:
                return "its only page has neither text nor pictures"
            return f"its only page has pictures and no text: {scan}"
        none = f"none of its {count:,} pages has text"
        if not self._scanned:
            return f"{none} or pictures"
        return f"{none}, and {have(len(self._scanned), 'page')} pictures: {scan}"


def _string(function: Callable[..., int], *arguments: Any) -> str:
    """Return a string that pdfium gives in UTF-16, with its line ends."""
    size = function(*arguments, None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    function(*arguments, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    found = buffer.raw[: size - 2].decode("utf-16-le", "replace")
    return found.replace("\r\n", "\n").replace("\r", "\n").strip()


def _pages(numbers: Sequence[int], count: int) -> str:
    """Return a phrase that names pages, such as "pages 1, 3-5 of 9"."""
    ranges = list[list[int]]()
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    named = [f"{first}-{last}" if last > first else f"{first}" for first, last in ranges]
    more = ["..."] if len(named) > _RANGES else []
    return f"page{'s' if len(numbers) > 1 else ''} {', '.join(named[:_RANGES] + more)} of {count:,}"
