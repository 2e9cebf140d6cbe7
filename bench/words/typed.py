"""Typing errors: titles with one of codespell's errors, and right words that few documents have or
none. Prints how many of the titles are among ten hits, and what stands in for which words.

    pip install codespell
    python bench/words/typed.py FILE.pocket COLLECTION.jsonl /usr/share/hunspell/en_US.dic
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import codespell_lib
import pocketindex

TITLES = 400
MOST = {"rare": 2_000, "unknown": 1_500}  # dictionary words in one to three documents; in none


def main(pocket: str, collection: str, dictionary: str) -> None:
    chance, errors, places = random.Random(11), defaultdict[str, list[str]](list), list[int]()
    known = Path(codespell_lib.__file__).parent / "data" / "dictionary.txt"
    for line in known.read_text(encoding="utf-8").splitlines():
        wrong, right = line.split("->")
        if re.fullmatch("[a-z]{3,}", wrong) and re.fullmatch("[a-z]{5,}", right):
            errors[right].append(wrong)
    lines = Path(collection).read_text("utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    words = {line.split("/")[0].lower() for line in Path(dictionary).read_text().splitlines()}
    words = sorted(word for word in words if re.fullmatch("[a-z]{5,}", word))
    with pocketindex.open(pocket) as index:
        for row in chance.sample(rows, len(rows)):
            id, bare = str(row["id"]), re.sub(r"\(.*?\)", "", row["title"])
            title = re.findall(r"\w+", bare.lower())
            some = [word for word in title if word in errors]
            if some and len(title) <= 5 and id in index and len(places) < TITLES:
                one = chance.choice(some)
                title[title.index(one)] = chance.choice(errors[one])
                found = [hit.id for hit in index.search(" ".join(title), 10)]
                places.append(1 + found.index(id) if id in found else 0)
        ten, mean = sum(map(bool, places)), sum(1 / place for place in places if place)
        print(
            f"{len(places)} titles with an error: {ten} among ten, MRR@10 {mean / len(places):.3f}"
        )
        said = {kind: Counter[str]() for kind in MOST}
        for word in chance.sample(words, len(words)):
            own = index.search(word, 1, replace=False)
            kind = "unknown" if not own.any else "rare" if own.any <= 3 else ""
            if kind and said[kind].total() < MOST[kind]:
                did = index.search(word, 1).replacements
                said[kind][did[0].how if did else "as it is"] += 1
        print({kind: dict(counts) for kind, counts in said.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
