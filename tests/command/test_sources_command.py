"""pocketindex sources."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pocketindex.builder import Settings, build
from pocketindex.cli import main
from test_passage_sources import TEXTS, essay, made

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def pocket(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("sources") / "a.pocket")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "essay.txt"
    path.write_text(essay())
    return path


def test_shown_for_people(pocket: Path, text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sources", str(pocket), str(text)]) == 0

    out, said = capsys.readouterr()
    assert re.match(r"  1\.   \d\d% of the text  Title d(7|31)  <d(7|31)>\n       \d+-\d+  ", out)
    assert re.fullmatch(r"\d\d% of this text is in 2 documents\n", said)


def test_json(pocket: Path, text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sources", str(pocket), str(text), "--json", "--top", "5"]) == 0

    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["rank"] for row in rows] == [1, 2]
    assert {row["id"] for row in rows} == {"d7", "d31"}
    for row in rows:
        assert set(row) == {
            "rank", "id", "title", "url", "coverage", "added", "passages", "file", "verified",
            "phrases_only", "text_coverage", "sources",
        }  # fmt: skip
        assert all(0 <= start < end <= len(essay()) for start, end in row["passages"])


def test_nothing_found(pocket: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.txt"
    path.write_text("words that nobody has written before in this order, and there are ten more")
    assert main(["sources", str(pocket), str(path)]) == 1

    out, said = capsys.readouterr()
    assert out == ""
    assert said == "no passage of this text (14 words) is in the collection\n"


def test_a_report_is_one_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, report = tmp_path / "a.jsonl", tmp_path / "report.html"
    rows = [
        {"id": key, "title": HOSTILE, "text": text, "url": "javascript:alert(1)"}
        for key, text in TEXTS.items()
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    build([source], tmp_path / "a.pocket", Settings(index=("documents", "passages")))
    (tmp_path / "essay.txt").write_text(f"{HOSTILE} {essay()}")
    command = ["sources", str(tmp_path / "a.pocket"), str(tmp_path / "essay.txt")]
    assert main([*command, "--html", str(report)]) == 0

    page = report.read_text()
    assert "<script" not in page
    assert "javascript:" not in page
    assert page.count('id="source-') == 2
    assert page.count('<mark class="s0">') == 2  # in the text, and in the list
    assert not re.search(r'(?:src|href)="(?!#)', page)


def test_a_file_without_passages(
    tmp_path: Path, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(tmp_path / "plain.pocket", index=("documents",))
    assert main(["sources", str(path), str(text)]) == 2

    assert "build it with --index documents,passages" in capsys.readouterr().err


def test_a_report_does_not_take_the_place_of_a_pocket_file(
    pocket: Path, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sources", str(pocket), str(text), "--html", str(pocket)]) == 2

    assert "would replace" in capsys.readouterr().err


def test_check_names_hidden_passages(
    pocket: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = " ".join(f"word{i}" for i in range(500))
    hidden = " ".join(TEXTS["d9"].split()[60:120])
    items = [
        {"id": "copy", "text": TEXTS["d3"]},
        {"id": "hidden", "text": f"{own} {hidden} {own}"},
        {"id": "own", "text": own},
    ]
    testset = tmp_path / "test.jsonl"
    testset.write_text("".join(json.dumps(item) + "\n" for item in items))
    assert main(["check", str(pocket), str(testset), "--json"]) == 0

    found = {row["id"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert {key: row["verdict"] for key, row in found.items()} == {
        "copy": "copy",
        "hidden": "passage",
        "own": "not found",
    }
    assert "passages" in found["hidden"]["looked"]
    assert "d9" in {one["id"] for one in found["hidden"]["evidence"]}
    assert 0.03 < found["hidden"]["coverage"] < 0.2
