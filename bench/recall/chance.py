"""From which similarity on a hit is more than chance: unrelated texts that get one, and true ones
that are left out.

    python bench/recall/chance.py wiki_simple.jsonl wiki_de.jsonl wiki_en_tasks.jsonl reuters.jsonl newsgroups20.jsonl --others rev_peps.jsonl licences.jsonl

Every collection is built in three shapes and asked with texts of all others, whole and in pieces of
50, 20 and 10 words: 150 of each. Those of which one of the three best hits is at cosine .4 or more
are left out: they are related. True ones: halves of documents, copies with 30 % of the words
replaced, and hits at exact cosine .7 or more. What counts is the best hit's or the true hit's
similarity, in a scan, and whether a query shows it that does not say from which similarity on.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import pocketindex
from collection import pool_of, replaced
from pocketindex.builder import Settings, build
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.index import Index
from pocketindex.queries.exact import compare
from truth import read

SHAPES = ("balanced", "small", "wide")
FIXED = (0.3, 0.5, 0.55, 0.6)
PIECES = (0, 50, 20, 10)  # words; 0: the whole text
UNRELATED = 150
TRUE = 120
NEAR = 0.7
RELATED = 0.4
# By what was asked: the similarity of the best, or of the true, hit, and whether it is shown.
Seen = dict[str, list[tuple[float, bool]]]


def texts_of(path: str, chance: random.Random) -> list[str]:
    texts = [str(d["text"])[int(d.get("body_offset", 0)) :] for d in read(path)]
    long = [text for text in texts if len(text.split()) >= 60]
    return chance.sample(long, min(400, len(long)))


def unrelated(index: Index, others: dict[str, list[str]]) -> Seen:
    seen: Seen = defaultdict(list)
    for texts in others.values():
        for text in texts[:UNRELATED]:
            for words in PIECES:
                asked = " ".join(text.split()[10 : 10 + words]) if words else text
                (hits,) = index.query_many([asked], 3, min_similarity=0, exhaustive=True)
                if hits.too_short or not hits:
                    continue
                if (
                    max(
                        one.cosine
                        for one in compare(
                            index._core, index.path, asked.encode(), [hit.number for hit in hits]
                        )
                    )
                    < RELATED
                ):
                    seen[f"unrelated, {words} words" if words else "unrelated"].append(
                        (hits[0].similarity, bool(index.query(asked, 1, exhaustive=True)))
                    )
    return seen


def true(index: Index, texts: list[str], chance: random.Random) -> Seen:
    seen: Seen = defaultdict(list)
    pool = pool_of(texts, chance)
    for text in texts[:TRUE]:
        (same,) = index.query_many([text], 1)
        if not same or same[0].similarity < 1:
            continue
        words = text.split()
        halves = (" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :]))
        for name, asked in (
            ("halves", halves[0]),
            ("halves", halves[1]),
            ("30 % replaced", replaced(text, 0.3, pool, chance)),
        ):
            hits = index.query(asked, 10, min_similarity=0, exhaustive=True)
            shown = len(index.query(asked, 10, exhaustive=True))
            seen[name] += [
                (hit.similarity, rank < shown)
                for rank, hit in enumerate(hits)
                if hit.number == same[0].number
            ]
    for text in texts:
        hits = index.query(text, 12, min_similarity=0.4, exhaustive=True)
        shown = len(index.query(text, 12, exhaustive=True))
        found = {
            hit.number: (hit.similarity, rank < shown)
            for rank, hit in enumerate(hits)
            if hit.similarity < 1
        }
        for one in compare(index._core, index.path, text.encode(), list(found)):
            if one.cosine >= NEAR:
                seen[
                    "hits at .7 to .75" if one.cosine < NEAR + 0.05 else "hits at .75 or more"
                ].append(found[one.number])
    return seen


def rows(path: str, own: list[str], others: dict[str, list[str]], folder: Path) -> Iterator[str]:
    for shape in SHAPES:
        target = folder / "c.pocket"
        build([path], target, Settings(keep="text", scheme_settings=RffSettings(shape=shape)))
        with pocketindex.open(target) as index:
            seen = {**unrelated(index, others), **true(index, own, random.Random(1))}
            for name, found in seen.items():
                shares = [
                    *(sum(s >= least for s, _ in found) / len(found) for least in FIXED),
                    sum(shown for _, shown in found) / len(found),
                ]
                cells = " | ".join(f"{share:.3f}" for share in shares)
                where = f"{Path(path).name.split('.')[0]} ({len(index):,}), {shape}, {index.min_similarity():.3f}"
                yield f"| {where} | {name} | {len(found)} | {cells} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--others", nargs="*", default=[])
    arguments = parser.parse_args()
    chance = random.Random(5)
    texts = {path: texts_of(path, chance) for path in [*arguments.collections, *arguments.others]}
    print(
        "| file, what its first hit needs | asked | texts or hits | "
        + " | ".join(f"{least:g}" for least in FIXED)
        + " | the default |"
    )
    print("|---|---|--:|" + "--:|" * (len(FIXED) + 1))
    with tempfile.TemporaryDirectory() as folder:
        for path in arguments.collections:
            others = {other: own for other, own in texts.items() if other != path}
            for row in rows(path, texts[path], others, Path(folder)):
                print(row, flush=True)


if __name__ == "__main__":
    main()
