"""Several pocket files asked as one."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from pocketindex.builder import Settings, build
from run_command import run


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two files: documents 0 .. 149, and 100 .. 299 in another scheme."""
    folder = tmp_path_factory.mktemp("halves")
    targets = folder / "a.pocket", folder / "b.pocket"
    for target, documents, scheme in (
        (targets[0], made_up(300)[:150], "rff"),
        (targets[1], made_up(300)[100:], "minhash"),
    ):
        source = folder / "d.jsonl"
        source.write_text("".join(json.dumps(d) + "\n" for d in documents))
        build([str(source)], target, Settings(scheme=scheme, profile="learn"))
    return targets


def test_hits_are_those_of_each_file_merged(halves: tuple[Path, Path]) -> None:
    with (
        pocketindex.open_many(halves) as many,
        pocketindex.open(halves[0]) as a,
        pocketindex.open(halves[1]) as b,
    ):
        assert len(many) == 350
        for i in (3, 120, 250):
            text = " ".join(made_up(300)[i]["text"].split()[2:])
            hits = many.query(text, top=12, min_similarity=0)
            each = [
                (-h.similarity, file, h.number, h.id)
                for file, index in enumerate((a, b))
                for h in index.query(text, top=12, min_similarity=0)
            ]

            assert [(-h.similarity, h.file_number, h.number, h.id) for h in hits] == sorted(each)[
                :12
            ]
            assert {h.file for h in hits} <= set(map(str, halves))
            assert many.explain(text, hits[0]).agreement > 0.5


def test_numbers_are_those_of_the_hits(halves: tuple[Path, Path]) -> None:
    texts = [" ".join(made_up(300)[i]["text"].split()[2:]) for i in (3, 120, 250)]
    with pocketindex.open_many(halves) as many:
        files, numbers, similarities = many.query_many(
            [*texts, ""], top=12, numbers=True, min_similarity=0
        )
        for hits, *own in zip(
            many.query_many([*texts, ""], top=12, min_similarity=0),
            files.tolist(),
            numbers.tolist(),
            similarities.tolist(),
            strict=True,
        ):
            expected = [(hit.file_number, hit.number, hit.similarity) for hit in hits]
            assert list(zip(*own, strict=True)) == expected + [(-1, -1, 0)] * (12 - len(hits))


def test_hits_pickle_with_their_file(halves: tuple[Path, Path]) -> None:
    with pocketindex.open_many(halves) as many:
        hit = many.query(made_up(300)[120]["text"], top=2)[1]
        again = pickle.loads(pickle.dumps(hit))

    assert (again, again.file, again.file_number, again.id) == (hit, str(halves[1]), 1, "doc-120")
    assert repr(again) == repr(hit)
    assert repr(again).startswith("FileHit(id='doc-120', title=")


def test_equal_similarity_goes_to_the_earlier_file(halves: tuple[Path, Path]) -> None:
    text = made_up(300)[120]["text"]
    for order in (halves, halves[::-1]):
        with pocketindex.open_many(order) as many:
            assert [(h.id, h.similarity, h.file) for h in many.query(text, top=2)] == [
                ("doc-120", 1.0, str(path)) for path in order
            ]


def test_short_texts_and_no_files(halves: tuple[Path, Path]) -> None:
    with pocketindex.open_many(halves) as many:
        with pytest.raises(
            pocketindex.TextTooShort, match=r"the text has 2 terms .* give more text"
        ):
            many.query("basket candle")
        assert [
            hits.too_short for hits in many.query_many(["basket candle", made_up(1)[0]["text"]])
        ] == [True, False]
    with pytest.raises(ValueError, match="no pocket file is given"):
        pocketindex.open_many([])


def test_the_command_takes_several_files(halves: tuple[Path, Path], tmp_path: Path) -> None:
    a, b = halves
    draft = tmp_path / "draft.txt"
    draft.write_text(made_up(300)[120]["text"])
    shown = run("query", a, b, draft, "--top", "2").stdout.splitlines()
    assert shown == [
        f"{rank:3}  1.000  Document 120 — Übersicht  <doc-120>  [{path}]"
        for rank, path in ((1, a), (2, b))
    ]

    lines = [
        json.loads(line)
        for line in run("query", b, a, draft, "--top", "2", "--json").stdout.splitlines()
    ]
    assert [(line["rank"], line["file"]) for line in lines] == [(1, str(b)), (2, str(a))]

    batch = run("query", a, b, "--batch", "-", "--top", "1", stdin=json.dumps(made_up(300)[200]))
    assert json.loads(batch.stdout)["hits"][0]["file"] == str(b)
    assert "file" not in json.loads(run("query", a, draft, "--top", "1", "--json").stdout)


def test_the_document_is_the_last_argument(halves: tuple[Path, Path], tmp_path: Path) -> None:
    a, b = halves
    draft = tmp_path / "draft.txt"
    draft.write_text(made_up(300)[120]["text"])
    expected = "pocketindex: give a DOCUMENT (or - for standard input), or --batch DOCS"
    for arguments, message in (
        ((a,), expected),
        ((a, b), f"{expected}: the last argument, {b}, is a pocket file"),
        ((a, draft, "--batch", draft), f"{expected}, not both: {draft} is no pocket file"),
    ):
        done = run("query", *arguments)
        assert (done.returncode, done.stderr) == (2, message + "\n")
    done = run("query", draft, a, draft)
    assert done.returncode == 2
    assert done.stderr.startswith(f"pocketindex: {a} is an index and comes first: ")
    assert (
        run("query", a, tmp_path / "none.pocket", draft).stderr
        == f"pocketindex: {tmp_path / 'none.pocket'}: No such file or directory\n"
    )
