"""Index a few texts in a temporary file that keeps them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import pocketindex
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.given import find_given
from pocketindex.builder.pipeline import build_found
from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.index import Index
from pocketindex.opening.closing import Closing

# Shingles are short and all of them are stored: the texts are few, so each may take more bytes.
SETTINGS = Settings(
    index=("documents", "passages", "words"), keep="text", run_terms=3, run_window=1
)


class TemporaryIndex(Closing):
    """An index of texts, whose ids are their numbers. close() removes it. Empty texts are left out,
    and index is None if all texts are empty.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._stack = ExitStack()
        self.index: Index | None = None
        documents = [
            Document(str(number), "", text) for number, text in enumerate(texts) if text.strip()
        ]
        if not documents:
            return
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pocketindex-"))
            path = Path(folder) / "texts.pocket"
            found = find_given(documents)
            build_found(found, [name for name, _ in found], path, SETTINGS, Progress(form="none"))
            self.index = stack.enter_context(pocketindex.open(path))
            self._stack = stack.pop_all()

    def close(self) -> None:
        """Close the index and remove its file."""
        self._stack.close()
