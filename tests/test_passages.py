"""Runs of words looked for in the documents themselves: pocketindex check --source."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from near_duplicates import without, write
from pocketindex.builder import Settings, build
from pocketindex.builder.document import Document
from pocketindex.builder.duplicates import passages
from pocketindex.builder.duplicates.passages import RUN, Passages
from test_cli import run

WORDS = "basket candle lantern meadow orchard pebble quarry raven"


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Documents of ten of the made-up ones each, and the file that is built from them."""
    folder = tmp_path_factory.mktemp("train")
    texts = [d["text"] for d in made_up(300)]
    documents = [{"id": f"d{i}", "title": f"Ten {i}", "text": "\n\n".join(texts[10 * i : 10 * i + 10])} for i in range(30)]
    source, target = write(folder / "d.jsonl", documents), folder / "train.pocket"
    build([str(source)], target, Settings(profile="learn"))
    return source, target


def test_a_paragraph_of_a_document_is_found(train: tuple[Path, Path], tmp_path: Path) -> None:
    source, target = train
    texts = [d["text"] for d in made_up(400)]
    items = [
        {"id": "hidden", "text": texts[37]},
        {"id": "edited", "text": without(texts[121], 25)},
        {"id": "foreign", "text": texts[350]},
        {"id": "whole", "text": "\n\n".join(texts[50:60])},
        {"id": "tiny", "text": "basket candle"},
    ]
    testset = write(tmp_path / "test.jsonl", list(items))
    before = [json.loads(line)["verdict"] for line in run("check", testset, target, "--json").stdout.splitlines()]
    assert before == ["clean", "clean", "clean", "exact", "too short"]

    done = run("check", testset, target, "--json", "--source", source, "--min-shared", ".5")
    found = {f["id"]: f for f in map(json.loads, done.stdout.splitlines())}
    assert [f["verdict"] for f in found.values()] == ["shared", "shared", "clean", "exact", "too short"]
    assert found["hidden"]["evidence"] == [{"kind": "shared", "id": "d3", "title": "Ten 3", "url": "", "file": str(source), "shared": 1.0}]
    (edited,) = found["edited"]["evidence"]
    runs = len(texts[121].split()) - 1 - RUN + 1
    assert (edited["id"], edited["shared"]) == ("d12", round((runs - RUN + 1) / runs, 4))
    assert [one["kind"] for one in found["whole"]["evidence"]] == ["exact", "shared"]
    assert done.returncode == 0
    assert "  shared            2    40.0 %" in done.stderr.splitlines()

    done = run("check", testset, target, "--source", source, "--min-shared", "1")
    assert done.stdout.splitlines()[0] == f"shared  1.000  hidden  in  Ten 3  <d3>  [{source}]"
    assert "edited" not in done.stdout


def test_what_cannot_be_looked_into(train: tuple[Path, Path], tmp_path: Path) -> None:
    source, target = train
    testset = write(tmp_path / "test.jsonl", [{"text": made_up(8)[7]["text"]}])
    for arguments, message in (
        (("--source", tmp_path / "none.jsonl"), f"{tmp_path / 'none.jsonl'}: "),
        (("--source", source, "--min-shared", "0"), "--min-shared is 0.0; expected above 0, at most 1"),
    ):
        done = run("check", testset, target, *arguments)
        assert (done.returncode, done.stderr.startswith(f"pocketindex: {message}")) == (2, True), done.stderr

    more = tmp_path / "more.jsonl"
    more.write_text("no json\n" + source.read_text())
    done = run("check", testset, target, "--source", more)
    assert done.returncode == 0
    assert f"pocketindex: {more}: 1 records were no document and were not looked into" in done.stderr.splitlines()
    assert run("check", testset, target, "--source", tmp_path / "mor?.jsonl").stdout == done.stdout

    renamed = tmp_path / "renamed.jsonl"
    renamed.write_text("".join(json.dumps({"question": json.loads(line)["text"]}) + "\n" for line in testset.read_text().splitlines()))
    assert (
        run("check", renamed, target, "--text", "question").stdout.splitlines()[-5:]
        == run("check", testset, target).stdout.splitlines()[-5:]
    )
    done = run("check", renamed, target)
    assert (done.returncode, "name it with --text FIELD" in done.stderr) == (2, True)


def runs(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


TEXTS = st.lists(st.lists(st.sampled_from(WORDS.split()[:3]), max_size=40).map(" ".join), max_size=6)


@settings(deadline=None)
@given(TEXTS, TEXTS, st.sampled_from([0.01, 0.3, 1.0]), st.integers(1, 4), st.sampled_from([1, 50, 1 << 22]))
def test_the_same_as_by_sets(items: list[str], texts: list[str], least: float, top: int, batch: int) -> None:
    """Every share is what comparing all runs of words would give, the best first and then the first."""
    before, passages.BATCH = passages.BATCH, batch
    try:
        found = Passages(items, least, top)
        documents = [Document(str(i), str(i), text) for i, text in enumerate(texts) if text]
        found.look(documents[:2], "a")
        found.look(documents[2:], "b")
    finally:
        passages.BATCH = before
    for item, own in zip(items, found.found, strict=True):
        wanted = runs(item)
        shares = [(len(wanted & runs(d.text)) / len(wanted), d.id) for d in documents] if wanted else []
        expected = sorted([share for share in shares if share[0] >= least], key=lambda share: -share[0])[:top]
        assert [(one.share, one.id) for one in own] == expected


def test_case_accents_and_marks_do_not_count() -> None:
    chance = random.Random(1)
    text = " ".join(chance.choices(WORDS.split(), k=30))
    found = Passages([text.upper(), text.replace(" ", ", "), text.replace("e", "é"), "one two"], 0.9, 1)
    found.look([Document("d", "d", f"before. {text}! After")], "s")
    assert [[one.share for one in own] for own in found.found] == [[1.0], [1.0], [1.0], []]
