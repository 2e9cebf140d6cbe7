"""pocketindex sources."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

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
    assert said == (
        "no passage of this text (14 words) was found; "
        f"{pocket} was built without words, so sentences and short passages are not found there\n"
    )


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


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that keeps the texts, and has words and passages."""
    index = ("documents", "passages", "words")
    return made(tmp_path_factory.mktemp("whole") / "a.pocket", "text", index)


def asked(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> tuple[int, list[dict[str, Any]], str]:
    """Return the exit code, rows and what is said."""
    code = main(["sources", *map(str, arguments), "--json"])
    out, said = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines()], said


def test_a_row_says_how_it_is_known(
    whole: Path, pocket: Path, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, verified, _ = asked(capsys, whole, text)
    _, estimated, _ = asked(capsys, pocket, text)

    for row in verified:
        (common,) = row["common"]
        own = essay()[common["start"] : common["end"]]
        assert row["verified"]
        assert own == TEXTS[row["id"]][common["document_start"] : common["document_end"]]
        assert (common["edited"], common["documents"]) == (0, 1)
        assert row["passages"] == [[common["start"], common["end"]]]
    assert [("common" in row, row["verified"]) for row in estimated] == 2 * [(False, False)]


def test_the_whole_is_said_whatever_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "a.pocket"
    shared = " ".join(TEXTS["d1"].split()[:60])
    rows = [{"id": key, "text": f"{text}. {shared}."} for key, text in TEXTS.items()]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    index = ("documents", "passages", "words")
    build([source], target, Settings(index=index, keep="text"))
    (tmp_path / "t.txt").write_text(shared)
    code, rows, said = asked(capsys, target, tmp_path / "t.txt", "--top", "3")
    found = [row for row in rows if row["rank"]]

    assert (code, len(found)) == (0, 3)
    assert {str((row["text_coverage"], row["sources"])) for row in found} == {"(1.0, 60)"}
    assert said == "100% of this text is in 60 documents; the first 3 are shown\n"
    assert asked(capsys, target, tmp_path / "t.txt", "--top", "1")[2].endswith(
        "; the first is shown\n"
    )
    assert main(["sources", str(target), str(tmp_path / "t.txt"), "--top", "3"]) == 0
    assert ", in 60 documents  " in capsys.readouterr().out


def test_lines_show_twenty_sources_and_rows_a_hundred(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target, text = tmp_path / "a.jsonl", tmp_path / "a.pocket", tmp_path / "t.txt"
    sentences = [" ".join(f"word{number}x{place}" for place in range(9)) for number in range(102)]
    rows = [{"id": f"d{number}", "text": own} for number, own in enumerate(sentences)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    build([source], target, Settings(index=("documents", "passages", "words"), keep="text"))
    text.write_text(". ".join(sentences))

    assert main(["sources", str(target), str(text)]) == 0
    shown = capsys.readouterr()
    assert sum(" of the text" in line for line in shown.out.splitlines()) == 20
    assert shown.err == "100% of this text is in 102 documents; the first 20 are shown\n"
    assert len(asked(capsys, target, text)[1]) == 100
    assert len(asked(capsys, target, text, "--top", "101")[1]) == 101


def test_a_sentence_of_five_words_is_enough(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.txt").write_text(" ".join(TEXTS["d5"].split()[20:27]))
    code, found, said = asked(capsys, whole, tmp_path / "t.txt")

    assert (code, found[0]["id"], found[0]["phrases_only"]) == (0, "d5", True)
    assert said.endswith("; all passages that were found are shorter than 9 words\n")


def test_words_in_another_order_are_no_plain_no(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that keeps no texts cannot tell; one that keeps them can."""
    bare = made(tmp_path / "bare.pocket", "none", ("documents", "words"))
    words = TEXTS["d5"].split()[20:28]
    (tmp_path / "t.txt").write_text(" ".join([words[0], *words[:0:-1]]))
    code, found, said = asked(capsys, bare, tmp_path / "t.txt")

    assert (code, [row["rank"] for row in found]) == (0, [None])
    assert found[0]["words_only"] == [0, len(" ".join(words))]
    assert "but in an unknown order, because the file keeps no texts" in said
    code, found, said = asked(capsys, whole, tmp_path / "t.txt")
    assert (code, found, said) == (
        1,
        [],
        "no passage of this text (8 words) was found\n",
    )


def test_quotations_and_drafts_are_left_out(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pieces = [" ".join(TEXTS[key].split()[50:90]) for key in ("d2", "d3", "d4")]
    text = f"{pieces[0]}. Somebody said: “{pieces[1]}.”\n\n{pieces[2]}."
    (tmp_path / "t.txt").write_text(text)
    (tmp_path / "draft.txt").write_text(f"My own draft. {pieces[2]}. The end.")

    def found(*options: str | Path) -> set[str]:
        return {row["id"] for row in asked(capsys, whole, tmp_path / "t.txt", *options)[1]}

    assert found() == {"d2", "d3", "d4"}
    assert found("--exclude-quotes") == {"d2", "d4"}
    assert found("--ignore", tmp_path / "draft.txt") == {"d2", "d3"}
    assert found("--exclude-quotes", "--ignore", tmp_path / "draft.txt") == {"d2"}
    _, rows, said = asked(capsys, whole, tmp_path / "t.txt", "--exclude-quotes")
    assert said.startswith("33% of the text is left out\n")
    assert {f"{row['left_out']:.2f}" for row in rows} == {"0.33"}


def test_a_file_to_ignore_that_has_no_document_is_an_error(
    whole: Path, text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "draft.jsonl").write_text("no json\n")
    code, _, said = asked(capsys, whole, text, "--ignore", tmp_path / "draft.jsonl")

    assert code == 2
    assert f"{tmp_path / 'draft.jsonl'}: " in said
