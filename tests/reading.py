"""Reads a source as a build does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pocketindex.builder.document import Document, Skip
from pocketindex.builder.inputs import OWN_NAMES, Fields, find_all


def read(
    source: str | Path, format: str | None = None, fields: Fields = OWN_NAMES, drop: Sequence[str] = ()
) -> tuple[list[Document], list[Skip]]:
    """The documents and the skips of a source."""
    skips: list[Skip] = []
    found = find_all([str(source)], format, fields, drop)
    documents = [document for path, kind in found for document in kind.documents(path, skips.append)]
    return documents, skips


def brief(skips: list[Skip]) -> list[tuple[str, str]]:
    """Places without folders, and reasons."""
    return [(skip.place.rsplit("/", 1)[-1], skip.reason) for skip in skips]
