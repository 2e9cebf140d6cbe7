"""Near-duplicates on Spark beside text-dedup's script for Spark, and one machine: seconds, shuffled
bytes, recall and precision.

    pip install text-dedup --no-deps --target DIR && pip install xxhash scipy zstandard
    PYTHONPATH=DIR python bench/spark/spark_pairs.py wiki_simple.jsonl --documents 20000 --cache DIR \
        -o bench/results/spark_pairs.md

Documents of 50 words or more. Truth: exact tf-idf cosine of every pair (truth.py), and by brute
force the measure by which pocketindex decides, which also counts numbers and damps counts. Each way is a
process of its own with two cores; seconds go from a session that is there to rows that are written.

text-dedup 0.4.0 imports GraphFrames, whose code for the JVM is on no index of Python packages, and
asks for 8,192 partitions, whatever the collection. So its own functions run here in the order of
its script, up to the edges; scipy joins these to components, in the time that is given.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "duplicates"))
sys.path.insert(0, str(Path(__file__).parents[1] / "measuring"))

import numpy as np
import pyarrow
import pyarrow.parquet
import scipy.sparse as sp
import truth
from pairs import true_pairs
from spark import measured

PARTITIONS = 8
Rows = set[tuple[int, ...]]


def session(events: Path) -> Any:
    from pyspark.sql import SparkSession

    options = {
        "spark.driver.memory": "2g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        "spark.default.parallelism": str(PARTITIONS),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{events}",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in options.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


# Each way: a frame with id and text, a number as string, to pairs, or to documents that go.


def our_pairs(frame: Any) -> Rows:
    import pocketindex

    with pocketindex.spark.pairs(frame, 0.9) as found:
        return {(int(row.a), int(row.b)) for row in found.frame.collect()}


def our_dedup(frame: Any) -> Rows:
    import pocketindex

    with pocketindex.spark.dedup(frame, 0.9) as found:
        return {(int(row.id),) for row in found.frame.collect()}


def text_dedup(threshold: float) -> Callable[[Any], Rows]:
    """Return a way that finds what goes by the functions of text-dedup's script and its defaults."""

    def find(frame: Any) -> Rows:
        import types

        for name in ("graphframes",):  # imported for a class that is not called here
            sys.modules[name] = types.ModuleType(name)
            sys.modules[name].GraphFrame = None  # type: ignore[attr-defined]
        from pyspark import cloudpickle
        from text_dedup import minhash_spark as script

        cloudpickle.register_pickle_by_value(script)  # the tasks import nothing
        bands, rows = script.optimal_param(threshold, 250)
        ranges = [(i * rows, (i + 1) * rows) for i in range(bands)]
        permutations = (
            script.RNG.randint(1, script.MOD_PRIME, size=(250,), dtype=script.DTYPE),
            script.RNG.randint(0, script.MOD_PRIME, size=(250,), dtype=script.DTYPE),
        )
        hashed, long_enough = script.generate_hash_values, script.ngrams_length_check
        joined = script.generate_edges
        edges = (
            frame.rdd.filter(lambda row: long_enough(row.text, 5, 5))
            .flatMap(lambda row: hashed(row.text, int(row.id), 250, 5, 5, ranges, permutations))
            .groupBy(lambda one: (one[0], one[1]))
            .flatMap(lambda one: joined([each[2] for each in one[1]]))
            .distinct()
            .collect()
        )
        return {(number,) for number in going(edges)}

    return find


def going(edges: list[tuple[int, int]]) -> list[int]:
    """The documents that are not the first of their component."""
    if not edges:
        return []
    ends = np.array(edges)
    size = int(ends.max()) + 1
    ones = np.ones(len(ends), np.int8)
    graph = sp.csr_matrix((ones, (ends[:, 0], ends[:, 1])), shape=(size, size))
    _, component = sp.csgraph.connected_components(graph, directed=False)
    firsts = np.full(size, size)
    np.minimum.at(firsts, component, np.arange(size))
    return np.flatnonzero(firsts[component] != np.arange(size)).tolist()  # type: ignore[no-any-return]


def alone_pairs(texts: list[str]) -> Rows:
    import pocketindex

    found = pocketindex.pairs([(str(i), text) for i, text in enumerate(texts)], min_similarity=0.9)
    return {(pair.a_number, pair.b_number) for pair in found}


def alone_dedup(texts: list[str]) -> Rows:
    import pocketindex

    found = pocketindex.dedup([(str(i), text) for i, text in enumerate(texts)], min_similarity=0.9)
    return {(one.number,) for one in found}


# Which way of one process each has to equal.
SAME = {
    "pocketindex.spark.pairs, .9": "pocketindex.pairs, one process",
    "pocketindex.spark.dedup, .9": "pocketindex.dedup, one process",
}
SPARK: dict[str, Callable[[Any], Rows]] = {
    "pocketindex.spark.pairs, .9": our_pairs,
    "pocketindex.spark.dedup, .9": our_dedup,
    "text-dedup, Jaccard .7": text_dedup(0.7),
    "text-dedup, Jaccard .5": text_dedup(0.5),
}
ALONE: dict[str, Callable[[list[str]], Rows]] = {
    "pocketindex.pairs, one process": alone_pairs,
    "pocketindex.dedup, one process": alone_dedup,
}


def run(name: str, table: Path, output: Path, events: Path) -> None:
    """One way, in a process of its own."""
    if name in ALONE:
        texts = pyarrow.parquet.read_table(table).column("text").to_pylist()
        start = time.perf_counter()
        rows = ALONE[name](texts)
    else:
        spark = session(events)
        # By the number, so that the first document is the first.
        frame = spark.read.parquet(str(table)).repartition(PARTITIONS)
        start = time.perf_counter()
        rows = SPARK[name](frame)
    seconds = time.perf_counter() - start
    output.write_text(json.dumps({"seconds": seconds, "rows": sorted(rows)}))
    if name in SPARK:
        spark.stop()


def deciding(texts: list[str], least: float) -> Rows:
    """All pairs by the measure of pairs and dedup, by comparing each text with all."""
    from pocketindex.builder.collections.vectors import Vectors

    with tempfile.TemporaryDirectory() as folder:
        vectors = Vectors(Path(folder))
        vectors.add([text.encode() for text in texts])
        vectors.finish()
        found = set()
        for number in range(len(texts)):
            others = np.arange(number + 1, len(texts))
            similarities = vectors.similarities(np.full(len(others), number), others)
            found |= {(number, other) for other in others[similarities >= least].tolist()}
        vectors.close()
    return found


def figures(rows: Rows, near: Rows) -> tuple[float, float, int]:
    """Recall and precision, and how many there are to be found.

    near: pairs at the wanted cosine. A document is to go when an earlier one is near to it; it may
    go when any is.
    """
    if rows and len(next(iter(rows))) == 1:
        wanted = {(max(pair),) for pair in near}
        allowed = {(one,) for pair in near for one in pair}
    else:
        wanted = allowed = near
    recall = len(rows & wanted) / max(len(wanted), 1)
    return recall, len(rows & allowed) / max(len(rows), 1), len(wanted)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("collection")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--way", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--only", action="append", help="ways to run; the others stay as they are")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    if arguments.way:
        run(arguments.way[0], *map(Path, arguments.way[1:]))
        return
    stem = f"{Path(arguments.collection).name.split('.')[0]}-{arguments.documents}"
    some = arguments.cache / f"{stem}.jsonl"
    if not some.exists():
        with open(arguments.collection, encoding="utf-8") as lines, some.open("w") as out:
            fit = (line for line in lines if len(truth.words(json.loads(line)["text"])) >= 50)
            out.writelines(line for line, _ in zip(fit, range(arguments.documents), strict=False))
    collection = truth.load(some)
    table = arguments.cache / f"{stem}.parquet"
    names = [f"{number:09}" for number in range(len(collection.texts))]
    columns = {"id": names, "text": collection.texts}
    pyarrow.parquet.write_table(pyarrow.table(columns), table)
    true = true_pairs(collection, arguments.cache, stem)
    near = {least: {p for p, cosine in true.items() if cosine >= least} for least in (0.8, 0.9)}
    near[0] = deciding(collection.texts, 0.9)
    state = arguments.cache / f"{stem}-results.json"
    results = json.loads(state.read_text()) if state.exists() else {}
    for name in [*ALONE, *SPARK]:
        if name in results and name not in (arguments.only or ()):
            continue
        with tempfile.TemporaryDirectory(dir=arguments.cache) as folder:
            events, output = Path(folder) / "events", Path(folder) / "out.json"
            events.mkdir()
            script = [sys.executable, __file__, arguments.collection, "--way", name]
            subprocess.run([*script, str(table), str(output), str(events)], check=True)
            results[name] = json.loads(output.read_text()) | {"load": os.getloadavg()[1]}
            if name in SPARK:
                results[name] |= measured(events)
        state.write_text(json.dumps(results))
        print(report(results, near, len(names)), flush=True)
    if arguments.output:
        head = f"`python bench/spark/spark_pairs.py {Path(arguments.collection).name} --documents {arguments.documents}`"
        arguments.output.write_text(f"{head}\n\n{report(results, near, len(names))}\n")


def report(results: dict[str, Any], near: dict[float, Rows], count: int) -> str:
    lines = [
        f"{count:,} documents; {len(near[0.9]):,} pairs at .9, {len(near[0.8]):,} at .8; "
        f"{len(near[0]):,} at .9 by the measure of pocketindex.",
        "",
        "| way | found | as one process | recall at .9 | precision at .9 | precision at .8 | recall, own measure | precision, own measure | seconds | task seconds | shuffled MB | load |",
        "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, one in results.items():
        rows = {tuple(row) for row in one["rows"]}
        recall, precision, _ = figures(rows, near[0.9])
        own_recall, own_precision, _ = figures(rows, near[0])
        other = results.get(SAME.get(name, ""))
        same = "" if other is None else "yes" if other["rows"] == one["rows"] else "NO"
        lines.append(
            f"| {name} | {len(rows):,} | {same} | {recall:.3f} | {precision:.3f} | {figures(rows, near[0.8])[1]:.3f} "
            f"| {own_recall:.3f} | {own_precision:.3f} | {one['seconds']:.0f} | {one.get('task seconds', 0):.0f} | {one.get('shuffled', 0) / 1e6:.1f} | {one['load']:.0f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
