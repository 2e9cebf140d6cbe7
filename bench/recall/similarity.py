"""What `similarity` and `similarity_error` of a hit are worth, by tenths of the true cosine: edited
copies and other hits apart, in collections and languages.

    python bench/recall/similarity.py wiki_simple.jsonl.zst reuters.jsonl.zst --languages udhr2.jsonl.zst --cache DIR -o bench/results/similarity.md

Edited copies: random documents with 5 to 60 % of their words replaced by others of their collection
and language, asked for; how similar their original is said to be. Hits: the ten of random documents
and of those that have a neighbour at .7, without itself and its byte-identical copies. Languages:
udhr2 is one short text in each of 388 languages; overlapping pieces of all of them are one
collection.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import numpy.typing as npt
from collection import SEED, Collection, kept, load, of_texts, pool_of, replaced, terms, units
from engine import Engine, built, settings
from intervals import FEW, share, table
from running import called, parser, report
from truth import LEAST_WORDS, read

SHARES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
TENTHS = (0.5, 0.6, 0.7, 0.8, 0.9)
ASKED, COPIES = 400, 1800  # queries of each kind for hits, edited copies
DEEP = 1000  # hits among which an edited copy's original is looked for
LANGUAGES = {
    "kor": "Korean",
    "rus": "Russian",
    "arb": "Arabic",
    "cmn_hans": "Chinese",
    "tha": "Thai",
    "fin": "Finnish",
    "tur": "Turkish",
    "vie": "Vietnamese",
    "swh": "Swahili",
}
PIECE, STEP = (100, 200), (15, 60)  # words of a piece, and from its beginning to the next one's
TRUTHS = {"raw": "the binding truth", "damped": "the other truth (1 + ln tf, numbers)"}
FLOOR_BIAS, FLOOR_ERROR = 0.05, 0.07


@dataclass
class Pairs:
    """Of one kind: what is said of each pair (similarity, error) and what is so (cosine by truth);
    missed: originals not among the hits.
    """

    said: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    true: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    missed: int = 0

    def add(self, engine: Engine, similarities: Any, cosines: dict[str, npt.NDArray[Any]]) -> None:
        self.said += similarities.tolist()
        self.errors += [engine.error(similarity) for similarity in similarities.tolist()]
        for truth, values in cosines.items():
            self.true[truth] += values.tolist()

    def cell(self, truth: str, low: float) -> tuple[str, bool]:
        """Of the pairs in a tenth: bias, mean error, shares within similarity_error and twice as
        much, pairs; and whether they keep the floor.
        """
        said = np.array(self.said)
        errors = np.array(self.errors)
        true = np.array(self.true[truth])
        here = (true >= low) & ((true < low + 0.1) | (low == TENTHS[-1]))
        off = said[here] - true[here]
        if not len(off):
            return "-", True
        parts = [f"{off.mean():+.3f}", f"{np.abs(off).mean():.3f}"]
        if not np.isnan(errors[here]).any():
            parts += [f"{(np.abs(off) < times * errors[here]).mean():.2f}" for times in (1, 2)]
        text = f"{' '.join(parts)} ({len(off):,})"
        if len(off) < FEW:
            return f"[{text}]", True
        kept = abs(off.mean()) <= FLOOR_BIAS and np.abs(off).mean() <= FLOOR_ERROR
        return text if kept else f"**{text}**", kept

    def high(self) -> list[bool]:
        """Of the pairs said to be at .7 or more: whether they are at .5 or more."""
        return [
            cosine >= 0.5
            for said, cosine in zip(self.said, self.true["raw"], strict=True)
            if said >= 0.7
        ]


def edited_copies(
    engine: Engine,
    collection: Collection,
    documents: Sequence[int],
    pool: list[str],
    chance: random.Random,
) -> Pairs:
    """Each document with one of SHARES in turn."""
    pairs = Pairs()
    for number, document in enumerate(documents):
        text = replaced(collection.texts[document], SHARES[number % len(SHARES)], pool, chance)
        found = engine.ask(text.encode(), DEEP)
        here = np.flatnonzero(found.documents == document)
        pairs.missed += not len(here)
        cosines = {
            kind: truth.cosines(truth.of([text])[0], found.documents[here])
            for kind, truth in collection.truths.items()
        }
        pairs.add(engine, found.similarities[here], cosines)
    return pairs


def hits_of(engine: Engine, collection: Collection, documents: Sequence[int]) -> Pairs:
    pairs = Pairs()
    for document in documents:
        same = collection.same(document)
        found = engine.ask(collection.texts[document].encode(), 10 + len(same))
        here = np.flatnonzero(~np.isin(found.documents, list(same)))[:10]
        cosines = {
            kind: truth.cosines(truth.rows[document], found.documents[here])
            for kind, truth in collection.truths.items()
        }
        pairs.add(engine, found.similarities[here], cosines)
    return pairs


def measured(engine: Engine, collection: Collection, documents: Sequence[int]) -> dict[str, Pairs]:
    """documents: all of the collection, or those of one language."""
    chance, inside = random.Random(SEED + 1), set(documents)
    pool = pool_of([collection.texts[i] for i in documents], chance)
    copied = [
        d
        for _ in range(-(-COPIES // len(documents)))
        for d in chance.sample(documents, len(documents))
    ][:COPIES]
    similar = [q for q in collection.similar() if q in inside][:ASKED]
    asked = sorted({*chance.sample(documents, min(ASKED, len(documents))), *similar})
    return {
        "edited copies": edited_copies(engine, collection, copied, pool, chance),
        "hits": hits_of(engine, collection, asked),
    }


def in_languages(path: str) -> Collection:
    """Overlapping pieces of each text, so that a piece has neighbours; as one collection."""
    chance = random.Random(SEED + 2)
    texts = list[str]()
    languages = list[str]()
    for document in read(path):
        cut, first = units(document["text"]), 0
        while first + PIECE[0] <= len(cut):
            piece = "".join(cut[first : first + chance.randint(*PIECE)])
            if len(terms(piece, numbers=False, pairs=True)) >= LEAST_WORDS:
                texts.append(piece)
                languages.append(document["lang"])
            first += chance.randint(*STEP)
    made = of_texts("udhr2", texts, len(texts), pairs=True)
    made.languages = languages
    return made


def measure(collection: Collection, shape: str) -> dict[str, dict[str, Pairs]]:
    """By collection, or by language and for all of them together."""
    with tempfile.TemporaryDirectory() as folder:
        engine = built(collection.texts, Path(folder) / "x.pocket", settings(shape, threads=2))
        groups: dict[str, Sequence[int]] = {collection.name: range(len(collection.texts))}
        if collection.languages:
            groups = {f"all {len(set(collection.languages))} languages": groups[collection.name]}
            for code, name in LANGUAGES.items():
                groups[name] = [
                    number
                    for number, language in enumerate(collection.languages)
                    if language == code
                ]
        out = {}
        for name, documents in groups.items():
            if documents:
                out[f"{name} ({len(documents):,})"] = measured(engine, collection, documents)
                for kind, pairs in out[f"{name} ({len(documents):,})"].items():
                    print(
                        name,
                        kind,
                        *(pairs.cell("raw", low)[0] for low in TENTHS),
                        "missed",
                        pairs.missed,
                        flush=True,
                    )
        engine.close()
    return out


def page(found: dict[str, dict[str, Pairs]]) -> list[str]:
    lines = []
    for truth, said in TRUTHS.items():
        rows = []
        broken = 0
        cells = 0
        for name, kinds in found.items():
            for kind, pairs in kinds.items():
                row = [pairs.cell(truth, low) for low in TENTHS]
                cells += sum(text != "-" and text[0] != "[" for text, _ in row)
                broken += sum(not kept for _, kept in row)
                rows.append([name, kind, *(text for text, _ in row)])
        lines += [
            f"**By {said}**: {broken} of {cells} cells of {FEW} pairs or more are beyond the floor.",
            "",
        ]
        lines += [*table(["", "", *(f"{low:.1f} to {low + 0.1:.1f}" for low in TENTHS)], rows), ""]
    rows = [
        [
            name,
            share(kinds["hits"].high()),
            f"{len(kinds['hits'].high()):,}",
            f"{kinds['edited copies'].missed} of {COPIES:,}",
        ]
        for name, kinds in found.items()
    ]
    head = [
        "",
        "of hits at similarity .7 or more: cosine .5 or more",
        "such hits",
        f"edited copies whose original is not among {DEEP:,} hits",
    ]
    return [*lines, *table(head, rows), ""]


def main() -> None:
    options = parser(__doc__)
    options.add_argument("collections", nargs="*")
    options.add_argument("--languages", help="udhr2.jsonl[.zst]")
    options.add_argument("--shape", default="balanced")
    options.add_argument("--cache", required=True, type=Path)
    arguments = options.parse_args()
    found: dict[str, dict[str, Pairs]] = {}
    for path in arguments.collections:
        found |= measure(load(path, arguments.cache), arguments.shape)
    if arguments.languages:
        found |= measure(
            kept(
                arguments.cache / "truth-languages.pickle",
                lambda: in_languages(arguments.languages),
            ),
            arguments.shape,
        )
    lines = [
        "# What the similarity of a hit is worth",
        "",
        f"`{called()}`, {date.today()}; the file's default way of asking.",
        "",
        f"By tenths of the true cosine: bias (said - true), mean error, share of errors below `similarity_error` and below twice that, (pairs). "
        f"In [brackets]: fewer than {FEW} pairs. **Bold**: beyond the floor, a bias of {FLOOR_BIAS} and a mean error of {FLOOR_ERROR}. "
        f"Edited copies: {COPIES:,} with {SHARES[0]:.0%} to {SHARES[-1]:.0%} of their words replaced.",
        "",
        *page(found),
    ]
    report(lines, arguments.output)


if __name__ == "__main__":
    main()
