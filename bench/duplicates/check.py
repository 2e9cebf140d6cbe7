r"""What `check` says of items that are in a collection, whole, edited or hidden, and of items that are
not, by a file with passages and without the texts.

    python bench/duplicates/check.py wiki_simple.jsonl wiki_de.jsonl reuters.jsonl --cache DIR \
        -o bench/results/check.md                                             (needs scipy)

Six times other documents are held out. Each time there are 500 items of each kind, and all
held-out ones of 50 words or more. A hidden item is a paragraph of 80 words of a document in 300
words of a document that is not in the file, a short one 30 words of a document alone. Held-out
items are documents that are not in the file, and so are the surroundings of hidden ones. The exact
tf-idf cosine of both with every document of the file is below .6.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))
sys.path.insert(0, str(Path(__file__).parents[1] / "passages"))

import numpy as np
import numpy.typing as npt
import pocketindex
from intervals import wilson
from passages import TERM, read
from pocketindex.builder import Settings, build
from pocketindex.builder.collections.contamination import Checker
from pocketindex.builder.collections.findings import NOT_FOUND, VERDICTS
from truth import unit, vectors, words

ITEMS, HELD_OUT = 500, 12_000
DRAWS = 7, 8, 9, 10, 11, 12  # seeds: each holds other documents out
SHINGLE_TERMS = 13  # words in a row that a held-out item has in common with a document


def edited(text: str, share: float, vocabulary: list[str], chance: random.Random) -> str:
    return " ".join(
        chance.choice(vocabulary) if chance.random() < share else word for word in text.split()
    )


class Truth:
    """Exact cosines with the documents of the file."""

    def __init__(self, kept: dict[str, str], out: dict[str, str]) -> None:
        self._vocabulary = dict[str, int]()
        every = [words(text) for text in [*kept.values(), *out.values()]]
        counts = vectors(every, self._vocabulary, grow=True)
        self._idf = np.log(counts.shape[0] / np.maximum(1, np.bincount(counts.indices)))
        rows = unit(counts, self._idf)
        self._rows, self._places = rows[: len(kept)], {key: i for i, key in enumerate(kept)}
        others = self._rows.T.tocsr()
        nearest = [
            np.asarray(
                (rows[start : min(start + 100, rows.shape[0])] @ others).max(axis=1).todense()
            )
            for start in range(len(kept), rows.shape[0], 100)
        ]
        self.nearest = dict(zip(out, np.concatenate(nearest).ravel(), strict=True))

    def own(self, keys: list[str], texts: list[str]) -> npt.NDArray[Any]:
        """Cosines of texts with the documents that they were made from."""
        counts = vectors([words(text) for text in texts], self._vocabulary, grow=False)
        theirs = self._rows[[self._places[key] for key in keys]]
        return np.asarray(unit(counts, self._idf).multiply(theirs).sum(axis=1)).ravel()


def items_of(
    kept: dict[str, str], out: dict[str, str], truth: Truth, chance: random.Random
) -> dict[str, list[tuple[str, str]]]:
    """The items of each kind, with the ids of their documents."""
    long = [key for key, text in kept.items() if len(text.split()) >= 100]
    vocabulary = [word for text in list(kept.values())[:800] for word in text.split()]
    some = chance.sample(long, ITEMS)
    unlike = {key: text for key, text in out.items() if truth.nearest[key] < 0.6}
    around = [text.split() for text in unlike.values() if len(text.split()) >= 300]
    hidden, short, placed = [], [], []
    for key in chance.sample(long, ITEMS):
        own, other = kept[key].split(), chance.choice(around)[:300]
        start, at = chance.randrange(len(own) - 80), chance.randrange(300)
        placed.append((key, other[:at], own[start : start + 80], other[at:]))
        hidden.append((key, " ".join([*other[:at], *own[start : start + 80], *other[at:]])))
        short.append((key, " ".join(own[start : start + 30])))
    sizes = {key: len(text.split()) for key, text in unlike.items()}
    held_out = [(key, unlike[key]) for key in unlike if sizes[key] >= 50]
    items = {
        "copy": [(key, kept[key]) for key in some],
        "10 % replaced": [(key, edited(kept[key], 0.1, vocabulary, chance)) for key in some],
        "30 % replaced": [(key, edited(kept[key], 0.3, vocabulary, chance)) for key in some],
        "hidden paragraph": hidden,
        "30 words alone": short,
        "held out": held_out,
        "held out, 20 to 49 words": [(key, unlike[key]) for key in unlike if 20 <= sizes[key] < 50][
            :ITEMS
        ],
    }
    for share in (0.1, 0.2):
        items[f"hidden, {share:.0%} of it replaced".replace("%", " %")] = [
            (
                key,
                " ".join([*before, edited(" ".join(own), share, vocabulary, chance), *behind]),
            )
            for key, before, own, behind in placed
        ]
    return items


def with_shingle(kept: dict[str, str], texts: list[str]) -> set[str]:
    """Those of texts that have a shingle which a document has, too."""
    owners = dict[tuple[str, ...], list[str]]()
    for text in texts:
        own = TERM.findall(text.lower())
        for i in range(len(own) - SHINGLE_TERMS + 1):
            owners.setdefault(tuple(own[i : i + SHINGLE_TERMS]), []).append(text)
    found = set[str]()
    for text in kept.values():
        own = TERM.findall(text.lower())
        for i in range(len(own) - SHINGLE_TERMS + 1):
            found.update(owners.get(tuple(own[i : i + SHINGLE_TERMS]), ()))
    return found


@dataclass
class Told:
    """What check said of the items of a kind. exact: how many have an exact cosine of .7 or more
    with their document; shared: how many have a shingle of SHINGLE_TERMS words of one, and how many of these are
    called something.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    exact: int = 0
    shared: tuple[int, int] = (0, 0)


def draw(documents: dict[str, str], seed: int, cache: Path, told: dict[str, Told]) -> int:
    """Hold documents out and ask for the items of all kinds. Returns the documents of the file."""
    chance = random.Random(seed)
    held = set(chance.sample(list(documents), min(HELD_OUT, len(documents) // 5)))
    kept = {key: text for key, text in documents.items() if key not in held}
    out = {key: text for key, text in documents.items() if key in held}
    source, file = cache / "check.jsonl", cache / "check.pocket"
    source.write_text(
        "".join(json.dumps({"id": key, "text": text}) + "\n" for key, text in kept.items())
    )
    build([source], file, Settings(index=("documents", "passages")))
    truth = Truth(kept, out)
    with pocketindex.open_many([file]) as indexes:
        checker = Checker(indexes)
        for kind, items in items_of(kept, out, truth, chance).items():
            texts, one = [text for _, text in items], told.setdefault(kind, Told())
            said = [finding.verdict for finding in checker.check(texts)]
            one.verdicts.update(said)
            if kind.endswith("replaced") and "hidden" not in kind:
                one.exact += int((truth.own([key for key, _ in items], texts) >= 0.7).sum())
            if "held" in kind:
                shared = with_shingle(kept, texts)
                of = [verdict for text, verdict in zip(texts, said, strict=True) if text in shared]
                called = sum(verdict != NOT_FOUND for verdict in of)
                one.shared = one.shared[0] + len(of), one.shared[1] + called
    return len(kept)


def section(path: str, cache: Path) -> list[str]:
    documents, told = read(path), dict[str, Told]()
    for seed in DRAWS:
        count = draw(documents, seed, cache, told)
    lines = [
        "",
        f"## {Path(path).name}",
        f"{count:,} documents.",
        "",
        f"| items | of | {' | '.join(VERDICTS)} |",
        "|---|--:|" + "--:|" * len(VERDICTS),
    ]
    notes = list[str]()
    for kind, one in told.items():
        of, row = one.verdicts.total(), []
        for verdict in VERDICTS:
            low, high = wilson(one.verdicts[verdict], of)
            row.append(f"{one.verdicts[verdict] / of:.4f} ({max(0, low):.4f}-{high:.4f})")
        lines.append(f"| {kind} | {of:,} | {' | '.join(row)} |")
        print(lines[-1], flush=True)
        if one.exact:
            notes.append(
                f"{one.exact / of:.3f} of those with {kind} have an exact cosine of .7 or more "
                "with their document."
            )
        if one.shared[0]:
            called = of - one.verdicts[NOT_FOUND]
            notes.append(
                f"{one.shared[0]:,} of the {kind} have a shingle of {SHINGLE_TERMS} words of a document; "
                f"{one.shared[1]} of the {called} that are called something."
            )
    return [*lines, "", *(f"{note[0].upper()}{note[1:]}" for note in notes)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    lines = [
        "# What check says without the texts",
        "",
        f"`python bench/duplicates/check.py {' '.join(Path(path).name for path in arguments.collections)}`, "
        f"{time.strftime('%Y-%m-%d')}. Files with passages, no `--source`. Intervals are Wilson's of "
        "95 %; draws overlap, so that they are somewhat narrow.",
    ]
    for path in arguments.collections:
        lines += section(path, arguments.cache)
        arguments.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
