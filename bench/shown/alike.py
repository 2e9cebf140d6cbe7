"""Whole texts: edited copies, halves and neighbours that are shown, unrelated texts that have a hit,
and time.
"""

from __future__ import annotations

import pickle
import random
import re
import time
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np
from collection import SEED, Collection, units
from kit import ALONE, FILES, TEXTS, WORDS, Kit, pieces, shown
from near import TOP, all_near, share
from peers import flat

# No constant was set with these.
SIX = "wiki_en_tasks wiki_vi licences newsgroups20:body pan13_train:paragraphs udhr2:pieces".split()
QUALITY = "wiki_simple wiki_de wiki_en_tasks reuters:text reuters newsgroups20".split()
ENGLISH = "wiki_simple wiki_en_tasks reuters newsgroups20".split()
OTHERS = "rev_peps rev_eips licences pan13_train".split()
LARGE = "wiki_en_tasks newsgroups20 wiki_de wiki_vi".split()
LANGUAGES = "kor rus arb cmn_hans tha hin ell_monotonic tur fin swh heb".split()
EDITS = "30% replaced", "second half"
SIZES = 0, 50, 20, 10  # words; 0: the whole text
UNRELATED, FOREIGN, ROUNDS = 200, 40, 5
FOREIGN_FILE, ENGLISH_PIECES = 8000, 3  # documents
RELATED, RUN = 0.4, 8  # a text with such a cosine, or so many words in a row, is not unrelated
WORD = re.compile(r"\w+")
Hits = dict[str, list[list[int]]]  # of each text, by what found them


def found(kit: Kit, collection: Collection, texts: list[str], tops: list[int]) -> Hits:
    """What two files of a collection show, what one finds, and what flat scans find; the last from
    the cache if they were asked before.
    """
    alone, words = (kit.file(collection.name, collection.texts, of) for of in (ALONE, WORDS))
    path = kit.cache / f"flat-{crc32(repr((collection.name, texts, tops)).encode())}.pickle"
    if not path.exists():
        asked = list(zip(texts, tops, strict=True))
        scans = {peer.name: [peer.ask(*one) for one in asked] for peer in flat(collection)}
        path.write_bytes(pickle.dumps(scans))
    return {
        ALONE: shown(alone, texts, tops),
        WORDS: shown(words, texts, tops),
        f"{ALONE}, from similarity 0 on": shown(alone, texts, tops, min_similarity=0.0),
        **pickle.loads(path.read_bytes()),
    }


def copies(kit: Kit) -> None:
    for name in SIX:
        collection = kit.collection(name)
        wanted = [sorted(collection.same(number)) for number in collection.random]
        for edit in EDITS:
            texts = collection.edits[edit]
            kit.judge(
                "copies among ten hits",
                f"{name}, {edit}",
                list(zip(texts, wanted, strict=True)),
                found(kit, collection, texts, [10] * len(texts)),
                lambda wanted, hits: not set(wanted).isdisjoint(hits[:10]),
            )


def neighbours(kit: Kit) -> None:
    for name in QUALITY:
        collection = kit.collection(name)
        near = all_near(collection, kit.cache)
        texts = [collection.texts[q] for q in near]
        tops = [TOP + len(collection.same(q)) for q in near]
        right = partial(share, collection=collection, near=near)
        asked = list(zip(texts, near, strict=True))
        hits = found(kit, collection, texts, tops)
        kit.judge("recall@10 at .7", name, asked, hits, right)


def questions(text: str) -> list[str]:
    cut = units(text)
    return ["".join(cut[10 : 10 + n]) if n else text for n in SIZES if n <= len(cut) - 10]


def runs(text: str) -> set[str]:
    cut = WORD.findall(text.lower())
    return {" ".join(cut[i : i + RUN]) for i in range(len(cut) - RUN + 1)}


def unrelated(kit: Kit) -> None:
    chance = random.Random(SEED)
    texts = {
        name: chance.sample(
            [t for t in kit.texts(f"{name}:body") if len(t.split()) >= 60], UNRELATED
        )
        for name in (*ENGLISH, *OTHERS)
    }
    for name in ENGLISH:
        collection = kit.collection(name)
        asked = [p for other in texts if other != name for t in texts[other] for p in questions(t)]
        for of in (ALONE, TEXTS):
            hits = shown(kit.file(name, collection.texts, of), asked)
            pairs = [
                ((text, [collection.texts[n][:400] for n in some[:2]]), some)
                for text, some in zip(asked, hits, strict=True)
                if not (some and is_related(collection, text, some))
            ]
            judge_unrelated(kit, "of one language", name, of, pairs)


def judge_unrelated(kit: Kit, row: str, what: str, of: str, pairs: list[Any]) -> None:
    """pairs: a text with what a look at it needs, and its hits."""
    asked, hits = map(list, zip(*pairs, strict=True))
    kit.judge(f"unrelated, {row}", what, asked, {of: hits}, lambda _, some: bool(some), 0)


def is_related(collection: Collection, text: str, hits: list[int]) -> bool:
    truth = collection.truths["raw"]
    asked = runs(text)
    return bool((truth.cosines(truth.of([text])[0], hits) >= RELATED).any()) or any(
        not asked.isdisjoint(runs(collection.texts[number])) for number in hits
    )


def foreign(kit: Kit) -> None:
    """A file of a language of udhr2 has some English, too: what is common in it is rare there."""
    chance = random.Random(SEED)
    texts = {name: [t for t in kit.texts(name) if len(t.split()) >= 60] for name in LARGE}
    english = chance.sample(kit.texts("licences:pieces"), ENGLISH_PIECES)
    for row in kit.rows("udhr2"):
        if row["lang"] in LANGUAGES:
            texts[row["lang"]] = pieces(row["text"], 20)
    asked = {
        name: [q for t in chance.sample(some, min(FOREIGN, len(some))) for q in questions(t)]
        for name, some in texts.items()
    }
    for name, some in texts.items():
        alike = ENGLISH if name in ENGLISH else [name]
        others = [(q, other) for other in asked if other not in alike for q in asked[other]]
        own = some[:FOREIGN_FILE] if name in LARGE else some + english
        for of in (ALONE, TEXTS):
            hits = shown(kit.file(f"{name}, foreign", own, of), [text for text, _ in others])
            pairs = [
                ((text, [other, *(own[n][:400] for n in found[:2])]), found)
                for (text, other), found in zip(others, hits, strict=True)
            ]
            for what in ("English", "others"):
                some_pairs = [p for p in pairs if (p[0][1][0] in ENGLISH) == (what == "English")]
                if some_pairs:
                    judge_unrelated(
                        kit, "of other languages", f"{name}, asked in {what}", of, some_pairs
                    )


def times(kit: Kit) -> None:
    """Of each text the median of five, one file after the other, as a ratio to documents alone."""
    collection = kit.collection("wiki_en_tasks")
    chosen = slice(0, 150)
    kinds = {
        "documents": [collection.texts[n] for n in collection.random[chosen]],
        "30 % replaced": collection.edits["30% replaced"][chosen],
        "ten words": [
            " ".join(collection.texts[n].split()[:10]) for n in collection.random[chosen]
        ],
        "unrelated": [t for t in kit.texts("newsgroups20:body") if len(t.split()) >= 60][chosen],
    }
    files = {of: kit.file("wiki_en_tasks", collection.texts, of) for of in FILES}
    for what, texts in kinds.items():
        took = {of: np.zeros((len(texts), ROUNDS)) for of in files}
        for place, text in enumerate(texts):
            for again in range(ROUNDS):
                for of, index in files.items():
                    start = time.perf_counter()
                    shown(index, [text])
                    took[of][place, again] = time.perf_counter() - start
        median = {of: np.median(one, axis=1) for of, one in took.items()}
        for of in (WORDS, TEXTS):
            ratios = (median[of] / median[ALONE]).tolist()
            kit.add("time of `query`, in that of documents alone", what, of, ratios)
