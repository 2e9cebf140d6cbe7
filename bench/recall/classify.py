r"""Labels of documents by those of the most similar: beside exact tf-idf neighbours and a linear
support vector machine, on 20 Newsgroups by date and Reuters by topic.

    python bench/recall/classify.py newsgroups20.jsonl reuters.jsonl --cache DIR \
        -o bench/results/classify.md          (needs scipy, scikit-learn; 15 minutes)

Both have a split into training and test documents. Of a newsgroup article the body counts, without
its header. Of Reuters the articles of type NORM with a topic count, title and body. The test
documents are asked once.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import numpy.typing as npt
import pocketindex
import scipy.sparse as sp
from collection import Truth, text_of
from intervals import table
from pocketindex.builder import Settings, build
from pocketindex.builder.evaluate.labels import Evaluated, evaluated
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.queries.classification import LEAST_SHARE, POWER
from pocketindex.queries.options import DECIDING
from running import called, parser, report
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC
from truth import read

COMPARED = 1_500  # test documents that are asked where texts are compared, which takes long
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


def exact(truth: Truth, rows: sp.csr_matrix, flags: sp.csr_matrix) -> npt.NDArray[np.bool_]:
    """Return whether each text has each label, by its exact neighbours and the product's rule."""
    found, columns = [], truth.rows.T.tocsr()
    for start in range(0, rows.shape[0], 500):
        products = (rows[start : start + 500] @ columns).toarray()
        best = np.argsort(-products, axis=1, kind="stable")[:, :DECIDING]
        weights = np.maximum(np.take_along_axis(products, best, 1), 0) ** POWER["texts"]
        ends = np.arange(0, weights.size + 1, DECIDING)
        shape = (len(weights), flags.shape[0])
        votes = sp.csr_matrix((weights.ravel(), best.ravel(), ends), shape=shape)
        shares = (votes @ flags).toarray() / np.maximum(weights.sum(1, keepdims=True), 1e-30)
        named = shares >= LEAST_SHARE
        none = ~named.any(1) & (shares.max(1) > 0)
        named[none, shares[none].argmax(1)] = True
        found.append(named)
    return np.concatenate(found)


def by_machine(truth: Truth, rows: sp.csr_matrix, flags: sp.csr_matrix, many: bool) -> Any:
    """The same by a linear support vector machine; many: a document may have several labels."""
    if many:
        return OneVsRestClassifier(LinearSVC()).fit(truth.rows, flags).predict(rows)
    guess = LinearSVC().fit(truth.rows, np.asarray(flags.argmax(1)).ravel()).predict(rows)
    return np.eye(flags.shape[1])[guess]


def built(train: Documents, path: Path, settings: Settings) -> pocketindex.Index:
    """A file of these documents."""
    source = path.with_suffix(".jsonl")
    with source.open("w", encoding="utf-8") as out:
        for id, text, labels in zip(train.ids, train.texts, train.labels, strict=True):
            out.write(json.dumps({"id": id, "text": text, "label": labels}) + "\n")
    build(source, path, replace(settings, fields=Fields(label="label")))
    return pocketindex.open(path)


def row(name: str, found: Evaluated, rest: Sequence[str] = ("",) * 5) -> list[str]:
    low, high = found.interval
    micro = f"{found.micro_f1:.3f}" if found.several else ""
    return [
        name,
        f"{found.accuracy:.3f} ({low:.3f}-{high:.3f})",
        f"{found.macro_f1:.3f}",
        micro,
        *rest,
    ]


def measured(path: str, folder: Path) -> list[str]:
    train, test = split(path)
    names = MultiLabelBinarizer(sparse_output=True).fit(train.labels + test.labels)
    flags, count = names.transform(train.labels), len(test.ids)
    many = max(map(len, test.labels)) > 1
    rows = []
    for damped, what in ((False, "tf"), (True, "1 + ln tf")):
        truth = Truth(damped)
        truth.learn(train.texts)
        asked = truth.of(test.texts)
        for name, guess in (
            (f"exact {what}-idf cosine, same rule", exact(truth, asked, flags)),
            (f"LinearSVC, {what}-idf", by_machine(truth, asked, flags, many)),
        ):
            best = names.inverse_transform(np.asarray(sp.csr_matrix(guess).todense()))
            told: Any = (SimpleNamespace(best=one, verdict="") for one in best)
            rows.append(row(name, evaluated(zip(test.labels, told, strict=True))))
    some = test.part(random.Random(2007).sample(range(count), min(COMPARED, count)))
    for what, settings in BUILDS.items():
        index = built(train, folder / "classify.pocket", settings)
        own = some if settings.keep == "text" else test
        began = time.perf_counter()
        found = evaluated(
            (labels, index.classify(text))
            for labels, text in zip(own.labels, own.texts, strict=True)
        )
        took = (time.perf_counter() - began) / len(own.ids)
        each = index.info().bytes_per_document
        rest = [
            f"{each['look-up']:.1f}",
            f"{index.info().sections.get('words', 0) / len(index):.1f}",
            f"{each['labels']:.2f}",
            f"{1000 * took:.1f}",
            f"{found.clear / found.documents:.3f}, "
            f"{found.clear_right / max(found.clear, 1):.3f} right",
        ]
        rows.append(row(what, found, rest))
        print(rows[-1], flush=True)
    had = f"{len(train.ids):,} training and {count:,} test documents"
    labels = len({label for own in test.labels for label in own})
    head = ["", "accuracy (95 %)", "macro-F1", "micro-F1", "look-up bytes", "words"]
    return [
        *(f"## {Path(path).name.split('.')[0]}", "", f"{had}, {labels} labels.", ""),
        *table([*head, "label bytes", "ms", "clear"], rows),
        "",
    ]


def main() -> None:
    options = parser(__doc__)
    options.add_argument("collections", nargs="+")
    options.add_argument("--cache", type=Path, required=True)
    arguments = options.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    lines = [
        "# Labels by the most similar documents",
        "",
        f"`{called()}`, {date.today()}. "
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
    report(lines[:-1], arguments.output)


if __name__ == "__main__":
    main()
