"""pairs, dedup and check of Python: what the command finds, as rows and tables."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pocketindex
import pyarrow
import pytest
from made_up import made_up
from near_duplicates import collection
from run_command import run

DOCUMENTS = collection()
LEFT_OUT = [{"id": "none"}, *DOCUMENTS]  # the first record is no document


def command(folder: Path, *arguments: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        ran = run(*arguments)
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "d.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in DOCUMENTS))
    return path


def test_pairs_are_those_of_the_command(source: Path) -> None:
    lines = command(source.parent, "pairs", "d.jsonl").splitlines()
    expected = [tuple(json.loads(line).values()) for line in lines]

    found = pocketindex.pairs(DOCUMENTS)

    assert len(expected) > 4
    assert [(pair.a, pair.b, pair.similarity, pair.kind) for pair in found] == expected
    assert [DOCUMENTS[pair.a_number]["id"] for pair in found] == [pair.a for pair in found]
    assert [DOCUMENTS[pair.b_number]["id"] for pair in found] == [pair.b for pair in found]
    assert found.numbers.tolist() == [[pair.a_number, pair.b_number] for pair in found]
    assert list(pocketindex.pairs(source)) == list(found)


def test_clusters_are_those_of_the_command(source: Path) -> None:
    lines = command(source.parent, "pairs", "d.jsonl", "--clusters").splitlines()
    expected = [json.loads(line)["documents"] for line in lines]

    found = pocketindex.pairs(DOCUMENTS).clusters()

    assert [[DOCUMENTS[number]["id"] for number in group] for group in found] == expected


@pytest.mark.parametrize("keep", ["none", "text"])
def test_pairs_of_a_file(keep: str, tmp_path: Path) -> None:
    path = tmp_path / "d.pocket"
    pocketindex.build(DOCUMENTS, path, keep=keep, progress=False)

    measure = "jaccard" if keep == "text" else "cosine"  # its sketches tell nothing else
    found = pocketindex.pairs(path, measure=measure)

    assert {(pair.a, pair.b) for pair in found} >= {("doc-3", "3-spaced"), ("doc-11", "11-copy")}
    with pocketindex.open(path) as index:
        assert list(pocketindex.pairs(index, measure=measure)) == list(found)
        assert index.record(found[0].b_number).id == found[0].b


@pytest.mark.parametrize("keep", ["first", "longest", "newest"])
def test_dedup_keeps_what_the_command_keeps(keep: str, source: Path) -> None:
    date = ["--date", "date"] if keep == "newest" else []
    command(source.parent, "dedup", "d.jsonl", "-o", "o.jsonl", "--keep", keep, *date)
    expected = [json.loads(line)["id"] for line in (source.parent / "o.jsonl").open()]

    found = pocketindex.dedup(LEFT_OUT, keep=keep, date="date")

    assert 50 < len(expected) < len(DOCUMENTS)
    assert [LEFT_OUT[number]["id"] for number in found.kept] == expected
    assert np.flatnonzero(found.mask).tolist() == found.kept
    assert len(found.mask) == len(LEFT_OUT)
    assert not found.mask[0]
    assert len(found) == len(DOCUMENTS) - len(expected)
    for one in found:
        assert LEFT_OUT[one.number]["id"] == one.id
        assert LEFT_OUT[one.kept_number]["id"] == one.kept
        assert found.mask[one.kept_number]
    assert found.report.skipped == {"no text": 1}


def test_check_finds_what_the_command_finds(source: Path) -> None:
    folder = source.parent
    items = [made_up(9)[8], {"text": "Nobody wrote this. " * 20}, {"id": "q", "text": "word"}]
    (folder / "t.jsonl").write_text("".join(json.dumps(one) + "\n" for one in items))
    pocketindex.build(source, folder / "d.pocket", progress=False)
    lines = command(folder, "check", "d.pocket", "t.jsonl", "--json", "--source", "d.jsonl")
    expected = list(map(json.loads, lines.splitlines()))

    found = pocketindex.check(folder / "d.pocket", iter(items), source=DOCUMENTS)

    assert [one.verdict for one in found] == ["copy", "not found", "not found"]
    assert [one.verdict for one in found] == [one["verdict"] for one in expected]
    assert [list(one.looked) for one in found] == [one["looked"] for one in expected]
    assert [one.evidence[0].id for one in found if one.evidence] == ["doc-8"]
    assert [(one.id, one.number) for one in found] == [("doc-8", 0), ("1", 1), ("q", 2)]
    assert found.counts() == {"copy": 1, "not found": 2}
    with pocketindex.open(folder / "d.pocket") as index:
        alone = pocketindex.check(index, items)
        assert [one.verdict for one in alone] == ["copy", "not found", "not found"]
        assert len(index.query(items[0]["text"])) == 1  # it is still open


def test_tables(tmp_path: Path) -> None:
    pocketindex.build(DOCUMENTS, tmp_path / "d.pocket", progress=False)
    pairs, gone = pocketindex.pairs(DOCUMENTS), pocketindex.dedup(DOCUMENTS)
    findings = pocketindex.check([tmp_path / "d.pocket"], DOCUMENTS[:3])
    for rows in (pairs, gone, findings):
        table = rows.to_arrow()
        assert isinstance(table, pyarrow.Table)
        assert table.column_names == [field.name for field in fields(rows[0])]
        assert table.num_rows == len(rows) > 2
    assert pairs.to_arrow().column("similarity").to_pylist() == [pair.similarity for pair in pairs]
    evidence = findings.to_arrow().column("evidence").to_pylist()
    assert [some[0]["id"] for some in evidence] == [one["id"] for one in DOCUMENTS[:3]]
    assert list(pairs[1:3]) == list(pairs)[1:3]
    assert pairs[-1] == list(pairs)[-1]


def test_nothing_found_is_an_empty_table() -> None:
    for rows in pocketindex.pairs(made_up(5)), pocketindex.dedup(made_up(5)):
        assert list(rows) == []
        assert rows.to_arrow().num_rows == 0
    assert pocketindex.pairs([]).numbers.shape == (0, 2)
    assert pocketindex.dedup([]).mask.tolist() == []


def test_a_notebook_shows_no_markup_of_documents() -> None:
    texts = {f"<b>{number}</b>": made_up(1)[0]["text"] for number in range(13)}

    shown = pocketindex.dedup(texts.items())._repr_html_()

    assert "<b>" not in shown
    assert "&lt;b&gt;0&lt;/b&gt;" in shown
    assert "<p>1 of 13 documents kept, 12 dropped</p>" in shown
    assert "and 2 more" in shown
    assert len(shown) < 4_000


def test_a_pair_of_numbers_says_what_it_is() -> None:
    assert repr(pocketindex.pairs(made_up(3))) == "<Pairs: 0 pairs among 3 documents>"


def test_a_bar_where_it_is_wanted(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    with caplog.at_level("DEBUG", "pocketindex"):
        pocketindex.build(DOCUMENTS, tmp_path / "d.pocket", progress=True)
    shown = capsys.readouterr().err

    assert "\rreading" in shown
    assert "\rsketching  [" in shown
    assert shown.endswith("\r")
    assert {"reading", "sketching"} <= {record.message for record in caplog.records}

    pocketindex.build(DOCUMENTS, tmp_path / "d.pocket", progress=False)
    pocketindex.build(DOCUMENTS, tmp_path / "d.pocket")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("function", "choices", "message"),
    [
        (pocketindex.pairs, {"min_similarity": 0}, "min_similarity is 0; it must be above 0"),
        (pocketindex.pairs, {"probes": 0}, "probes is 0; it must be between 1 and 65536"),
        (pocketindex.dedup, {"keep": "last"}, "keep is 'last'; it must be one of first, longest"),
        (pocketindex.dedup, {"keep": "newest"}, "no document has a date; name the field"),
    ],
)
def test_values_that_are_none(function: Any, choices: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(DOCUMENTS, **choices)
    with pytest.raises(TypeError, match="there is no choice 'shape'"):
        function(DOCUMENTS, shape="small")
