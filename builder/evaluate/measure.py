"""Build a file with a scheme and ask it: recall, precision, calibration, robustness, time."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pocketindex.builder.evaluate.collection import Collection
from pocketindex.builder.evaluate.edits import KINDS, LOSSES, SHARES, edited
from pocketindex.builder.evaluate.truth import interval
from pocketindex.builder.pipeline import Settings, build
from pocketindex.cbits import ffi, lib, query_options
from pocketindex.ffi.status import check
from pocketindex.index import Index
from pocketindex.index import open as open_index

THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
EDITED = 200  # documents
MANY = 65_536


@dataclass(frozen=True)
class Asked:
    """What a query gave: documents and similarities (0..1), the query itself left out, and
    candidates ranked.
    """

    documents: npt.NDArray[np.int64]
    similarities: npt.NDArray[np.float64]
    candidates: int


@dataclass
class Result:
    """A scheme's figures on a collection, ready for JSON."""

    scheme: str
    probes: str
    asked: str
    bytes_per_document: float
    look_up_bytes: float
    build_seconds: float
    candidates: float
    microseconds: float
    at: dict[str, dict[str, Any]] = field(default_factory=dict)
    calibration: dict[str, Any] = field(default_factory=dict)
    edits: dict[str, Any] = field(default_factory=dict)
    copies: dict[str, Any] = field(default_factory=dict)


class Subject:
    """A built file that is asked without making Python objects of its hits."""

    def __init__(self, collection: Collection, folder: Path, settings: Settings) -> None:
        source, self._path = folder / "collection.jsonl", folder / "subject.pocket"
        if not source.exists():
            collection.write(source)
        start = time.perf_counter()
        build([str(source)], self._path, settings)
        self.build_seconds = time.perf_counter() - start
        self.index: Index = open_index(self._path)
        info = self.index.info()
        self.look_up_bytes, self.bytes_per_document = (
            info.bytes_per_document["look-up"],
            info.file_size / max(len(self.index), 1),
        )
        # The file has an order of its own: short documents come last.
        numbers = {id: i for i, id in enumerate(collection.ids)}
        self._number = np.array(
            [numbers[self.index.record(i).id] for i in range(len(self.index))], np.int64
        )
        self._room = ffi.new("pocket_hit[]", MANY)

    def way(self, probes: int | None) -> str:
        """Say in words how it is asked."""
        info = self.index.info()
        scans = probes == 0 or (probes is None and info.way == "scan")
        number = probes or info.default_probes
        way = "every sketch compared" if scans else "1 probe" if number == 1 else f"{number} probes"
        return way + " (default)" * (probes is None)

    def shows(self, texts: list[str], documents: list[int], probes: int | None) -> float:
        """Return the share of texts whose hits, as a user sees them who says nothing else, have
        their document among them.
        """
        hits = self.index.query_many(
            texts, probes=probes or None, exhaustive=probes == 0, numbers=True
        ).numbers
        return float(
            np.mean(
                [
                    document in self._number[own[own >= 0]]
                    for own, document in zip(hits, documents, strict=True)
                ]
            )
        )

    def ask(self, text: str, probes: int | None, itself: int | None = None) -> Asked:
        """Return all hits of a text; probes None: the file's default, 0: exhaustive."""
        data = text.encode()
        count = ffi.new("uint32_t *", MANY)
        report = ffi.new("pocket_report *")
        error = ffi.new("pocket_error *")
        wanted = lib.POCKET_EXHAUSTIVE if probes == 0 else probes or 0
        options = query_options(wanted, report, sketches_alone=True)
        status = lib.pocket_query(
            self.index._core, data, len(data), options, self._room, count, error
        )
        if status == lib.POCKET_TEXT_TOO_SHORT:
            return Asked(np.zeros(0, np.int64), np.zeros(0), 0)
        check(status, error, "subject")
        raw = np.frombuffer(ffi.buffer(self._room), "<u4").reshape(MANY, -1)[: count[0]]
        documents, similarities = self._number[raw[:, 0]], raw[:, 1] / 10_000
        kept = documents != itself if itself is not None else np.ones(len(documents), bool)
        return Asked(documents[kept], similarities[kept], int(report.candidates))

    def microseconds(self, texts: list[str], probes: int | None, rounds: int = 3) -> float:
        """Return the microseconds of a whole query, text in, ten hits out, the best of some rounds;
        one thread.
        """
        data, count = [text.encode() for text in texts], ffi.new("uint32_t *")
        options = query_options(
            lib.POCKET_EXHAUSTIVE if probes == 0 else probes or 0, sketches_alone=True
        )
        best = float("inf")
        for _ in range(rounds):
            start = time.perf_counter()
            for text in data:
                count[0] = 10
                lib.pocket_query(
                    self.index._core, text, len(text), options, self._room, count, ffi.NULL
                )
            best = min(best, (time.perf_counter() - start) / max(len(data), 1))
        return 1e6 * best

    def close(self) -> None:
        self.index.close()


def measure(
    scheme: str,
    subject: Subject,
    collection: Collection,
    probes: int | None = None,
    with_edits: bool = True,
) -> Result:
    """Return all figures of a subject.

    Recall and precision are averages over queries that have a neighbour at the threshold, or hits.

    Byte-identical copies of a query are left out of them, and counted by themselves.
    """
    texts = collection.texts
    with_copies = {
        q: subject.ask(texts[q], probes, q) for q in {*collection.random, *collection.similar}
    }
    asked = {q: without(one, collection.copies.get(q)) for q, one in with_copies.items()}
    result = Result(
        scheme,
        {None: "default", 0: "exhaustive"}.get(probes, str(probes)),
        subject.way(probes),
        subject.bytes_per_document,
        subject.look_up_bytes,
        subject.build_seconds,
        float(np.mean([asked[q].candidates for q in collection.random])),
        subject.microseconds([texts[q] for q in collection.random[:200]], probes),
    )
    for threshold in THRESHOLDS:
        result.at[str(threshold)] = _recall_and_precision(collection, asked, threshold)
    result.calibration = _calibration(collection, asked)
    first = [
        with_copies[q].similarities[np.isin(with_copies[q].documents, copies)]
        for q, copies in collection.copies.items()
    ]
    every = sum(map(len, collection.copies.values()))
    result.copies = {
        "queries": len(first),
        "copies": every,
        "found": sum(map(len, first)) / every if every else None,
    }
    if with_edits:
        result.edits = _edits(subject, collection, probes)
    return result


def without(asked: Asked, copies: npt.NDArray[np.int64] | None) -> Asked:
    """Return what a query gave, but for these documents."""
    if copies is None:
        return asked
    kept = ~np.isin(asked.documents, copies)
    return Asked(asked.documents[kept], asked.similarities[kept], asked.candidates)


def _recall_and_precision(
    collection: Collection, asked: dict[int, Asked], threshold: float
) -> dict[str, Any]:
    """Return recall, with its interval: averaged over queries; recall_pairs: over pairs.

    precision: of all that is found, as in the papers; precision_similar: of hits whose similarity
    reaches the threshold.
    """
    recalls = []
    precisions = []
    similar = []
    pairs = hits = 0
    for q in collection.similar:
        near = collection.neighbours[q]
        wanted, found = near.documents[near.cosines >= threshold], asked[q].documents
        hit = int(np.isin(wanted, found).sum())
        pairs, hits = pairs + len(wanted), hits + hit
        if len(wanted):
            recalls.append(hit / len(wanted))
        if len(found):
            precisions.append(hit / len(found))
        sure = found[asked[q].similarities >= threshold]
        if len(sure):
            similar.append(float(np.isin(sure, wanted).mean()))
    low, high = interval(np.array(recalls))
    return {
        "recall": float(np.mean(recalls)) if recalls else None,
        "low": low,
        "high": high,
        "queries": len(recalls),
        "few": len(recalls) < 50,
        "recall_pairs": hits / pairs if pairs else None,
        "pairs": pairs,
        "precision": float(np.mean(precisions)) if precisions else None,
        "precision_similar": float(np.mean(similar)) if similar else None,
        "queries_with_similar": len(similar),
    }


def _calibration(collection: Collection, asked: dict[int, Asked]) -> dict[str, Any]:
    """Mean error of `similarity` on hits it puts at .5 or more, and the share at cosine >= .5 of
    those it puts at .7 or more.
    """
    errors = []
    by_query = []
    right = []
    for q in collection.similar:
        sure = asked[q].similarities >= 0.5
        if not sure.any():
            continue
        cosines = collection.truth.cosines(collection.truth.rows[q], asked[q].documents[sure])
        error = np.abs(cosines - asked[q].similarities[sure])
        errors.append(error)
        by_query.append(float(error.mean()))
        high = asked[q].similarities[sure] >= 0.7
        if high.any():
            right.append(float((cosines[high] >= 0.5).mean()))
    return {
        "error": float(np.concatenate(errors).mean()) if errors else None,
        "error_by_query": float(np.mean(by_query)) if by_query else None,
        "hits": int(sum(map(len, errors))),
        "queries": len(by_query),
        "precision_of_similarity_.7_at_cosine_.5": float(np.mean(right)) if right else None,
    }


def _edits(subject: Subject, collection: Collection, probes: int | None) -> dict[str, Any]:
    """Return, of EDITED documents, the share that their edited text finds among the hits that are
    shown.
    """
    chance = random.Random(2007)
    chosen = collection.random[:EDITED]
    words = [word for q in collection.random for word in collection.texts[q].split()]
    out: dict[str, Any] = {"documents": len(chosen)}
    for kind in KINDS:
        for share in SHARES:
            texts = [edited(collection.texts[q], kind, share, words, chance) for q in chosen]
            out[f"{kind} {share}"] = subject.shows(texts, chosen, probes)
    for name, lose in LOSSES.items():
        out[name] = subject.shows([lose(collection.texts[q]) for q in chosen], chosen, probes)
    return out
