r"""Labels of documents by those of the most similar: beside exact tf-idf neighbours and a linear
support vector machine, on 20 Newsgroups by date and Reuters by topic.

    python bench/recall/classify.py newsgroups20.jsonl reuters.jsonl --cache DIR \
        -o bench/results/classify.md          (needs scipy, scikit-learn; 15 minutes)

Both have a split into training and test documents. Of a newsgroup article the body counts, without
its header. Of Reuters the articles of type NORM with a topic count, title and body. How many
neighbours decide, and the power of a similarity that is its weight, are chosen on a fifth of the
training documents that is held out of the rest, and then asked once with the test documents.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import numpy.typing as npt
import pocketindex
import scipy.sparse as sp
from collection import Truth, text_of
from intervals import table
from pocketindex.builder import Settings, build
from pocketindex.builder.evaluate.labels import Evaluated, evaluated, wilson
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.queries.classification import LEAST_SHARE, POWER, SOUGHT
from pocketindex.queries.heaviest_words import heaviest_words
from pocketindex.queries.options import DECIDING
from pocketindex.queries.word_search import MOST_HITS
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC
from truth import read

TOP = 200
COMPARED = 1_500  # test documents that are asked where texts are compared, which takes long
COUNTS, POWERS = (5, 10, 20, 30, 50, 100, 200), (1, 2, 4, 8)
# What a file is built with.
BALANCED = RffSettings()
BUILDS: dict[str, Settings] = {
    "documents (the default)": Settings(scheme_settings=BALANCED),
    "documents, shape wide": Settings(scheme_settings=RffSettings(shape="wide")),
    "documents, 1,024 components": Settings(scheme_settings=RffSettings(components=1024)),
    "documents, texts kept": Settings(scheme_settings=BALANCED, keep="text"),
    "documents,words": Settings(scheme_settings=BALANCED, index=("documents", "words")),
    "documents,words:32": Settings(scheme_settings=BALANCED, index=("documents", "words:32")),
}
CHOSEN_ON = ("documents (the default)", "documents,words", "documents,words:32")
Flags = npt.NDArray[np.bool_]


@dataclass
class Documents:
    """Texts, the labels of each, and these as rows of flags."""

    ids: list[str]
    texts: list[str]
    labels: list[list[str]]

    def part(self, places: Sequence[int]) -> Documents:
        return Documents(*([own[i] for i in places] for own in vars(self).values()))


def split(path: str) -> tuple[Documents, Documents]:
    """The training and the test documents of a collection."""
    parts = {"train": Documents([], [], []), "test": Documents([], [], [])}
    for d in read(path):
        part = parts.get(d["split"].lower())
        is_news = "body_offset" in d
        text = d["text"][d["body_offset"] :] if is_news else text_of(d)
        labels = [d["label"]] if is_news else sorted(set(d["label"]))
        if part and labels and text.strip() and d.get("text_type", "NORM") == "NORM":
            part.ids.append(str(d["id"]))
            part.texts.append(text)
            part.labels.append(labels)
    return parts["train"], parts["test"]


class Neighbours:
    """For each document the nearest of those that have labels: their numbers and similarities."""

    def __init__(self, numbers: npt.NDArray[Any], similarities: npt.NDArray[Any]) -> None:
        self.numbers, self.similarities = numbers, np.maximum(similarities, 0)

    def named(self, flags: sp.csr_matrix, count: int, power: float) -> Flags:
        """The labels that so many of them give, as the product chooses them."""
        weights = self.similarities[:, :count].astype(float) ** power
        rows = np.arange(0, weights.size + 1, weights.shape[1])
        votes = sp.csr_matrix(
            (weights.ravel(), np.maximum(self.numbers[:, :count], 0).ravel(), rows),
            shape=(len(weights), flags.shape[0]),
        )
        shares = np.asarray((votes @ flags).todense())
        shares /= np.maximum(weights.sum(1, keepdims=True), 1e-30)
        named = shares >= LEAST_SHARE
        none = ~named.any(1) & (shares.max(1) > 0)
        named[none, shares[none].argmax(1)] = True
        return named


def exact(train: Documents, asked: Documents, damped: bool) -> tuple[Neighbours, Truth, Any]:
    """Neighbours by the exact tf-idf cosine."""
    truth = Truth(damped)
    truth.learn(train.texts)
    rows, transposed = truth.of(asked.texts), truth.rows.T.tocsr()
    numbers, cosines = [], []
    for start in range(0, rows.shape[0], 500):
        product = (rows[start : start + 500] @ transposed).toarray()
        best = np.argsort(-product, axis=1, kind="stable")[:, :TOP]
        numbers.append(best)
        cosines.append(np.take_along_axis(product, best, 1))
    return Neighbours(np.concatenate(numbers), np.concatenate(cosines)), truth, rows


def built(train: Documents, path: Path, settings: Settings) -> pocketindex.Index:
    """A file of these documents."""
    source = path.with_suffix(".jsonl")
    with source.open("w", encoding="utf-8") as out:
        for id, text, labels in zip(train.ids, train.texts, train.labels, strict=True):
            out.write(json.dumps({"id": id, "text": text, "label": labels}) + "\n")
    build(source, path, replace(settings, fields=Fields(label="label")))
    return pocketindex.open(path)


def by_words(index: pocketindex.Index, of: Any, asked: Documents) -> Neighbours:
    """Neighbours by the score of the heaviest words."""
    numbers, scores = (np.zeros((len(asked.ids), TOP), own) for own in (int, float))
    for i, text in enumerate(asked.texts):
        words = " ".join(heaviest_words(index, text.encode()))
        hits = index.search(words, min(SOUGHT * TOP, MOST_HITS)) if words else []
        best = sorted(hits, key=lambda hit: -hit.score)[:TOP]
        numbers[i, : len(best)] = [of[hit.number] for hit in best]
        scores[i, : len(best)] = [hit.score for hit in best]
    return Neighbours(numbers, scores)


def near(index: pocketindex.Index, train: Documents, asked: Documents) -> Neighbours:
    """Neighbours by the words of the file, or by sketches."""
    places = {id: place for place, id in enumerate(train.ids)}
    of = np.array([places[index.record(i).id] for i in range(len(index))])
    if index.has_words:
        return by_words(index, of, asked)
    found = index.query_many(asked.texts, top=TOP, min_similarity=0, numbers=True)
    return Neighbours(
        np.where(found.numbers < 0, -1, of[found.numbers]), found.similarities.astype(float)
    )


def scores(truth: Flags, named: Flags) -> tuple[float, float, float]:
    """Accuracy, macro-F1, micro-F1."""
    both = (truth & named).sum(0)
    given = named.sum(0)
    had = truth.sum(0)
    f1 = 2 * both / np.maximum(given + had, 1)
    return (
        float((truth == named).all(1).mean()),
        float(f1[had > 0].mean()),
        float(2 * both.sum() / (given.sum() + had.sum())),
    )


def row(
    name: str, count: int, found: tuple[float, float, float], many: bool, rest: Sequence[str]
) -> list[str]:
    low, high = wilson(round(found[0] * count), count)
    micro = [f"{found[2]:.3f}" if many else ""]
    return [name, f"{found[0]:.3f} ({low:.3f}-{high:.3f})", f"{found[1]:.3f}", *micro, *rest]


def chosen(train: Documents, folder: Path, names: MultiLabelBinarizer) -> list[str]:
    """What is found of a fifth of the training documents by the rest of them."""
    places = random.Random(2007).sample(range(len(train.ids)), len(train.ids))
    cut = len(places) // 5
    held, rest = train.part(places[:cut]), train.part(places[cut:])
    flags, right = names.transform(rest.labels), names.transform(held.labels).toarray() > 0
    ways = {"exact, 1 + ln tf": exact(rest, held, True)[0]}
    for name in CHOSEN_ON:
        index = built(rest, folder / "held.pocket", BUILDS[name])
        ways[name] = near(index, rest, held)
    rows = []
    for name, neighbours in ways.items():
        for power in POWERS:
            found = [scores(right, neighbours.named(flags, count, power))[:2] for count in COUNTS]
            rows.append([f"{name}, power {power}", *(f"{a:.3f} {m:.3f}" for a, m in found)])
    head = ["accuracy and macro-F1 of the held-out, by neighbours", *map(str, COUNTS)]
    return [f"{len(held.ids):,} held out of {len(places):,}.", "", *table(head, rows), ""]


def measured(path: str, folder: Path) -> list[str]:
    train, test = split(path)
    names = MultiLabelBinarizer(sparse_output=True).fit(train.labels + test.labels)
    flags, right = names.transform(train.labels), names.transform(test.labels).toarray() > 0
    many = int(right.sum(1).max()) > 1
    name, count = Path(path).name.split(".")[0], len(test.ids)
    lines = [f"## {name}", ""]
    lines += [
        f"{len(train.ids):,} training and {count:,} test documents, {right.any(0).sum()} labels."
    ]
    lines += chosen(train, folder, names)
    rows = []
    for damped in (False, True):
        neighbours, truth, asked = exact(train, test, damped)
        what = "1 + ln tf" if damped else "tf"
        rows.append(
            row(
                f"exact {what}-idf cosine, same rule",
                count,
                scores(right, neighbours.named(flags, DECIDING, POWER["texts"])),
                many,
                [""] * 5,
            )
        )
        best = max(
            (scores(right, neighbours.named(flags, k, p)), k, p) for k in COUNTS for p in POWERS
        )
        rows.append(
            row(
                f"exact {what}-idf cosine, best of the grid on the test (k {best[1]}, power {best[2]})",
                count,
                best[0],
                many,
                [""] * 5,
            )
        )
        if many:
            machine: Any = OneVsRestClassifier(LinearSVC())
            guess = machine.fit(truth.rows, flags).predict(asked)
            named = guess.toarray() > 0
        else:
            first = [own[0] for own in train.labels]
            guess = LinearSVC().fit(truth.rows, first).predict(asked)
            named = names.transform([[one] for one in guess]).toarray() > 0
        rows.append(row(f"LinearSVC, {what}-idf", count, scores(right, named), many, [""] * 5))
    some = test.part(random.Random(2007).sample(range(count), min(COMPARED, count)))
    for what, settings in BUILDS.items():
        index, asked = built(train, folder / "classify.pocket", settings), test
        if settings.keep == "text":
            asked = some
        began = time.perf_counter()
        found: Evaluated = evaluated(
            (labels, index.classify(text))
            for labels, text in zip(asked.labels, asked.texts, strict=True)
        )
        took = (time.perf_counter() - began) / len(asked.ids)
        each = index.info().bytes_per_document
        share = found.clear_right / max(found.clear, 1)
        rest = [
            f"{each['look-up']:.1f}",
            f"{index.info().sections.get('words', 0) / len(index):.1f}",
            f"{each['labels']:.2f}",
            f"{1000 * took:.1f}",
            f"{found.clear / found.documents:.3f}, {share:.3f} right",
        ]
        three = found.accuracy, found.macro_f1, found.micro_f1
        rows.append(row(what, found.documents, three, many, rest))
        print(rows[-1], flush=True)
    head = [
        "",
        "accuracy (95 %)",
        "macro-F1",
        "micro-F1",
        "look-up bytes",
        "words",
        "label bytes",
        "ms",
        "clear",
    ]
    return [*lines, *table(head, rows), ""]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    lines = [
        "# Labels by the most similar documents",
        "",
        "Made by `python bench/recall/classify.py`; its head says how. "
        f"{DECIDING} documents decide, each with a weight: by words the score to the power of "
        f"{POWER['words']}, by exact cosines that to the power of {POWER['texts']}, by sketches the "
        f"similarity to that of {POWER['sketches']}. A label of half the "
        "weight is named, or else the best. Bytes are a document's. ms: a document, from Python, "
        "while other work had the machine, too. clear: share of documents with enough evidence, "
        "and how many of them are right.",
        "",
    ]
    for path in arguments.collections:
        lines += measured(path, arguments.cache)
        if arguments.output:
            arguments.output.write_text("\n".join(lines), encoding="utf-8")
    if not arguments.output:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
