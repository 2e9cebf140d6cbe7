"""A file of HTML is a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pocketindex.builder.document import Document
from pocketindex.builder.inputs.pages import first_bytes, html

if TYPE_CHECKING:
    from pocketindex.builder.inputs.pages.single import File


def of_file(file: File) -> Iterator[Document]:
    """Yield the document of a page."""
    options = file.options
    if not options.encoding:
        first_bytes.check_page(file.content)
    page = html.read(file.content, file.place, file.charset, options.encoding, options.css)
    page.tell(file.place, file.skip, options.css)
    yield file.document(page.title, page.text, page.lang)
