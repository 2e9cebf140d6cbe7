"""pocketindex pairs: near-duplicates within a collection."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import combinations
from math import log, log2, sqrt
from pathlib import Path

import numpy as np
import pocketindex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from near_duplicates import collection, write
from pocketindex.builder import Settings, build
from pocketindex.builder.collections.cosine.near import doubt, listed, of_document, proposed_from
from pocketindex.builder.collections.cosine.vectors import (
    ALOFT,
    LEAST_TEXTS,
    Similarities,
    TextRows,
    Vectors,
)
from pocketindex.builder.collections.pairs import Pair, clusters, sketch_pairs
from pocketindex.builder.schemes.profile import EVERY_WORD, FOLDED
from pocketindex.queries.terms import terms_of
from run_command import run

EXPECTED = [
    ("doc-3", "3-spaced", "exact"),
    ("doc-7", "7-a", "near"),
    ("doc-7", "7-b", "near"),
    ("7-a", "7-b", "near"),
    ("doc-11", "11-copy", "exact"),
    ("short", "short-copy", "exact"),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("pairs") / "docs.jsonl", collection())


def test_pairs_of_a_source(source: Path) -> None:
    done = run("pairs", source)
    pairs = [json.loads(line) for line in done.stdout.splitlines()]

    assert [(p["a"], p["b"], p["kind"]) for p in pairs] == EXPECTED
    assert all(p["similarity"] == 1.0 for p in pairs if p["kind"] == "exact")
    assert all(0.8 < p["similarity"] < 1.0 for p in pairs if p["kind"] == "near")
    assert done.returncode == 0
    assert done.stderr == (
        "67 read, 67 compared, 0 skipped; 64 different texts\n3 documents have fewer than 5 words: "
        "near-duplicates of such a text are those with the same words in the same order\n"
    )
    assert run("pairs", source, "--json").stdout == done.stdout


def test_csv(source: Path) -> None:
    rows = list(csv.reader(io.StringIO(run("pairs", source, "--csv").stdout)))
    assert rows[0] == ["a", "b", "similarity", "kind"]
    assert [(a, b, kind) for a, b, _, kind in rows[1:]] == EXPECTED
    assert run("pairs", source, "--csv", "--clusters", "--min-similarity", "1").stdout.splitlines()[
        :3
    ] == [
        "cluster,id",
        "1,doc-3",
        "1,3-spaced",
    ]


def test_clusters_of_a_source(source: Path) -> None:
    lines = [json.loads(line) for line in run("pairs", source, "--clusters").stdout.splitlines()]
    assert lines == [
        {"cluster": 1, "size": 2, "documents": ["doc-3", "3-spaced"]},
        {"cluster": 2, "size": 3, "documents": ["doc-7", "7-a", "7-b"]},
        {"cluster": 3, "size": 2, "documents": ["doc-11", "11-copy"]},
        {"cluster": 4, "size": 2, "documents": ["short", "short-copy"]},
    ]


def test_pairs_of_a_file_without_its_texts(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "docs.pocket"
    build([str(source)], target, Settings(profile="learn"))
    refused = run("pairs", target)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        f"pocketindex: {target} keeps no texts, and --measure jaccard counts the word 5-grams of "
        "texts; give the sources, or a file built with --keep text, or --measure cosine, which its "
        "sketches tell\n"
    )

    done = run("pairs", target, "--measure", "cosine")
    pairs = [json.loads(line) for line in done.stdout.splitlines()]

    assert {(p["a"], p["b"]) for p in pairs} >= {
        ("doc-7", "7-a"),
        ("doc-7", "7-b"),
        ("doc-11", "11-copy"),
    }
    # Equal sketches, but not the same bytes.
    assert [
        (p["similarity"], p["kind"]) for p in pairs if (p["a"], p["b"]) == ("doc-3", "3-spaced")
    ] == [(0.9999, "near")]
    assert [
        (p["similarity"], p["kind"]) for p in pairs if (p["a"], p["b"]) == ("doc-11", "11-copy")
    ] == [(1.0, "exact")]
    assert done.stderr == (
        "67 documents compared by their sketches: similarities are estimates.\n"
        "Expected share of pairs listed, by cosine: 9% at 0.70, 48% at 0.80, 84% at 0.85, 100% at "
        "0.90.\n"
        "--min-similarity 0.69 lists 0.95 of those at 0.8, and more that are below it. "
        "Similarities are exact from the sources, or from a "
        "file built with --keep text.\n"
    )


def test_what_to_expect_is_what_sketches_tell() -> None:
    """Of pairs of Gaussians at a cosine, by the signs of both, less luck."""
    chance, documents = np.random.default_rng(2008), 100_000
    for bits in (96, 128, 168):
        for cosine in (0.7, 0.8, 0.87):
            own = chance.standard_normal((20_000, bits))
            other = cosine * own + sqrt(1 - cosine**2) * chance.standard_normal((20_000, bits))
            told = np.cos(np.pi * ((own > 0) != (other > 0)).mean(1))
            told -= 0.27222 * documents.bit_length() * (1 - told**2) ** 1.5 / bits
            assert listed(cosine, 0.8, bits, documents) == pytest.approx(
                (told >= 0.8).mean(), abs=0.05
            )
    assert (listed(1.0, 0.8, 128, documents), listed(0.5, 0.8, 128, documents) < 0.01) == (
        1.0,
        True,
    )


def test_a_file_that_keeps_its_texts_is_compared_by_them(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "docs.pocket"
    build([str(source)], target, Settings(profile="learn", keep="text"))
    with pocketindex.open(target) as index:
        kept = {index.record(number).id for number in range(len(index))}
    expected = [
        line
        for line in run("pairs", source).stdout.splitlines()
        if kept >= {json.loads(line)["a"], json.loads(line)["b"]}
    ]
    done = run("pairs", target)

    assert (done.returncode, done.stdout.splitlines()) == (0, expected)
    assert done.stderr.startswith("67 read, 67 compared, 0 skipped; ")


def test_more_are_asked_for_where_there_are_more(tmp_path: Path) -> None:
    """Of 600 documents all are alike: no pair is missing, though few are asked for at first."""
    text, count = made_up(1)[0]["text"], 600
    documents = [{"id": str(i), "text": f"{text} {i}"} for i in range(count)]
    target = tmp_path / "alike.pocket"
    build([str(write(tmp_path / "d.jsonl", documents))], target, Settings(profile="learn"))
    with pocketindex.open(target) as index:
        assert sum(1 for _ in sketch_pairs(index, 0.8)) == count * (count - 1) // 2
        assert len(of_document(index, 0, 0, 0.8)) == count - 1


def test_none_found_and_wrong_arguments(source: Path, pocket: Path, tmp_path: Path) -> None:
    done = run("pairs", write(tmp_path / "different.jsonl", list(made_up(20))))
    assert (done.returncode, done.stdout) == (1, "")
    for arguments, message in (
        (
            (source, "--min-similarity", "0"),
            "--min-similarity is 0; it must be above 0, at most 1",
        ),
        ((source, "--probes", "70000"), "--probes is 70000; it must be between 1 and 65536"),
        (
            (source, "--probes", "70"),
            "--probes is of sketches, which --measure jaccard does not use; omit it, or give "
            "--measure cosine",
        ),
        (
            (pocket, source),
            f"{pocket} is a pocket file: give one pocket file, or the sources of a collection",
        ),
        ((tmp_path / "none.jsonl",), f"{tmp_path / 'none.jsonl'}: there is no such file or folder"),
    ):
        done = run("pairs", *arguments)
        assert done.returncode == 2, arguments
        assert done.stderr.startswith(f"pocketindex: {message}"), done.stderr


def test_a_single_text_is_no_plural(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"id": "1", "text": "some words of a document that is alone here"}\n')
    assert "1 compared, 0 skipped; 1 different text\n" in run("pairs", source).stderr


def test_bad_records_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "d.jsonl", list(made_up(3)))
    path.write_text(path.read_text() + 'no json\n{"id": 5}\n')
    done = run("pairs", path)
    assert done.stderr.splitlines()[0] == "5 read, 3 compared, 2 skipped; 3 different texts"
    assert f"{path}:4: not JSON" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX")
def test_a_reader_that_has_seen_enough_leaves_no_files(source: Path, tmp_path: Path) -> None:
    many = write(
        tmp_path / "same.jsonl", [{"id": i, "text": made_up(1)[0]["text"]} for i in range(300)]
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "pocketindex", "pairs", str(many)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    assert process.stdout is not None
    assert json.loads(process.stdout.readline()) == {
        "a": "0",
        "b": "1",
        "similarity": 1.0,
        "kind": "exact",
    }
    process.stdout.close()

    assert process.wait(timeout=20) == -signal.SIGPIPE
    assert list(scratch.iterdir()) == []


@given(
    st.integers(2, 40).flatmap(
        lambda n: st.tuples(
            st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)))
        )
    )
)
def test_clusters_are_a_partition(given_: tuple[int, list[tuple[int, int]]]) -> None:
    count, joined = given_
    pairs = [Pair(min(a, b), max(a, b), 1.0, False) for a, b in joined if a != b]
    found = clusters(count, pairs)

    flat = [document for cluster in found for document in cluster]
    assert len(flat) == len(set(flat))
    assert all(len(cluster) > 1 and cluster == sorted(cluster) for cluster in found)
    assert [cluster[0] for cluster in found] == sorted(cluster[0] for cluster in found)
    # The closure of the pairs, the slow way.
    reach = np.eye(count, dtype=bool)
    for a, b, *_ in pairs:
        reach[a, b] = reach[b, a] = True
    for _ in range(count):
        reach |= reach @ reach
    own = {document: number for number, cluster in enumerate(found) for document in cluster}
    for a, b in combinations(range(count), 2):
        assert reach[a, b] == (a in own and own.get(a) == own.get(b))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text("ab 12", min_size=0, max_size=30), min_size=1, max_size=8))
def test_similarities_are_exact(texts: list[str]) -> None:
    # Words of one character are words, too: here characters are made longer ones.
    texts = [" ".join(character * 3 for character in text if character != " ") for text in texts]
    counts = [Counter(text.split()) for text in texts]
    frequency = {term: sum(term in own for own in counts) for own in counts for term in own}
    idf = {term: int(16 * log2(LEAST_TEXTS / count)) for term, count in frequency.items()}

    def cosine(a: dict[str, int], b: dict[str, int]) -> float:
        lengths = sqrt(sum(v * v for v in a.values())) * sqrt(sum(v * v for v in b.values()))
        return sum(a[t] * b.get(t, 0) for t in a) / lengths if lengths else 0

    plain = [{term: count * idf[term] for term, count in own.items()} for own in counts]
    logarithmic = [
        {term: round(16 * (1 + log(count))) * idf[term] for term, count in own.items()}
        for own in counts
    ]
    with tempfile.TemporaryDirectory() as folder:
        vectors = Vectors(Path(folder))
        vectors.add([text.encode() for text in texts[:3]])
        vectors.add([text.encode() for text in texts[3:]])
        vectors.finish()
        for i in range(len(texts)):
            cosines = [
                (cosine(plain[i], plain[j]), cosine(logarithmic[i], logarithmic[j]))
                for j in range(len(texts))
            ]
            expected = [min(first, second + ALOFT) for first, second in cosines]
            firsts, seconds = np.full(len(texts), i), np.arange(len(texts))
            assert vectors.similarities(firsts, seconds) == pytest.approx(expected, abs=6e-5)
            assert vectors.similarities(seconds, firsts) == pytest.approx(expected, abs=6e-5)
        vectors.close()


def test_counts_are_damped() -> None:
    counts = np.array([*range(1, 5_000), 10_000, 3_000_000, 1 << 30], np.uint32)
    rows = TextRows(np.arange(len(counts) + 1), np.zeros(len(counts), np.uint32), counts)
    each = np.arange(len(counts))
    plain, capped = Similarities(np.ones(1, np.uint16), rows)._products(each, each * 0)

    assert plain.tolist() == counts.tolist()  # with a text that has the term once
    assert capped.tolist() == [16 * min(round(16 * (1 + log(count))), 255) for count in counts]


def test_every_word_is_a_term() -> None:
    text = "Net 1,699,124 vs ٣٤ in 2020年度 — a_1 ___ ½ x²".encode()
    assert terms_of(text, EVERY_WORD) == [
        "net",
        "1",
        "699",
        "124",
        "vs",
        "٣٤",
        "in",
        "2020",
        "年度",
        "a_1",
        "___",
        "1",
        "2",
        "x2",
    ]
    assert terms_of(text, FOLDED) == ["net", "vs", "in", "年度", "a_1", "x2"]


def test_sketches_propose_three_deviations_below_the_threshold() -> None:
    chance = np.random.default_rng(2007)
    for cosine in (0.0, 0.4, 0.8, 0.9):
        own = chance.standard_normal((4_000, 128))
        other = cosine * own + sqrt(1 - cosine**2) * chance.standard_normal((4_000, 128))
        told = (np.abs(own) * np.sign(own * other)).sum(1) / np.abs(own).sum(1)
        assert told.mean() == pytest.approx(cosine, abs=0.01)
        assert told.std() == pytest.approx(doubt(cosine), rel=0.05)
    assert [proposed_from(least) for least in (1.0, 0.9, 0.8, 0.5, 0.1)] == [
        0.8,
        0.64,
        0.5,
        0.1,
        0.0,
    ]


def test_patterns_and_fields_of_other_names(source: Path, tmp_path: Path) -> None:
    documents = [json.loads(line) for line in source.read_text().splitlines()]
    for name, some in (("a.csv", documents[:30]), ("b.csv", documents[30:])):
        with (tmp_path / name).open("w", newline="") as file:
            csv.writer(file).writerows([("key", "body"), *((d["id"], d["text"]) for d in some)])
    done = run("pairs", tmp_path / "?.csv", "--id", "key", "--text", "body")
    assert (done.returncode, done.stdout) == (0, run("pairs", source).stdout), done.stderr


def test_a_pocket_file_that_is_missing_is_known_by_its_name(source: Path, tmp_path: Path) -> None:
    missing, other = tmp_path / "missing.pocket", tmp_path / "missing.jsonl"
    done = run("pairs", missing, source)
    assert (done.returncode, done.stderr) == (
        2,
        f"pocketindex: {missing} is a pocket file: give one pocket file, or the sources of a "
        "collection\n",
    )
    assert run("pairs", other, source).stderr.startswith(
        f"pocketindex: {other}: there is no such file or folder"
    )
