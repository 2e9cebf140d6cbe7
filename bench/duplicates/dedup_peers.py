r"""Near-duplicates from Parquet to Parquet, beside text-dedup, datasketch and rensa as their READMEs
use them: lines to write, seconds, memory, recall and precision.

    pip install scipy zstandard
    python -m venv PEERS && PEERS/bin/pip install datasketch rensa datasets text-dedup
    python bench/duplicates/dedup_peers.py newsgroups20.jsonl reuters.jsonl \
        --peers PEERS/bin --cache DIR -o bench/results/dedup_peers.md

The programs are those of bench/duplicates/beside/, each a process of its own, one after the other. Documents
of 50 words or more. Every way is judged by exact truths over all pairs, which have nothing of the
product: the tf-idf cosine (truth.py), the Jaccard similarity of sets of words, which datasketch and
rensa estimate, that of sets of five words in a row as text-dedup cuts them, and what pocketindex
says that it looks for: the cosine with numbers counted, at most .1 above the one with 1 + ln tf.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import pyarrow
import pyarrow.parquet
import scipy.sparse as sp
import truth
from pocketindex.builder.evaluate.edits import edited

BESIDE = Path(__file__).with_name("beside")
COSINE = "cosine"
WORDS = "words"
FIVES = "five words"
CAPPED = "capped cosine"
SHOWN = {COSINE: 0.8, WORDS: 0.7, FIVES: 0.7}
LEAST = 0.5  # of the pairs that the truths know
ITEMS = 250  # of each kind, for check
_NOT_WORD, _WORD = re.compile(r"\W"), re.compile(r"\w+")
ALOFT = 0.1

Pairs = dict[tuple[int, int], float]


class Way(NamedTuple):
    """program: of bench/duplicates/beside; own: what it looks for; threshold, perms: how it is asked."""

    program: str
    own: str
    threshold: float
    perms: int = 0

    def __str__(self) -> str:
        name = self.program.rsplit("_", 1)[0].replace("_pairs", "").replace("_dedup", "")
        name = {"textdedup": "text-dedup", "pocketindex_check": "pocketindex"}.get(name, name)
        more = ", --source" if "source" in self.program else ""
        return f"{name}, {self.threshold}" + (f", {self.perms}" if self.perms else "") + more


def ways(task: str) -> list[Way]:
    """The ways of a task: of each peer as in its README, and of .7 with more permutations."""
    # check without the texts asks sketches, whose cosine is the plain one.
    looked_for = COSINE if task == "check" else CAPPED
    own = [Way(f"pocketindex_{task}.sh", looked_for, 0.8)]
    if task == "check":
        own.append(Way("pocketindex_check_source.sh", COSINE, 0.8))
    if task == "dedup":
        own += [Way("textdedup_dedup.sh", FIVES, threshold, 250) for threshold in (0.7, 0.5)]
    for name, first in ("datasketch", 0.5), ("rensa", 0.8):
        program = f"{name}_{task}.py"
        own += [Way(program, WORDS, first, 128), Way(program, WORDS, 0.7, 256)]
    return own


# What is compared


def of_words(text: str) -> set[str]:
    return set(text.split())


def of_fives(text: str) -> set[str]:
    """As text-dedup cuts them."""
    words = _NOT_WORD.split(text.lower())
    return {" ".join(words[place : place + 5]) for place in range(max(len(words) - 4, 1))}


def as_rows(sets: Iterable[set[str]], ranks: dict[str, int]) -> Any:
    """A row of ones for each set, columns by rank."""
    rows = [sorted(ranks[one] for one in own if one in ranks) for own in sets]
    starts = np.cumsum([0, *map(len, rows)])
    columns = np.array([column for row in rows for column in row], np.int64)
    ones = np.ones(len(columns), np.float32)
    return sp.csr_matrix((ones, columns, starts), shape=(len(rows), len(ranks)))


def ranked(sets: list[set[str]]) -> dict[str, int]:
    """Numbers of all members, the rarest first."""
    counts = Counter(one for own in sets for one in own)
    return {one: rank for rank, one in enumerate(sorted(counts, key=lambda one: counts[one]))}


def jaccard_pairs(sets: list[set[str]], least: float = LEAST) -> Pairs:
    """All pairs at least so similar. Such sets of n members have one in common among the rarest
    n - ceil(least n) + 1 of each, so that no other pairs have to be compared.
    """
    rows = as_rows(sets, ranked(sets))
    sizes = np.diff(rows.indptr)
    first = sizes - np.ceil(least * sizes).astype(np.int64) + 1
    place = np.arange(len(rows.indices)) - np.repeat(rows.indptr[:-1], sizes)
    rare = rows.copy()
    rare.data[place >= np.repeat(first, sizes)] = 0
    rare.eliminate_zeros()
    columns, pairs = rare.T.tocsr(), Pairs()
    for start in range(0, len(sizes), 500):
        product = (rare[start : start + 500] @ columns).tocoo()
        a, b = product.row + start, product.col
        small, large = np.minimum(sizes[a], sizes[b]), np.maximum(sizes[a], sizes[b])
        fit = (b > a) & (small >= least * large)
        for part in np.array_split(np.flatnonzero(fit), fit.sum() // 50_000 + 1):
            one, other = a[part], b[part]
            both = np.asarray(rows[one].multiply(rows[other]).sum(1)).ravel()
            found = both / (sizes[one] + sizes[other] - both)
            for i in np.flatnonzero(found >= least - 1e-9):
                pairs[int(one[i]), int(other[i])] = float(found[i])
    return pairs


def cosine_pairs(collection: truth.Collection, least: float = LEAST) -> Pairs:
    pairs = Pairs()
    for a, (others, cosines) in enumerate(
        truth.neighbours(collection.rows, collection.rows, least)
    ):
        pairs.update({(a, int(b)): float(c) for b, c in zip(others, cosines, strict=True) if b > a})
    return pairs


def capped_pairs(texts: list[str], least: float = LEAST) -> Pairs:
    """Both cosines over all words."""
    counts = truth.vectors([_WORD.findall(text.lower()) for text in texts], {}, grow=True)
    idf = np.log(len(texts) / np.bincount(counts.indices)).astype(np.float32)
    damped = counts.copy()
    damped.data = 1 + np.log(damped.data)
    plain, damped = truth.unit(counts, idf), truth.unit(damped, idf)
    pairs = Pairs()
    for a, (others, cosines) in enumerate(truth.neighbours(plain, plain, least)):
        later = others > a
        if later.any():
            own = np.asarray((damped[others[later]] @ damped[a].T).todense()).ravel() + ALOFT
            found = np.minimum(cosines[later], own)
            pairs.update({(a, int(b)): float(c) for b, c in zip(others[later], found, strict=True)})
    return pairs


def kept(path: Path, make: Callable[[], Any]) -> Any:
    """What make gives, from the cache where it is there."""
    if not path.exists():
        path.write_bytes(pickle.dumps(make()))
    return pickle.loads(path.read_bytes())


# Running


class Ran(NamedTuple):
    seconds: float
    processor: float
    memory: int  # bytes


def ran(way: Way, arguments: list[Path], peers: Path, folder: Path) -> Ran:
    """Run a program; memory: the most that all of its processes had at once, looked at twenty times
    a second. What they share counts once.
    """
    program, inputs = BESIDE / way.program, [str(path) for path in arguments]
    own = Path(sys.executable).parent
    first = ["bash", "-e"] if way.program.endswith(".sh") else [str(peers / "python")]
    place = own if way.program.startswith("pocketindex") else peers
    environment = {
        **os.environ,
        "PATH": f"{place}:{os.environ['PATH']}",
        "HF_DATASETS_OFFLINE": "1",
    }
    environment.pop("PYTHONPATH", None) if place == peers else None
    command = [*first, str(program), *inputs[:2], str(way.threshold), str(way.perms), *inputs[2:]]
    start = time.perf_counter()
    most = [0]
    ended = threading.Event()
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
        )

        def look() -> None:
            while not ended.wait(0.05):
                most[0] = max(most[0], proportional(process.pid))

        looking = threading.Thread(target=look)
        looking.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        ended.set()
        looking.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{way}: {(folder / 'log').read_text()[-2000:]}")
    return Ran(seconds, usage.ru_utime + usage.ru_stime, most[0])


def proportional(session: int) -> int:
    """Bytes of the processes of a session, shared ones by their part."""
    total = 0
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            if int((folder / "stat").read_text().rpartition(")")[2].split()[3]) == session:
                sums = (folder / "smaps_rollup").read_text()
                total += int(re.search(r"\nPss: +(\d+)", sums)[1]) << 10  # type: ignore[index]
        except (OSError, TypeError):  # it has ended
            continue
    return total


def lines_of(program: str) -> int:
    return sum(bool(line.strip()) for line in (BESIDE / program).read_text().splitlines())


# Judging: recall and precision of a way by a truth


def of_pairs(found: set[tuple[int, int]], true: set[tuple[int, int]]) -> tuple[float, float]:
    both = len(found & true)
    return both / max(len(true), 1), both / max(len(found), 1)


def of_dedup(stay: set[int], count: int, true: set[tuple[int, int]]) -> tuple[float, float]:
    """Recall: true pairs that are no longer whole. Precision: of what went, what has a true
    neighbour that stays.
    """
    broken = sum(not (a in stay and b in stay) for a, b in true)
    kept_for = {b for a, b in true if a in stay} | {a for a, b in true if b in stay}
    gone = set(range(count)) - stay
    return broken / max(len(true), 1), len(gone & kept_for) / max(len(gone), 1)


def of_check(found: set[str], true: set[str]) -> tuple[float, float]:
    both = len(found & true)
    return both / max(len(true), 1), both / max(len(found), 1)


def table(
    task: str,
    inputs: list[Path],
    peers: Path,
    judge: Callable[[Any, str, float], tuple[float, float]],
    read: Callable[[Path], Any],
    size: Callable[[Any], int],
) -> Iterator[str]:
    """A line a way."""
    heads = " | ".join(f"{name} >= {least}: recall | precision" for name, least in SHOWN.items())
    what = {"pairs": "pairs", "dedup": "go", "check": "items found"}[task]
    yield f"| way | lines | seconds | of the processor | MB | {what} | {heads} | its own: recall | precision |"
    yield "|---|" + "--:|" * 13
    for way in ways(task):
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder, "out.parquet")
            took = ran(way, [inputs[0], target, *inputs[1:]], peers, Path(folder))
            found = read(target)
        figures = [judge(found, name, least) for name, least in SHOWN.items()]
        figures.append(judge(found, way.own, way.threshold))
        shown = " | ".join(f"{recall:.3f} | {precision:.3f}" for recall, precision in figures)
        line = (
            f"| {way} | {lines_of(way.program)} | {took.seconds:.1f} | {took.processor:.1f} | "
            f"{took.memory >> 20:,} | {size(found):,} | {shown} |"
        )
        print(line, flush=True)
        yield line


def collection_tables(path: str, peers: Path, cache: Path) -> Iterator[str]:
    name = Path(path).stem
    collection = truth.load(path)
    texts, count = collection.texts, len(collection.texts)
    true = {
        COSINE: kept(cache / f"{name}-cosine.pickle", partial(cosine_pairs, collection)),
        WORDS: kept(
            cache / f"{name}-words.pickle", lambda: jaccard_pairs([of_words(t) for t in texts])
        ),
        FIVES: kept(
            cache / f"{name}-fives.pickle", lambda: jaccard_pairs([of_fives(t) for t in texts])
        ),
    }
    true[CAPPED] = kept(cache / f"{name}-capped.pickle", lambda: capped_pairs(texts))
    source = written(cache / f"{name}.parquet", collection.ids, texts)
    number = {id: place for place, id in enumerate(collection.ids)}

    def pairs_at(truth_name: str, least: float) -> set[tuple[int, int]]:
        return {pair for pair, value in true[truth_name].items() if value >= least - 1e-6}

    counts = ", ".join(f"{len(pairs_at(*one)):,} by {one[0]} >= {one[1]}" for one in SHOWN.items())
    yield f"\n## {name}: {count:,} documents"
    yield f"\nTrue pairs: {counts}.\n\n### pairs\n"

    def read_pairs(target: Path) -> set[tuple[int, int]]:
        rows = pyarrow.parquet.read_table(target).to_pylist()
        return {tuple(sorted((number[row["a"]], number[row["b"]]))) for row in rows}  # type: ignore[misc]

    yield from table(
        "pairs",
        [source],
        peers,
        lambda found, *of: of_pairs(found, pairs_at(*of)),
        read_pairs,
        len,
    )
    yield "\n### dedup\n"
    yield from table(
        "dedup",
        [source],
        peers,
        lambda stay, *of: of_dedup(stay, count, pairs_at(*of)),
        lambda target: {number[id] for id in ids_of(target)},
        lambda stay: count - len(stay),
    )
    yield from check_table(name, collection, peers, cache)


def check_table(name: str, collection: truth.Collection, peers: Path, cache: Path) -> Iterator[str]:
    """Items: documents of the training set with a tenth and with three tenths of their words
    edited, and documents that were taken out of it.
    """
    chance, count = random.Random(2007), len(collection.texts)
    out = set(chance.sample(range(count), min(2 * ITEMS, count // 5)))
    train = [place for place in range(count) if place not in out]
    texts = [collection.texts[place] for place in train]
    vocabulary = [word for text in texts[:2000] for word in text.split()]
    drawn = chance.sample(texts, 2 * ITEMS)
    shares = [0.1] * ITEMS + [0.3] * ITEMS
    asked = [
        *(edited(t, "mixed", s, vocabulary, chance) for t, s in zip(drawn, shares, strict=True)),
        *(collection.texts[place] for place in sorted(out)),
    ]
    ids = [f"item {number}" for number in range(len(asked))]
    source = written(cache / f"{name}-train.parquet", [collection.ids[p] for p in train], texts)
    items = written(cache / f"{name}-items.parquet", ids, asked)
    rows = truth.unit(
        truth.vectors([truth.words(t) for t in asked], collection.vocabulary, grow=False),
        collection.idf,
    )
    best = {
        COSINE: best_of(lambda some: some @ collection.rows[train].T.tocsr(), rows),
        WORDS: best_jaccard([of_words(t) for t in texts], [of_words(t) for t in asked]),
        FIVES: best_jaccard([of_fives(t) for t in texts], [of_fives(t) for t in asked]),
    }

    def true_at(truth_name: str, least: float) -> set[str]:
        return {ids[place] for place in np.flatnonzero(best[truth_name] >= least - 1e-6)}

    counts = ", ".join(f"{len(true_at(*one)):,} by {one[0]} >= {one[1]}" for one in SHOWN.items())
    yield (
        f"\n### check\n\n{len(asked):,} items, of which a document of the training set is like "
        f"{counts}.\n"
    )
    yield from table(
        "check",
        [source, items],
        peers,
        lambda found, *of: of_check(found, true_at(*of)),
        found_items,
        len,
    )


def best_of(product: Callable[[Any], Any], rows: Any) -> Any:
    """The largest value of each row's product."""
    some = [product(rows[start : start + 100]) for start in range(0, rows.shape[0], 100)]
    return np.concatenate([np.asarray(one.max(axis=1).todense()).ravel() for one in some])


def best_jaccard(train: list[set[str]], asked: list[set[str]]) -> Any:
    """Of each set, its similarity to the most similar one of train."""
    ranks = ranked(train)
    columns, sizes = as_rows(train, ranks).T.tocsr(), np.array(list(map(len, train)))
    own = np.array(list(map(len, asked)))
    rows, best = as_rows(asked, ranks), np.zeros(len(asked))
    for start in range(0, len(asked), 100):
        product = (rows[start : start + 100] @ columns).tocoo()
        both = product.data / (own[product.row + start] + sizes[product.col] - product.data)
        np.maximum.at(best, product.row + start, both)
    return best


def written(path: Path, ids: list[str], texts: list[str]) -> Path:
    pyarrow.parquet.write_table(pyarrow.table({"id": ids, "text": texts}), path)
    return path.absolute()


def ids_of(target: Path) -> list[str]:
    return pyarrow.parquet.read_table(target, columns=["id"])["id"].to_pylist()  # type: ignore[no-any-return]


def found_items(target: Path) -> set[str]:
    """Items that a way calls found as a whole; passages are another question."""
    rows = pyarrow.parquet.read_table(target).to_pylist()
    return {row["id"] for row in rows if row.get("verdict", "near") in ("copy", "near")}


def versions(peers: Path) -> str:
    listed = subprocess.run(
        [peers / "python", "-m", "pip", "list", "--format=json"],
        capture_output=True,
        check=True,
        text=True,
    )
    there = {one["name"]: one["version"] for one in json.loads(listed.stdout)}
    return ", ".join(f"{n} {there[n]}" for n in ("text-dedup", "datasketch", "rensa", "datasets"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--peers", type=Path, required=True, help="the bin/ of their environment")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    peers = arguments.peers.absolute()
    names = " ".join(Path(path).name for path in arguments.collections)
    lines = [
        "# From Parquet to Parquet beside text-dedup, datasketch and rensa\n",
        f"`python bench/duplicates/dedup_peers.py {names}`, {time.strftime('%Y-%m-%d')}: {versions(peers)}, "
        f"{os.cpu_count()} cores shared with other work.",
    ]
    for path in arguments.collections:
        for line in collection_tables(path, peers, arguments.cache):
            lines.append(line)
            arguments.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
