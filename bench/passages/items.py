r"""Folders of documents and items for evidence.py: texts that were taken from documents, whole,
edited or among others, and controls.

    python bench/passages/items.py sentences OUT COLLECTION.jsonl OTHER.jsonl [--seed N]
    python bench/passages/items.py hidden    OUT COLLECTION.jsonl OTHER.jsonl
    python bench/passages/items.py mixed     OUT COLLECTION.jsonl OTHER.jsonl
    python bench/passages/items.py pasted    OUT COLLECTION.jsonl OTHER.jsonl
    python bench/passages/items.py pan       OUT pan13_train.jsonl pan13_train_pairs.jsonl [COLLECTION.jsonl]

sentences: of 5 to 40 words, as they are, or with one or two words replaced by words of the
collection. A control is a sentence of a document that was held out, and shares no run of
min(8, n - 1) words with any document; a foreign one is of OTHER. hidden: passages of 30 to 60 words
of OTHER, planted in the middle of documents, some of them edited; what was not planted is a control,
or shared, if a document has 13 words in a row of it.
mixed: two sentences, or one of eight words, among six of held-out documents; eight of these are a
control. pasted: paragraphs of 80 words with a share of them replaced, alone or in 300 words of OTHER;
items as tests have them, with choices or without; whole documents. pan: passages of PAN 2013, whose
sources lie among a collection; without a collection, its suspicious texts, once for each pair with a
passage in common, and as controls those without one.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

WORD = re.compile(r"\w+")
SENTENCE = re.compile(r"[^\s.!?。！？][^.!?\n。！？]*[.!?。！？]")
LINE_END = re.compile(r"(?<=\S)[ \t]*\n[ \t]*(?=\S)")
BANDS = ((3, 4), (5, 6), (7, 8), (9, 11), (12, 14), (15, 17), (18, 20), (21, 25), (26, 40))
EACH, CONTROLS = 150, 400  # of a band; of the shortest foreign ones twice as many as EACH
PAN = {
    "01-no-plagiarism": "none",
    "02-no-obfuscation": "verbatim",
    "03-random-obfuscation": "random",
    "04-translation-obfuscation": "translated",
    "05-summary-obfuscation": "summary",
}
Item = dict[str, Any]
Texts = dict[str, str]


def read(path: Path, least: int = 0) -> Texts:
    """The texts of a collection by id, those of so many words or more; of equal ones the first."""
    out = dict[str, str]()
    for row in map(json.loads, path.open(encoding="utf-8")):
        text = row["text"][row.get("body_offset", 0) :]
        if row.get("text_type", "NORM") == "NORM" and len(text.split()) >= least:
            out.setdefault(text, str(row["id"]))
    return {key: text for text, key in out.items()}


def plain(text: str) -> str:
    """A text's words in lower case, with a space on each side."""
    return f" {' '.join(WORD.findall(text.lower()))} "


class Maker:
    """Draws items from a collection, at random by a seed."""

    def __init__(self, documents: Texts, seed: int) -> None:
        self.chance = random.Random(seed)
        some = self.chance.sample(list(documents.values()), min(4000, len(documents)))
        self.pool = [word for text in some for word in WORD.findall(text)]
        self.items = list[Item]()

    def add(self, kind: str, text: str, truth: Sequence[str] = (), **more: Any) -> None:
        size = len(WORD.findall(text))
        item = {"id": str(len(self.items)), "kind": kind, "n": size, "text": text}
        self.items.append(item | {"truth": list(truth)} | more)

    def edited(self, text: str, count: float) -> str:
        """text with so many words, or such a share of them, replaced by words of the collection,
        each as likely as it is frequent.
        """
        words = list(WORD.finditer(text))
        count = round(count * len(words)) if isinstance(count, float) else count
        for word in sorted(self.chance.sample(words, count), key=lambda one: -one.start()):
            other = self.chance.choice(self.pool)
            text = text[: word.start()] + other + text[word.end() :]
        return text

    def run(self, text: str, size: int) -> str:
        """Return size consecutive words of a text, which must have at least as many."""
        words = text.split()
        start = self.chance.randrange(len(words) - size + 1)
        return " ".join(words[start : start + size])

    def sentences(
        self, texts: Texts, most: dict[tuple[int, int], int]
    ) -> list[tuple[Any, str, str]]:
        """Band, document and text of sentences, at most four of a document."""
        lines = (line for text in list(texts.values())[:2000] for line in text.split("\n"))
        middle = statistics.median(len(line) for line in lines if line.strip())
        wrapped = 40 < middle < 90  # mail and agencies cut their lines
        out, have = [], Counter[tuple[int, int]]()
        for key in self.chance.sample(list(texts), len(texts)):
            found = SENTENCE.findall(LINE_END.sub(" ", texts[key]) if wrapped else texts[key])
            for one in self.chance.sample(found, min(4, len(found))):
                size, digits = len(WORD.findall(one)), sum(map(str.isdigit, one))
                band = next((band for band in most if band[0] <= size <= band[1]), None)
                if band and have[band] < most[band] and len(one) < 400 and 4 * digits < len(one):
                    have[band] += 1
                    out.append((band, key, one))
        return out


def holders(phrases: Iterable[str], documents: Texts) -> dict[str, list[str]]:
    """The documents that have each phrase, both as plain has them: looked for where the phrase's
    rarest word is.
    """
    frequency = Counter(word for text in documents.values() for word in set(text.split()))
    by_word, out = defaultdict[str, list[str]](list), {phrase: list[str]() for phrase in phrases}
    for phrase in filter(str.strip, out):  # a run of signs has no words
        by_word[min(phrase.split(), key=frequency.__getitem__)].append(phrase)
    for key, text in documents.items():
        for word in by_word.keys() & set(text.split()):
            for phrase in by_word[word]:
                if phrase in text and len(out[phrase]) < 5000:
                    out[phrase].append(key)
    return out


def runs_of(text: str, size: int) -> list[str]:
    """A text's runs of so many words, as plain has them."""
    words = plain(text).split()
    return [f" {' '.join(words[i : i + size])} " for i in range(len(words) - size + 1)]


def held_out(documents: Texts, seed: int) -> tuple[Texts, Texts]:
    """A tenth of the documents, at most 6,000, and the others."""
    keys = random.Random(seed).sample(list(documents), len(documents))
    count = min(len(keys) // 10, 6000)
    held, kept = keys[:count], keys[count:]
    return {key: documents[key] for key in held}, {key: documents[key] for key in kept}


def unshared(maker: Maker, held: Texts, plains: Texts, most: int) -> list[tuple[Any, str]]:
    """Sentences of held-out documents that share no run of min(8, n - 1) words with a document."""
    runs = dict[tuple[Any, str], list[str]]()
    for band, _, text in maker.sentences(held, dict.fromkeys(BANDS[1:], 4 * most)):
        runs[band, text] = runs_of(text, min(8, len(WORD.findall(text)) - 1))
    had = holders((run for own in runs.values() for run in own), plains)
    have, out = Counter[Any](), []
    for (band, text), own in runs.items():
        if not any(had[run] for run in own) and have[band] < most:
            have[band] += 1
            out.append((band, text))
    return out


def sentences(paths: Sequence[Path], seed: int) -> tuple[Texts, list[Item]]:
    held, documents = held_out(read(paths[0]), seed)
    maker, plains = Maker(documents, seed), {key: plain(text) for key, text in documents.items()}
    drawn = maker.sentences(documents, dict.fromkeys(BANDS[1:], 3 * EACH))
    had, number = holders({plain(text) for _, _, text in drawn}, plains), Counter[Any]()
    for band, key, text in drawn:
        changed = number[band] % 3
        number[band] += 1
        kind, truth = ("verbatim", "one", "two")[changed], had[plain(text)] or [key]
        maker.add(kind, maker.edited(text, changed), truth, band=band)
    for band, text in unshared(maker, held, plains, CONTROLS):
        maker.add("control", text, band=band)
    most = {band: EACH * (1 + (band[1] < 9)) for band in BANDS}
    for band, _, text in maker.sentences(read(paths[1]), most):
        maker.add("foreign", text, band=band)
    return documents, maker.items


def hidden(paths: Sequence[Path], seed: int) -> tuple[Texts, list[Item]]:
    documents = read(paths[0], 40)
    maker = Maker(documents, seed)
    chance, some = maker.chance, maker.chance.sample(list(documents), min(60_000, len(documents)))
    documents = {key: documents[key] for key in some}
    others, passages = list(read(paths[1]).values()), list[str]()
    for text in chance.sample(others, len(others)):
        parts = [part.strip() for part in re.split(r"(?<=[.])\s+|\n", text) if part.strip()]
        words = list[str]()
        for part in parts[1:]:
            words += part.split()
            if len(words) >= 30:
                break
        if 30 <= len(words) <= 60:
            passages.append(" ".join(words))
    edits: dict[str, Callable[[str], str]] = {
        "verbatim": lambda text: text,
        "rewrapped": lambda text: re.sub(r"((?:\S+ ){8})", r"\1\n", text),
        "10 %": lambda text: maker.edited(text, 0.1),
        "20 %": lambda text: maker.edited(text, 0.2),
        "30 %": lambda text: maker.edited(text, 0.3),
    }
    planted, targets = passages[:2100], chance.sample(some, 2100)
    for number, (text, key) in enumerate(zip(planted, targets, strict=True)):
        kind = list(edits)[number % len(edits)]
        words = documents[key].split(" ")
        half = len(words) // 2
        documents[key] = " ".join([*words[:half], edits[kind](text), *words[half:]])
        maker.add(kind, text, [key])
    controls = {text: runs_of(text, 13) for text in passages[2100:7100]}
    plains = {key: plain(text) for key, text in documents.items()}
    had = holders((run for own in controls.values() for run in own), plains)
    for text, own in controls.items():
        maker.add("shared" if any(had[run] for run in own) else "control", text)
    return documents, maker.items


def mixed(paths: Sequence[Path], seed: int) -> tuple[Texts, list[Item]]:
    held, documents = held_out(read(paths[0]), seed)
    maker, plains = Maker(documents, seed), {key: plain(text) for key, text in documents.items()}
    own = [text for band, text in unshared(maker, held, plains, CONTROLS) if band[0] >= 9]
    drawn = maker.sentences(documents, dict.fromkeys([(8, 8), (12, 14), (15, 20)], 600))
    had = holders({plain(text) for _, _, text in drawn}, plains)

    def text_of(others: Sequence[str], count: int = 6) -> str:
        parts = [*maker.chance.sample(own, count), *others]
        return " ".join(maker.chance.sample(parts, len(parts)))

    for band, each in {(12, 14): 2, (15, 20): 2, (8, 8): 1}.items():
        some = [text for theirs, _, text in drawn if theirs == band]
        for at in range(0, min(len(some), 300 * each) - each + 1, each):
            given = some[at : at + each]
            truths = [had[plain(text)] for text in given]
            kind = f"{each} of {band[0]} to {band[1]}" if each > 1 else "1 of 8"
            maker.add(kind, text_of(given), list(chain(*truths)), sources=truths)
    for _ in range(600):
        maker.add("own", text_of((), 8))
    whole = [text for text in held.values() if len(text.split()) >= 50]
    for text in maker.chance.sample(whole, min(2000, len(whole))):
        maker.add("held out", text)
    return documents, maker.items


def pasted(paths: Sequence[Path], seed: int) -> tuple[Texts, list[Item]]:
    documents = read(paths[0])
    maker = Maker(documents, seed)
    chance = maker.chance
    long = [key for key, text in documents.items() if len(text.split()) >= 200]

    def add(kind: str, size: int, change: Callable[[str], str]) -> None:
        for key in chance.choices(long, k=1000):
            own = maker.run(documents[key], size or chance.randint(8, 15))
            maker.add(kind, change(own), [key], own=plain(own))

    def choices(text: str) -> str:
        for letter in "ABCD":
            text += f"\n{letter}. {maker.run(documents[chance.choice(long)], chance.randint(1, 4))}"
        return text

    for share in (0.0, 0.1, 0.2, 0.3):
        add(f"80 words, {share:.0%}", 80, partial(maker.edited, count=share))
    add("25 words and 4 choices", 25, choices)
    add("25 words, 2 replaced", 25, partial(maker.edited, count=2))
    add("8 to 15 words", 0, lambda text: text)
    others = list(read(paths[1], 80).values())
    around = [text for text in others if len(text.split()) >= 300]
    for text in chance.choices(others, k=3000):
        maker.add("foreign", maker.run(text, chance.choice([12, 25, 80])))
    for share in (0.0, 0.1, 0.3):
        for key in chance.choices(long, k=500):
            text = documents[key]
            maker.add(f"whole, {share:.0%}", maker.edited(text, share), [key])
    for share in (0.0, 0.1, 0.2):
        for key in chance.choices(long, k=500):
            words = maker.run(chance.choice(around), 300).split()
            own = maker.run(documents[key], 80)
            text = " ".join([*words[:150], maker.edited(own, share), *words[150:]])
            maker.add(f"80 in 300, {share:.0%}", text, [key], own=plain(own))
    add_holders(maker, documents)
    return documents, maker.items


def pan(paths: Sequence[Path], seed: int) -> tuple[Texts, list[Item]]:
    rows = list(map(json.loads, paths[0].open(encoding="utf-8")))
    texts = {row["id"]: row["text"] for row in rows}
    documents = {row["id"]: row["text"] for row in rows if row["label"] == "source"}
    maker, cases = Maker(documents, seed), defaultdict[str, list[tuple[str, str, str]]](list)
    whole, none = list[tuple[str, str, str]](), dict[str, str]()
    for pair in map(json.loads, paths[1].open(encoding="utf-8")):
        kind, text, key = PAN[pair["class"]], texts[pair["suspicious"]], pair["source"]
        if pair["cases"]:
            whole.append((kind, text, key))
        else:
            none.setdefault(text, "none" if kind == "none" else "no passage")
        for start, size, own, own_size, *_ in pair["cases"]:
            passage = plain(texts[key][own : own + own_size])
            cases[kind].append((text[start : start + size], key, passage))
    if len(paths) < 3:
        for kind, text, key in whole:
            maker.add(kind, text, [key])
        for text, kind in none.items():
            maker.add(kind, text)
        return documents, maker.items
    documents |= {f"other-{key}": text for key, text in read(paths[2], 50).items()}
    for kind in ("random", "translated", "summary"):
        for text, key, passage in maker.chance.sample(cases[kind], min(500, len(cases[kind]))):
            maker.add(kind, text, [key], own=passage)
    add_holders(maker, documents)
    return documents, maker.items


def add_holders(maker: Maker, documents: Texts) -> None:
    """Let the truth of items that were taken from a passage be all documents that have it."""
    plains = {key: plain(text) for key, text in documents.items()}
    had = holders({item["own"] for item in maker.items if "own" in item}, plains)
    for item in maker.items:
        item["truth"] = had.get(item.pop("own", ""), []) or item["truth"]


MAKERS = {"sentences": sentences, "hidden": hidden, "mixed": mixed, "pasted": pasted, "pan": pan}


def write(path: Path, rows: Iterable[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=MAKERS)
    parser.add_argument("out", type=Path)
    parser.add_argument("collections", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=12)
    arguments = parser.parse_args()
    documents, items = MAKERS[arguments.kind](arguments.collections, arguments.seed)
    rows = ({"id": key, "text": text} for key, text in documents.items())
    write(arguments.out / "build.jsonl", rows)
    write(arguments.out / "items.jsonl", items)
    print(arguments.out, f"{len(documents):,} documents", Counter(item["kind"] for item in items))


if __name__ == "__main__":
    main()
