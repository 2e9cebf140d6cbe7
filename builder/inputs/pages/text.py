"""A text file is a document, with words that its line ends have broken made whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pocketindex.builder.document import Document
from pocketindex.builder.inputs.pages import broken_words

if TYPE_CHECKING:
    from pocketindex.builder.inputs.pages.single import File


def of_file(file: File) -> Iterator[Document]:
    """Yield the document of a text file."""
    yield file.document("", broken_words.joined(file.text()))
