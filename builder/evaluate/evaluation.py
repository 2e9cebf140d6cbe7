"""The whole evaluation of a collection: what the report shows, as plain data."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pocketindex.builder.evaluate.collection import Collection, of_texts
from pocketindex.builder.evaluate.edits import plagiarised
from pocketindex.builder.evaluate.keywords import keyword_route
from pocketindex.builder.evaluate.lines import LINES
from pocketindex.builder.evaluate.measure import Subject, measure
from pocketindex.builder.evaluate.stress import stress
from pocketindex.builder.pipeline import Settings
from pocketindex.builder.schemes.plsh import PlshSettings

# Name in the report -> scheme and its choices.
SCHEMES: dict[str, tuple[str, Any]] = {
    "rff": ("rff", None),
    "ff": ("ff", None),
    "plsh": ("plsh", None),
    "plsh-sum": ("plsh", PlshSettings(form="sum")),
    "minhash": ("minhash", None),
    "wminhash": ("wminhash", None),
    "simhash": ("simhash", None),
}
OPEN = "rff, open"  # with a profile from another collection
FRONTIER = (1, 16, 64, 256, 1024, 1536, 4096)
PLAGIARISED = 3_000
HISTOGRAM = [round(0.05 * i, 2) for i in range(21)]

Say = Callable[[str], None]


def evaluate(
    collection: Collection,
    schemes: list[str],
    seed: int,
    open_profile: str | None = None,
    say: Say = lambda phase: None,
) -> dict[str, Any]:
    """Measure everything, in the order of the report.

    open_profile: one from another collection, for retrieval without learning; say is told what
    comes next.
    """
    out: dict[str, Any] = {
        "documents": len(collection.texts),
        "sample": collection.sample,
        "random_queries": len(collection.random),
        "similar_queries": len(collection.similar),
        "seed": seed,
        "open_profile": open_profile,
        "similarity_distribution": distribution(collection),
    }
    out["results"], out["frontier"] = results(collection, schemes, say, open_profile)
    out["run_time"] = run_time(collection, schemes, seed, say)
    say("synthesised plagiarism")
    made = plagiarised(collection.texts, PLAGIARISED, seed)
    synthetic = of_texts(
        [f"made {i}" for i in range(len(made))], made, len(collection.random), seed
    )
    out["plagiarism"] = {
        "documents": len(made),
        "similarity_distribution": distribution(synthetic),
        "results": results(
            synthetic,
            schemes,
            lambda phase: say(f"synthesised plagiarism, {phase}"),
            None,
            with_edits=False,
        )[0],
    }
    out["keywords"] = keyword_route(collection, seed, say)
    say("stress of embeddings")
    out["stress"] = stress(collection, seed)
    return out


def subject(collection: Collection, name: str, folder: Path, profile: str = "learn") -> Subject:
    """Return a file of the collection with the named scheme; its profile is learned from documents
    that no query is.
    """
    scheme, choices = SCHEMES[name]
    return Subject(
        collection,
        folder,
        Settings(scheme=scheme, scheme_settings=choices, profile=profile, sample=collection.sample),
    )


def results(
    collection: Collection,
    schemes: list[str],
    say: Say,
    open_profile: str | None,
    with_edits: bool = True,
) -> tuple[list[Any], list[Any]]:
    """Return the results of each scheme at its default, of the exhaustive base line, and recall,
    bytes and time by the number of probes.
    """
    rows, frontier = [], []
    if open_profile is not None:
        say(LINES[OPEN].words)
        with tempfile.TemporaryDirectory() as folder:
            asked = subject(collection, "rff", Path(folder), open_profile)
            rows.append(vars(measure(OPEN, asked, collection, None, with_edits)))
            asked.close()
    for name in schemes:
        say(LINES[name].words)
        with tempfile.TemporaryDirectory() as folder:
            asked = subject(collection, name, Path(folder))
            rows.append(vars(measure(name, asked, collection, None, with_edits)))
            if name == "rff":
                rows.append(
                    vars(measure("rff, exhaustive", asked, collection, 0, with_edits=False))
                )
            if name == "ff":
                rows.append(vars(measure("ff, published", asked, collection, 1, with_edits)))
            if with_edits and name not in ("minhash", "wminhash", "plsh-sum", "simhash"):
                frontier += [
                    vars(measure(name, asked, collection, probes, with_edits=False))
                    for probes in FRONTIER
                ]
            asked.close()
    return rows, frontier


def distribution(collection: Collection) -> dict[str, Any]:
    """Return pairs of a query and another document by cosine, .1 and more (SIGIR 2007, Fig. 4)."""
    everything = np.concatenate(
        [collection.neighbours[q].cosines for q in collection.random] or [np.zeros(0, np.float32)]
    )
    counts, _ = np.histogram(np.minimum(everything, 1), HISTOGRAM)
    return {"edges": HISTOGRAM, "pairs": counts.tolist(), "queries": len(collection.random)}


def run_time(
    collection: Collection, schemes: list[str], seed: int, say: Say
) -> list[dict[str, Any]]:
    """Return microseconds a query for growing parts of the collection, beside a linear scan with
    exact cosines and one over sketches.
    """
    import time

    rows = []
    for part in (8, 4, 2, 1):
        size = len(collection.texts) // part
        if size < 200:
            continue
        say(f"run time with {size:,} documents")
        smaller = of_texts(collection.ids[:size], collection.texts[:size], 100, seed)
        texts = [smaller.texts[q] for q in smaller.random]
        for name in schemes:
            with tempfile.TemporaryDirectory() as folder:
                asked = subject(smaller, name, Path(folder))
                rows.append(
                    {
                        "scheme": name,
                        "documents": size,
                        "microseconds": asked.microseconds(texts, None),
                    }
                )
                if name == "rff":
                    rows.append(
                        {
                            "scheme": "scan of sketches",
                            "documents": size,
                            "microseconds": asked.microseconds(texts, 0),
                        }
                    )
                asked.close()
        start = time.perf_counter()
        smaller.truth.neighbours(smaller.truth.vectors(texts), 0.5)
        rows.append(
            {
                "scheme": "linear scan, tf-idf",
                "documents": size,
                "microseconds": 1e6 * (time.perf_counter() - start) / len(texts),
            }
        )
    return rows
