"""What the rows of the benchmark share: files of texts, what they show, and the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import pocketindex
from collection import Collection, kept, of_texts, terms, text_of, units
from intervals import bootstrap, table, wilson
from pocketindex.index import Index
from truth import LEAST_WORDS, read

KINDS = "documents,passages,words"
FILES: dict[str, dict[str, Any]] = {
    "documents alone": {},
    "with words": {"index": KINDS},
    "with words and texts": {"index": KINDS, "keep": "text"},
}
ALONE, WORDS, TEXTS = FILES


@dataclass
class Kit:
    """corpora: where NAME.jsonl.zst are; cache: what is made once; folder: files of this run.

    missed: what was answered otherwise than it should be, for a look at it.
    """

    corpora: Path
    cache: Path
    folder: Path
    figures: list[dict[str, Any]] = field(default_factory=list)
    missed: list[dict[str, Any]] = field(default_factory=list)
    files: dict[tuple[str, str], Index] = field(default_factory=dict)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The documents of a corpus; of those with revisions the newest, of Reuters those of text."""
        newest = {
            d["group"] if "rev" in d else place: d
            for place, d in enumerate(read(self.corpora / f"{name}.jsonl.zst"))
            if d.get("text_type", "NORM") == "NORM"
        }
        return list(newest.values())

    def texts(self, name: str) -> list[str]:
        """The texts of NAME, or of NAME:PART: without titles that are apart (text), without heads
        (body), or their paragraphs or pieces of 60 words.
        """
        corpus, _, part = name.partition(":")
        if part in ("", "text"):
            return [text_of(d, not part) for d in self.rows(corpus)]
        texts = [d["text"][d.get("body_offset", 0) :] for d in self.rows(corpus)]
        if part == "paragraphs":
            return [one for text in texts for one in text.split("\n")]
        return [one for text in texts for one in pieces(text)] if part == "pieces" else texts

    def collection(self, name: str) -> Collection:
        """Texts of 50 words or more with their truth and edits."""

        def make() -> Collection:
            long = [
                text for text in self.texts(name) if len(terms(text, False, True)) >= LEAST_WORDS
            ]
            return of_texts(name, long, 0, pairs=name.startswith("udhr2"))

        return kept(self.cache / f"shown-{name.replace(':', '-')}.pickle", make)

    def file(self, name: str, texts: list[str], of: str) -> Index:
        """Return an index of the texts, which is built once a run; ids are places in the list."""
        if (name, of) not in self.files:
            target = self.folder / f"{len(self.files)}.pocket"
            documents = ({"id": str(place), "text": text} for place, text in enumerate(texts))
            pocketindex.build(documents, target, progress=False, **FILES[of])
            self.files[name, of] = pocketindex.open(target)
            assert len(self.files[name, of]) == len(texts)
        return self.files[name, of]

    def judge(
        self,
        row: str,
        what: str,
        asked: Sequence[tuple[str, Any]],
        found: dict[str, list[list[int]]],
        right: Callable[[Any, list[int]], float],
        ideal: float = 1,
    ) -> None:
        """Add what is right of the hits that each file or peer found. asked: texts, each with what
        is wanted of it.
        """
        for by, hits in found.items():
            values = [float(right(one[1], some)) for one, some in zip(asked, hits, strict=True)]
            self.add(row, what, by, values)
            for (text, wanted), some, value in zip(asked, hits, values, strict=True):
                if value != ideal:
                    one = {"asked": text, "wanted": wanted, "shown": some, "value": value}
                    self.missed.append({"row": row, "what": what, "by": by} | one)

    def add(self, row: str, what: str, by: str, values: Sequence[float]) -> None:
        """Add a mean and its confidence interval of 95 %."""
        low, high = (
            wilson(int(sum(values)), len(values))
            if set(values) <= {0, 1}
            else bootstrap(np.array(values, float))
        )
        one = {"row": row, "what": what, "by": by, "value": round(sum(values) / len(values), 5)}
        self.figures.append(one | {"low": round(low, 5), "high": round(high, 5), "of": len(values)})
        print(*self.figures[-1].values(), sep=" | ", flush=True)


def pieces(text: str, size: int = 60) -> list[str]:
    cut = units(text)
    return ["".join(cut[i : i + size]) for i in range(0, len(cut) - size + 1, size)]


def shown(
    index: Index, texts: Iterable[str], tops: Iterable[int] = repeat(10), **choices: Any
) -> list[list[int]]:
    """The places of the hits of each text, as many as its top."""
    return [
        [int(hit.id) for hits in index.query_many([text], top, **choices) for hit in hits]
        for text, top in zip(texts, tops, strict=False)
    ]


def page(figures: list[dict[str, Any]]) -> list[str]:
    """A table for each row: a line for what was asked, a column for each file or peer."""
    lines = []
    for row in dict.fromkeys(one["row"] for one in figures):
        here = {(one["what"], one["by"]): one for one in figures if one["row"] == row}
        columns, whats = (list(dict.fromkeys(key[place] for key in here)) for place in (1, 0))
        cells = []
        for what in whats:
            found = [here.get((what, by)) for by in columns]
            size = next(one["of"] for one in found if one)
            figures_of = [
                f"{one['value']:.4g} ({one['low']:.3g}-{one['high']:.3g})" if one else "-"
                for one in found
            ]
            cells.append([what, f"{size:,}", *figures_of])
        lines += [f"## {row}", "", *table(["", "asked", *columns], cells), ""]
    return lines
