"""dedup, pairs and check --clean of folders: which files are read, and what is said of others."""

from __future__ import annotations

import json
from pathlib import Path

import pocketindex
import pytest
from near_duplicates import collection, write
from run_command import run

DOCUMENTS = collection()


@pytest.fixture
def months(tmp_path: Path) -> Path:
    """Two folders with a file of the same name, as a crawl has them, among other files."""
    write(tmp_path / "all.jsonl", DOCUMENTS)
    lines = (tmp_path / "all.jsonl").read_bytes().splitlines(keepends=True)
    for name, some in (("jan", lines[:61]), ("feb", lines[61:])):
        (tmp_path / "months" / name).mkdir(parents=True)
        (tmp_path / "months" / name / "part-0.jsonl").write_bytes(b"".join(some))
    (tmp_path / "months" / "_SUCCESS").touch()
    (tmp_path / "months" / ".part.crc").touch()
    (tmp_path / "months" / "README.md").write_text("# How this was made")
    return tmp_path / "months"


def test_files_of_other_kinds_in_a_folder_are_left_out_and_named(months: Path) -> None:
    out = months.with_name("out.jsonl")
    done = run("dedup", months, "-o", out, "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["read"], said["skipped"]) == (67, 0)
    assert (
        f"{months}: 2 files were left out, being neither JSON Lines nor Parquet nor Arrow: "
        "README.md, _SUCCESS"
    ) in said["notes"]


def test_a_file_without_a_suffix_is_known_by_its_first_bytes(months: Path) -> None:
    (months / "feb" / "part-0.jsonl").rename(months / "feb" / "part-00000")
    done = run("dedup", months, "-o", months.with_name("out.jsonl"))
    assert "67 read, 62 kept" in done.stderr


def test_a_folder_without_records_is_refused(months: Path) -> None:
    for name in ("jan", "feb"):
        (months / name / "part-0.jsonl").unlink()
    done = run("dedup", months, "-o", months.with_name("out.jsonl"))
    assert done.returncode == 2
    assert f"{months}: there is no file of JSON Lines, Parquet or Arrow in this" in done.stderr


def test_hidden_folders_and_links_out_of_a_folder_are_not_followed(months: Path) -> None:
    (months / ".git").mkdir()
    (months / ".git" / "more.jsonl").write_text('{"id": "git", "text": "hidden words"}\n')
    (months / "link.jsonl").symlink_to(months.with_name("all.jsonl"))
    done = run("dedup", months, "-o", months.with_name("out.jsonl"))
    assert "67 read" in done.stderr
    assert f"{months}/link.jsonl: left out: it leads out of the folder" in done.stderr


def test_files_of_one_name_keep_their_folders(months: Path) -> None:
    out = months.with_name("out")
    done = run("dedup", months, "-o", f"{out}/")
    assert done.returncode == 0, done.stderr
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*.jsonl")) == [
        "feb/part-0.jsonl",
        "jan/part-0.jsonl",
    ]
    again = run("dedup", out, "-o", months.with_name("again.jsonl"))
    assert "62 read, 62 kept" in again.stderr


@pytest.mark.parametrize("with_pages", [False, True])
def test_a_folder_of_files_is_compared_with(with_pages: bool, months: Path) -> None:
    if with_pages:
        (months / "page.html").write_text("<p>One more document, of a page of its own.</p>")
    else:
        (months / "README.md").unlink()
    new = months.with_name("new.jsonl")
    write(new, DOCUMENTS[:5])
    done = run("dedup", new, "-o", months.with_name("out.jsonl"), "--against", months)
    count = 67 + 2 * with_pages
    assert f"5 of the dropped ones went for one of the {count} documents" in done.stderr
    assert ("1 file was left out" in done.stderr) == (not with_pages)


@pytest.mark.parametrize("content", ["", "no line\n"])
def test_nothing_to_compare_with_is_an_error(content: str, months: Path) -> None:
    old, out = months.with_name("old.jsonl"), months.with_name("out.jsonl")
    old.write_text(content)
    done = run("dedup", months.with_name("all.jsonl"), "-o", out, "--against", old)
    assert (done.returncode, out.exists()) == (2, False)
    assert done.stderr.startswith(f"pocketindex: {old}: ")
    assert "nothing is written" in done.stderr


def test_clean_leaves_out_files_of_other_kinds_and_says_so(months: Path) -> None:
    items = months.with_name("items.jsonl")
    write(items, DOCUMENTS[:1])
    done = run("check", items, "--clean", months, "-o", months.with_name("clean.jsonl"))
    assert done.returncode == 0, done.stderr
    assert f"{months}: 2 files were left out, being neither" in done.stdout + done.stderr


def test_pairs_of_a_folder_are_those_of_its_files(months: Path) -> None:
    (months / "README.md").unlink()
    done = run("pairs", months)
    assert done.returncode == 0, done.stderr
    assert done.stdout == run("pairs", *sorted(months.glob("*/part-0.jsonl"), key=str)).stdout
    assert done.stdout.count("\n") > 4
    assert "67 read" in done.stderr
    assert f"{months}: 1 file was left out, being neither JSON" in done.stderr


def test_pairs_and_dedup_in_python_take_such_a_folder(months: Path) -> None:
    (months / "README.md").unlink()
    files = sorted(months.glob("*/part-0.jsonl"), key=str)
    found = pocketindex.pairs(str(months))
    assert [*found] == [*pocketindex.pairs(files)]
    assert found.report.notes[0].startswith(f"{months}: 1 file was left out")
    assert pocketindex.dedup(str(months)).kept == pocketindex.dedup(files).kept


def test_a_document_beside_records_is_compared_with_them(months: Path) -> None:
    text = json.loads((months / "jan" / "part-0.jsonl").read_text().split("\n")[0])["text"]
    (months / "README.md").write_text(text)
    done = run("pairs", months)
    assert '"README.md"' in done.stdout
    assert "68 compared, 1 skipped" in done.stderr  # _SUCCESS is of no kind


def test_what_pairs_writes_into_a_folder_is_not_read(months: Path) -> None:
    out = months / "pairs.jsonl"
    first = run("pairs", months, "-o", out).stderr
    assert run("pairs", months, "-o", out).stderr == first
