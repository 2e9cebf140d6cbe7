"""Reads a source as a build does, and what it then has."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from pocketindex.builder.conventions import murmur
from pocketindex.builder.document import Document, Notice, Shortened, Skip
from pocketindex.builder.inputs import Options, find_all
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.options import WHOLE, Css
from pocketindex.builder.spill.chunks.document_batch import LANGUAGE, DocumentBatch
from pocketindex.builder.write.labels import unpacked_labels


def read(
    source: str | Path,
    format: str | None = None,
    fields: Fields = OWN_NAMES,
    drop: Sequence[str] = (),
    encoding: str | None = None,
    css: Css = WHOLE,
) -> tuple[list[Document], list[Skip | Notice]]:
    """The documents, and the skips and notices of a source, but not of pages that are whole."""
    skips: list[Skip | Notice] = []

    def skip(one: Skip | Notice) -> None:
        if not isinstance(one, Shortened) or one.left:
            skips.append(one)

    found = find_all(
        [str(source)],
        Options(
            format=format,
            fields=fields,
            encoding=encoding,
            select=css.select,
            exclude=css.exclude,
            drop=drop,
        ),
    )
    documents = [document for path, kind in found for document in kind.documents(path, skip)]
    return documents, skips


def brief(skips: Sequence[Skip | Notice]) -> list[tuple[str, str]]:
    """Places without folders, and reasons."""
    return [(skip.place.rsplit("/", 1)[-1], skip.reason) for skip in skips]


def opened(batch: DocumentBatch) -> Iterator[tuple[bytes, ...]]:
    """Id, title, url, language, labels (each once, with a line feed behind) and text of each
    document.
    """
    text = head = 0
    for text_end, head_end, hash in zip(
        batch.text_ends.tolist(), batch.detail_ends.tolist(), batch.hashes.tolist(), strict=True
    ):
        content = bytes(batch.details[head:head_end])
        at = 10
        fields = list[bytes]()
        for size in struct.unpack_from("<HHHHH", content):
            fields.append(content[at : at + size])
            at += size
        assert at == len(content)
        assert murmur(fields[0]) == hash
        labels = dict.fromkeys(unpacked_labels(fields.pop()))
        yield (
            *fields,
            b"".join(label + b"\n" for label in labels),
            bytes(batch.texts[text:text_end]),
        )
        text, head = text_end, head_end
    assert (text, head) == (len(batch.texts), len(batch.details))


def as_bytes(document: Document) -> tuple[bytes, ...]:
    """The same of one."""
    return tuple(
        part.encode()
        for part in (
            document.id,
            document.title,
            document.url,
            document.lang[:LANGUAGE],
            "".join(f"{label}\n" for label in document.labels),
            document.text,
        )
    )
