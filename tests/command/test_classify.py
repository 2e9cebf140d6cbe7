"""pocketindex classify."""

from __future__ import annotations

import io
import json
import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pocketindex.builder import Settings
from pocketindex.cli import main
from test_classification import CHOSEN, documents, file, text


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return file(tmp_path_factory.mktemp("classify") / "a.pocket", documents(30, 1))


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    (tmp_path / "letter.txt").write_text(text("sea", random.Random(1)))
    return tmp_path / "letter.txt"


def ask(*arguments: object) -> int:
    return main(["classify", *map(str, arguments)])


def test_a_document(path: Path, letter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(path, letter) == 0
    captured = capsys.readouterr()
    assert captured.err == (
        "pocketindex: note: not every file has words, so sketches decide, which are wrong more "
        "often; build with --index documents,words\n"
    )
    first, *rest = captured.out.splitlines()
    assert first.startswith(f"{letter}: sea ")
    assert first.endswith("%")
    assert "(sea)" in rest[-1]


def test_documents_as_json(path: Path, letter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strange = letter.with_name("strange.txt")
    strange.write_text("nothing of this was ever said in any of those documents at all")
    assert ask(path, letter, strange, "--json") == 0
    one, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert (one["id"], one["verdict"]) == (str(letter), "clear")
    assert [own["label"] for own in one["labels"]] == ["sea"]
    assert one["labels"][0]["share"] == one["shares"][0]["share"] > 0.5
    assert len(one["evidence"]) == 20
    assert one["by"] == "sketches"
    assert set(one["evidence"][0]) == {"id", "title", "similarity", "labels"}
    assert one["evidence"][0]["labels"] == ["sea"]
    assert (other["verdict"], other["labels"]) == ("too little evidence", [])
    assert other["reason"] == "no similar document"


def test_a_file_with_words(path: Path, letter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    worded = replace(CHOSEN, index=("documents", "words"))
    target = file(letter.with_name("words.pocket"), documents(30, 2), worded)
    assert ask(target, letter, "--json") == 0
    captured = capsys.readouterr()
    one = json.loads(captured.out)
    assert (one["by"], one["labels"][0]["label"], captured.err) == ("words", "sea", "")
    assert set(one["evidence"][0]) == {"id", "title", "score", "labels"}
    assert ask(target, letter) == 0
    best = one["evidence"][0]
    assert f"       {best['score']:.1f}  {best['id']}  (sea)\n" in capsys.readouterr().out
    assert ask(target, letter, "--by", "sketches", "--json") == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["by"] == "sketches"
    assert captured.err == ""  # it was asked for
    assert ask(path, target, letter) == 0
    assert "so sketches decide" in capsys.readouterr().err
    assert ask(path, letter, "--by", "words") == 2


def test_a_file_without_labels_is_the_only_thing_said(
    path: Path, letter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = file(letter.with_name("bare.pocket"), documents(10, 3), Settings())
    for asked in ([bare, letter], [path, bare, letter, "--by", "sketches"]):
        assert ask(*asked) == 2
        assert capsys.readouterr() == (
            "",
            f"pocketindex: {bare}: expected documents with labels, found none; build it with "
            "--label FIELD\n",
        )


def test_nothing_found(path: Path, letter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    letter.write_text("nothing of this was ever said in any of those documents at all")
    assert ask(path, letter) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"{letter}: too little evidence: no similar document\n")


def test_standard_input(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = text("sky", random.Random(2)).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert ask(path, "-") == 0
    assert capsys.readouterr().out.startswith("-: sky ")


def test_several_files_say_theirs(
    path: Path, letter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = file(letter.with_name("other.pocket"), documents(30, 5))
    assert ask(path, other, letter, "--json", "--top", 10) == 0
    found = json.loads(capsys.readouterr().out)
    assert {own["file"] for own in found["evidence"]} <= {str(path), str(other)}
    assert len(found["evidence"]) == 10


def test_a_batch(path: Path, letter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    batch = letter.with_name("batch.jsonl")
    rows = [{"id": "x", "text": letter.read_text()}, {"id": "y"}, {"text": "ship"}]
    batch.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert ask(path, "--batch", batch) == 2
    captured = capsys.readouterr()
    one, bad, short = map(json.loads, captured.out.splitlines())
    assert (one["id"], one["labels"][0]["label"]) == ("x", "sea")
    expected = 'no text: no field "text" among "id"; name the field that has the text with --text'
    assert bad["error"] == f"{batch}:2: {expected} FIELD"
    assert (short["id"], short["verdict"]) == ("3", "too little evidence")
    assert f"{batch}: 1 record was no document" in captured.err


def test_evaluate(path: Path, letter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    split = letter.with_name("split.jsonl")
    rows = [*documents(10, 99), {"id": "none", "text": letter.read_text()}]
    split.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert ask(path, "--evaluate", split, "--label", "topic", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["documents"], found["labels"]) == (30, 3)
    assert found["right"] == 30
    assert found["accuracy"] == found["macro_f1"] == found["micro_f1"] == 1.0
    assert found["interval"][0] == pytest.approx(0.8865, abs=1e-4)
    assert ask(path, "--evaluate", split, "--label", "topic") == 0
    out = capsys.readouterr().out
    assert out.startswith("30 documents with 3 labels\n  accuracy   1.000 (95 %: 0.886 to 1.000)")
    assert "micro-F1" not in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["letter.txt"], "expected a FILE.pocket that was built with --label, found none"),
        (["FILE"], "--batch DOCS or --evaluate SPLIT; found none of them"),
        (["FILE", "letter.txt", "--batch", "x"], "found more than one of them"),
        (["FILE", "--evaluate", "x"], "--evaluate needs --label FIELD, which has the right labels"),
        (["FILE", "letter.txt", "--label", "x"], "--label goes with --evaluate"),
        (["FILE", "letter.txt", "--top", "0"], "top is 0; it must be at least 1"),
        (["FILE", "nowhere.txt"], "nowhere.txt: No such file or directory"),
    ],
)
def test_errors(
    arguments: list[str],
    said: str,
    path: Path,
    letter: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(letter.parent)
    assert ask(*[str(path) if one == "FILE" else one for one in arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_split_without_labels(
    path: Path, letter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    split = letter.with_name("split.jsonl")
    split.write_text(json.dumps({"id": "1", "text": "ship"}) + "\n")
    assert ask(path, "--evaluate", split, "--label", "topics") == 2
    said = 'expected documents with labels in the field "topics", found none; correct --label'
    assert said in capsys.readouterr().err
