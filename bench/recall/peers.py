"""What pocketindex is measured beside: each peer at its best documented setting, built of a
collection's texts and asked with one.

A query has two steps, `prepare` and `search`; only the second is timed. The faiss peers get the
projections of a text ready made, tantivy its 25 heaviest terms and rensa its words, because cutting
and weighting them is Python's work here; pocketindex is timed from the text on.
"""

from __future__ import annotations

import heapq
import pickle
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import numpy.typing as npt
from collection import Collection, Truth
from engine import Engine, built, settings
from truth import words

HEAVIEST = 25  # terms: what tantivy's more-like-this asks with
LISTS = 64  # of an inverted file
Documents = Any  # numbers, best first


@dataclass
class Peer:
    """name; look-up bytes a document; seconds of the build; search: what was prepared and a number
    of hits to documents, best first.
    """

    name: str
    bytes: float
    seconds: float
    prepare: Callable[[str], Any]
    search: Callable[[Any, int], Documents]
    time: Callable[[Any], Any] | None = None  # what is timed, where search does more

    def ask(self, text: str, top: int) -> list[int]:
        return [int(i) for i in self.search(self.prepare(text), top) if i >= 0]


def of_engine(name: str, engine: Engine, probes: int) -> Peer:
    return Peer(
        f"{name} ({engine.shape})",
        engine.bytes,
        engine.seconds,
        str.encode,
        lambda text, top: engine.ask(text, top, probes).documents,
        lambda text: engine.run(text, 10, probes),
    )


def pocketindex(collection: Collection, folder: Path) -> list[Peer]:
    """The shapes; `balanced`, which is first, by its tables alone, too."""
    peers = []
    for shape in ("balanced", "small", "wide"):
        try:
            engine = built(collection.texts, folder / f"{shape}.pocket", settings(shape, threads=2))
        except LookupError as error:
            print(f"left out: {error}")
            continue
        peers.append(of_engine(f"**{shape}**, {engine.way}", engine, 0))
        if shape == "balanced":
            peers.append(
                of_engine(
                    f"balanced, tables alone, {engine.default_probes:,} probes",
                    engine,
                    engine.default_probes,
                )
            )
    return peers


class Projections:
    """Hashed directions of idf-weighted terms: a sign for each term and direction."""

    def __init__(self, truth: Truth, directions: int, seed: int = 5) -> None:
        self._truth = truth
        chance = np.random.default_rng(seed)
        self._signs = [
            chance.integers(0, 2, (len(truth.vocabulary), 32), dtype=np.int8) * 2 - 1
            for _ in range(directions // 32)
        ]

    def of(self, rows: Any) -> npt.NDArray[Any]:
        return np.concatenate([rows @ signs.astype(np.float32) for signs in self._signs], 1)

    def of_text(self, text: str) -> npt.NDArray[Any]:
        row = self._truth.of([text])
        return np.concatenate(
            [row.data @ signs[row.indices].astype(np.float32) for signs in self._signs]
        ).reshape(1, -1)


def bits(projections: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.packbits(projections > 0, axis=1)


def directions(projections: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Of length 1, so that the nearest by distance are those of the highest cosine."""
    return np.ascontiguousarray(
        projections / np.maximum(1e-9, np.linalg.norm(projections, axis=1, keepdims=True)),
        np.float32,
    )


class Faiss:
    """Makes peers of one collection's projections."""

    def __init__(self, collection: Collection) -> None:
        import faiss

        faiss.omp_set_num_threads(1)
        self._hashed = Projections(collection.truths["raw"], 192)
        self._rows = self._hashed.of(collection.truths["raw"].rows)
        self.count = len(self._rows)

    def peer(self, name: str, made: Any, encode: Any, width: int = 128) -> Peer:
        import faiss

        given, start = encode(self._rows[:, :width]), time.perf_counter()
        made.train(given)
        made.add(given)
        seconds = time.perf_counter() - start
        binary = isinstance(made, faiss.IndexBinary)
        size = len((faiss.serialize_index_binary if binary else faiss.serialize_index)(made))
        return Peer(
            name,
            size / self.count,
            seconds,
            lambda text: encode(self._hashed.of_text(text)[:, :width]),
            lambda row, top: made.search(row, min(top, self.count))[1][0],
        )


def flat(collection: Collection, folder: Path | None = None) -> list[Peer]:
    """Flat scans of bits, and of RaBitQ's codes."""
    import faiss

    make = Faiss(collection)
    rabitq = faiss.IndexRaBitQ(128)
    rabitq.qb = 0  # a query's components as they are: the most exact
    return [
        make.peer("faiss BinaryFlat 128", faiss.IndexBinaryFlat(128), bits),
        make.peer("faiss BinaryFlat 192", faiss.IndexBinaryFlat(192), bits, 192),
        make.peer("faiss RaBitQ flat 128", rabitq, directions),
    ]


def inverted(collection: Collection, folder: Path) -> list[Peer]:
    """Two inverted files: as many lists as suit the collection (2,048 of 157,000 documents), of
    which LISTS are asked.
    """
    import faiss

    make = Faiss(collection)
    lists = 2 ** round(np.log2(5.2 * make.count**0.5))
    rabitq = faiss.index_factory(128, f"IVF{lists},RaBitQ")
    rabitq.qb = 8  # bits of a query's component: the most exact of these
    binary = faiss.index_binary_factory(128, f"BIVF{lists}")
    rabitq.nprobe = binary.nprobe = LISTS
    return [
        make.peer(f"faiss IVF{lists},RaBitQ of 128, {LISTS} lists", rabitq, directions),
        make.peer(f"faiss BinaryIVF{lists} of 128, {LISTS} lists", binary, bits),
    ]


def tantivy(collection: Collection, folder: Path) -> list[Peer]:
    """Without positions, which this does not ask for, and without its store."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, index_option="freq")
    builder.add_integer_field("number", stored=True)
    fields, place = builder.build(), folder / "tantivy"
    place.mkdir()
    index, start = tantivy.Index(fields, path=str(place)), time.perf_counter()
    writer = index.writer(heap_size=256_000_000, num_threads=1)
    for number, text in enumerate(collection.texts):
        writer.add_document(tantivy.Document(text=text, number=number))
    writer.commit()
    writer.wait_merging_threads()
    seconds = time.perf_counter() - start
    index.reload()
    searcher, truth = index.searcher(), collection.truths["raw"]
    size = sum(
        f.stat().st_size for f in place.rglob("*") if f.is_file() and f.suffix != ".store"
    ) / len(collection.texts)

    def prepare(text: str) -> Any:
        weights = {
            w: n * truth.idf[truth.vocabulary[w]]
            for w, n in Counter(words(text)).items()
            if w in truth.vocabulary
        }
        best = heapq.nlargest(HEAVIEST, weights, key=weights.__getitem__)
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, tantivy.Query.term_query(fields, "text", w)) for w in best]
        )

    def search(query: Any, top: int) -> Documents:
        return [
            searcher.doc(address)["number"][0] for _, address in searcher.search(query, top).hits
        ]

    return [
        Peer(
            f"tantivy, {HEAVIEST} terms",
            size,
            seconds,
            prepare,
            search,
            lambda query: searcher.search(query, 10),
        )
    ]


def rensa(collection: Collection, folder: Path) -> list[Peer]:
    """32 bands of 4, which collide from a Jaccard of about .4; candidates ranked by agreeing
    values. The latter are counted, too.
    """
    from rensa import RMinHash, RMinHashLSH

    def digest(tokens: list[str]) -> Any:
        made = RMinHash(num_perm=128, seed=42)
        made.update(tokens)
        return made

    cut, start = [list(set(words(text))) for text in collection.texts], time.perf_counter()
    matrix = RMinHash.digest_matrix_from_token_sets(cut, num_perm=128, seed=42)
    index = RMinHashLSH(threshold=0.5, num_perm=128, num_bands=32)
    index.insert_matrix(matrix, start_key=0)
    seconds = time.perf_counter() - start
    stored = np.array([digest(tokens).digest() for tokens in cut], np.uint32)
    size = len(pickle.dumps(index, 5)) / len(cut) + stored.shape[1] * 4

    def search(tokens: list[str], top: int) -> Documents:
        asked = digest(tokens)
        found = np.array(index.query(asked), np.int64)
        agree = (
            (stored[found] == np.array(asked.digest(), np.uint32)).sum(1) if len(found) else found
        )
        return found[np.argsort(-agree, kind="stable")[:top]]

    return [
        Peer(
            "rensa R-MinHash LSH, 32 x 4",
            size,
            seconds,
            lambda text: list(set(words(text))),
            search,
        )
    ]


def exact(collection: Collection, folder: Path) -> list[Peer]:
    """The binding truth itself over all rows: no estimate of it is expected to find more by it."""
    truth = collection.truths["raw"]
    rows, size = (
        truth.rows,
        truth.rows.nnz * 8 / len(collection.texts),
    )  # a term and a weight of 32 bits each

    def search(row: Any, top: int) -> Documents:
        cosines = np.asarray((rows @ row.T).todense()).ravel()
        best = np.argpartition(-cosines, min(top, len(cosines) - 1))[:top]
        return best[np.argsort(-cosines[best], kind="stable")]

    return [Peer("exact cosine of all", size, 0.0, lambda text: truth.of([text]), search)]


ALL = [pocketindex, flat, inverted, tantivy, rensa, exact]
