"""What `check` says of items that are in a collection, whole, edited or hidden, and of items that are
not, by a file with passages and without the texts.

    python bench/check.py wiki_simple.jsonl --cache DIR -o bench/results/check.md    (needs scipy)

Of each kind 500 items. A hidden item is a paragraph of 80 words of a document in 300 words of a
document that is not in the file. Held-out items are documents that are not in the file and whose
exact tf-idf cosine is below .6 with all that are.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pocketindex
from intervals import wilson
from passages import read
from pocketindex.builder import Settings, build
from pocketindex.builder.collections.contamination import VERDICTS, Checker
from truth import unit, vectors, words

ITEMS, HELD_OUT = 500, 1_500


def edited(text: str, share: float, vocabulary: list[str], chance: random.Random) -> str:
    return " ".join(
        chance.choice(vocabulary) if chance.random() < share else word for word in text.split()
    )


def items_of(
    kept: dict[str, str], out: dict[str, str], chance: random.Random
) -> dict[str, list[str]]:
    """The items of each kind."""
    long = [text for text in kept.values() if len(text.split()) >= 100]
    vocabulary = [word for text in list(kept.values())[:800] for word in text.split()]
    some = chance.sample(long, ITEMS)
    own = [text.split() for text in out.values() if len(text.split()) >= 300]
    hidden = []
    for text in chance.sample(long, ITEMS):
        words, around = text.split(), chance.choice(own)[:300]
        start, at = chance.randrange(len(words) - 80), chance.randrange(300)
        hidden.append(" ".join([*around[:at], *words[start : start + 80], *around[at:]]))
    return {
        "copy": some,
        "10 % replaced": [edited(text, 0.1, vocabulary, chance) for text in some],
        "30 % replaced": [edited(text, 0.3, vocabulary, chance) for text in some],
        "hidden paragraph": hidden,
        "held out": unlike(kept, out)[:ITEMS],
    }


def unlike(kept: dict[str, str], out: dict[str, str]) -> list[str]:
    """Return the held-out texts of 50 words or more without a neighbour at cosine .6."""
    counts = vectors([words(text) for text in [*kept.values(), *out.values()]], {}, grow=True)
    idf = np.log(counts.shape[0] / np.maximum(1, np.bincount(counts.indices)))
    rows = unit(counts, idf)
    mine, others = rows[len(kept) :], rows[: len(kept)].T.tocsr()
    texts = list(out.values())
    found = []
    for start in range(0, len(texts), 100):
        nearest = np.asarray((mine[start : start + 100] @ others).max(axis=1).todense()).ravel()
        found += [
            text
            for text, cosine in zip(texts[start : start + 100], nearest, strict=False)
            if cosine < 0.6 and len(text.split()) >= 50
        ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    documents, chance = read(arguments.collection), random.Random(7)
    held = set(chance.sample(list(documents), HELD_OUT))
    kept = {key: text for key, text in documents.items() if key not in held}
    source, file = arguments.cache / "check.jsonl", arguments.cache / "check.pocket"
    source.write_text(
        "".join(json.dumps({"id": key, "text": text}) + "\n" for key, text in kept.items())
    )
    build([source], file, Settings(index=("documents", "passages")))
    items = items_of(kept, {key: documents[key] for key in held}, chance)
    lines = [
        "# What check says without the texts",
        "",
        f"`python bench/check.py {Path(arguments.collection).name}`, {time.strftime('%Y-%m-%d')}. "
        f"{len(kept):,} documents, a file with passages, no `--source`.",
        "",
        f"| items | of | {' | '.join(VERDICTS)} |",
        "|---|--:|" + "--:|" * len(VERDICTS),
    ]
    with pocketindex.open_many([file]) as indexes:
        checker = Checker(indexes)
        for kind, texts in items.items():
            verdicts = Counter(finding.verdict for finding in checker.check(texts))
            row = []
            for verdict in VERDICTS:
                low, high = wilson(verdicts[verdict], len(texts))
                row.append(f"{verdicts[verdict] / len(texts):.3f} ({low:.3f}-{high:.3f})")
            lines.append(f"| {kind} | {len(texts)} | {' | '.join(row)} |")
            print(lines[-1], flush=True)
    arguments.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
