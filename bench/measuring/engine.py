"""pocketindex as the benchmarks build and ask it: through the public build, and from text to hits
in C, with no Python between a text and its hits' numbers.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pocketindex
from pocketindex.builder.pipeline import Settings, build
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.cbits import ffi, lib, query_options
from pocketindex.ffi.status import check

SCAN = lib.POCKET_EXHAUSTIVE
_FIELDS = dict(ffi.typeof("pocket_hit").fields)
HIT = np.dtype(
    {
        "names": list(_FIELDS),
        "formats": [f"<u{ffi.sizeof(field.type)}" for field in _FIELDS.values()],
        "offsets": [field.offset for field in _FIELDS.values()],
        "itemsize": ffi.sizeof("pocket_hit"),
    }
)


@dataclass
class Found:
    """A query's hits, best first: document numbers and similarities 0..1; and how many candidates
    were ranked.
    """

    documents: npt.NDArray[Any]
    similarities: npt.NDArray[Any]
    candidates: int


class Engine:
    """An open file.

    probes, here and below: 0 is the file's default way, SCAN compares with everything, any other
    number asks the tables.
    """

    def __init__(self, path: Path, seconds: float = 0.0) -> None:
        self.path, self.seconds = path, seconds
        self.index = pocketindex.open(path)
        info = self.index.info()
        self.documents: int = info.documents
        self.bytes: float = info.bytes_per_document["look-up"]
        self.default_probes: int = info.default_probes
        self.way: str = info.way
        self.shape = f"{len(info.tables)} tables x {info.tables[0].components if info.tables else 0} bits, sketch of {info.components} bits"
        self._handle = self.index._core
        self._report = ffi.new("pocket_report *")
        self._error = ffi.new("pocket_error *")
        self._count, self._hits = ffi.new("uint32_t *"), ffi.new("pocket_hit[]", 10)

    def ask(self, text: bytes, top: int = 10, probes: int = 0) -> Found:
        """Whatever the text: one that is too short has no hits."""
        status = self.run(text, top, probes)
        count = 0 if status == lib.POCKET_TEXT_TOO_SHORT else self._count[0]
        if status != lib.POCKET_TEXT_TOO_SHORT:
            check(status, self._error, str(self.path))
        hits = np.frombuffer(ffi.buffer(self._hits, count * HIT.itemsize), HIT)
        return Found(
            hits["document"].astype(np.int64), hits["similarity"] / 10000, self._report.candidates
        )

    def run(self, text: bytes, top: int = 10, probes: int = 0) -> int:
        """The query in C and nothing else, for measuring its time; the status."""
        if len(self._hits) < top:
            self._hits = ffi.new("pocket_hit[]", top)
        self._count[0] = top
        status: int = lib.pocket_query(
            self._handle,
            text,
            len(text),
            query_options(probes, self._report),
            self._hits,
            self._count,
            self._error,
        )
        return status

    def error(self, similarity: float) -> float:
        """Return what Hit.similarity_error says of a similarity."""
        return self.index.similarity_error(similarity)

    def close(self) -> None:
        self.index.close()


def settings(
    shape: str = "balanced",
    tables: int | None = None,
    bits: int | None = None,
    components: int | None = None,
    cells: int | None = None,
    **others: Any,
) -> Settings:
    """Settings of a named shape, with what of it is chosen otherwise."""
    return Settings(
        scheme_settings=RffSettings(
            shape=shape, tables=tables, bits=bits, components=components, cells=cells
        ),
        **others,
    )


def built(texts: list[str], target: Path, chosen: Settings) -> Engine:
    """Build target from texts, whose ids are their numbers, and open it."""
    source = target.with_suffix(".jsonl")
    with source.open("w", encoding="utf-8") as out:
        for number, text in enumerate(texts):
            out.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
    start = time.perf_counter()
    build([str(source)], target, chosen)
    engine = Engine(target, time.perf_counter() - start)
    source.unlink()
    assert engine.documents == len(texts), (
        f"{engine.documents} of {len(texts)} documents are in the file"
    )
    assert all(
        engine.index.record(i).id == str(i) for i in range(0, len(texts), max(1, len(texts) // 50))
    ), "numbers are not ids"
    return engine
