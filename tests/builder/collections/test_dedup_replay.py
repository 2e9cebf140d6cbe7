"""dedup --replay: a report makes the same output again, or is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from near_duplicates import collection, write
from run_command import run

DOCUMENTS = collection()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    write(tmp_path / "in.jsonl", DOCUMENTS)
    with (tmp_path / "in.jsonl").open("a") as lines:
        lines.write("no document\n")
    return tmp_path / "in.jsonl"


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet", ".arrow", ".arrows"])
def test_a_report_of_every_kind_is_replayed(suffix: str, source: Path) -> None:
    report = source.with_name(f"report{suffix}")
    first, again = source.with_name("first.jsonl"), source.with_name("again.jsonl")
    assert run("dedup", source, "-o", first, "--report", report).returncode == 0
    done = run("dedup", source, "-o", again, "--replay", report)
    assert done.returncode == 0, done.stderr
    assert "3 dropped exact, 2 dropped near, 1 skipped" in done.stderr
    assert again.read_bytes() == first.read_bytes()


def test_a_report_is_read_from_standard_input(source: Path) -> None:
    report, first = source.with_name("report.jsonl"), source.with_name("first.jsonl")
    run("dedup", source, "-o", first, "--report", report)
    again = source.with_name("again.jsonl")
    done = run("dedup", source, "-o", again, "--replay", "-", stdin=report.read_text())
    assert done.returncode == 0, done.stderr
    assert again.read_bytes() == first.read_bytes()


def written(path: Path, texts: dict[str, str]) -> None:
    rows = [{"id": id, "text": text} for id, text in texts.items()]
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("more", [{"a": "five words and one more"}, {"d": "another document"}])
@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_source_that_has_changed_is_refused(
    suffix: str, more: dict[str, str], tmp_path: Path
) -> None:
    texts = {"a": "five words and no more", "b": "a text that goes", "c": "a text that goes"}
    source, report = tmp_path / f"in{suffix}", tmp_path / "report.jsonl"
    out = tmp_path / f"out{suffix}"
    written(source, texts)
    assert run("dedup", source, "--dry-run", "--report", report).returncode == 0
    written(source, {**texts, **more})
    done = run("dedup", source, "-o", out, "--replay", report)
    assert (done.returncode, out.exists()) == (2, False)
    assert f"{source} has changed since this report was written" in done.stderr
    written(source, texts)
    done = run("dedup", source, "-o", out, "--replay", report)
    assert "3 read, 2 kept" in done.stderr


@pytest.mark.parametrize("dry", [True, False])
def test_a_source_of_which_nothing_was_dropped_is_known_again(dry: bool, tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    report, out = tmp_path / "report.jsonl", tmp_path / "out.jsonl"
    written(first, {"a": "a text that goes", "b": "a text that goes"})
    written(second, {"c": "another document"})
    run("dedup", first, second, "--dry-run", "--report", report)
    how = ["--dry-run"] if dry else ["-o", out]
    assert "3 read, 2 kept" in run("dedup", first, second, *how, "--replay", report).stderr

    done = run("dedup", first, *how, "--replay", report)
    assert done.returncode == 2
    assert f"{report}: it is of {second}, which is not given" in done.stderr
    third = tmp_path / "third.jsonl"
    written(third, {"c": "another document"})
    done = run("dedup", first, second, third, *how, "--replay", report)
    assert done.returncode == 2
    assert f"{report}: it is not of {third}; give the sources as they" in done.stderr
    written(second, {"c": "a changed document"})
    done = run("dedup", first, second, *how, "--replay", report)
    assert done.returncode == 2
    assert f"{report}: {second} has changed since this report was written" in done.stderr


def test_a_report_without_checksums_is_replayed(source: Path) -> None:
    report, first = source.with_name("report.jsonl"), source.with_name("first.jsonl")
    run("dedup", source, "-o", first, "--report", report)
    report.write_text(re.sub(r'"source_checksum": "\w{8}", ', "", report.read_text()))
    again = source.with_name("again.jsonl")
    assert run("dedup", source, "-o", again, "--replay", report).returncode == 0
    assert again.read_bytes() == first.read_bytes()


def test_a_source_that_is_given_twice_is_not_replayed(source: Path) -> None:
    report, out = source.with_name("report.jsonl"), source.with_name("out.jsonl")
    run("dedup", source, source, "-o", out, "--report", report)
    done = run("dedup", source, source, "-o", source.with_name("again.jsonl"), "--replay", report)
    assert done.returncode == 2
    assert f"{source} is given twice, so a line of {report} does not tell" in done.stderr


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet", ".arrow"])
def test_what_is_no_report_is_refused_with_its_line(suffix: str, source: Path) -> None:
    other, out = source.with_name(f"other{suffix}"), source.with_name("out.jsonl")
    assert run("pairs", source, "-o", other).returncode == 0
    done = run("dedup", source, "-o", out, "--replay", other)
    assert (done.returncode, out.exists()) == (2, False)
    assert f"{other}:1: expected a line of a report of dedup" in done.stderr
    other.write_bytes(b"")
    if suffix in (".parquet", ".arrow"):
        done = run("dedup", source, "-o", out, "--replay", other)
        assert done.returncode == 2
        assert f"{other}: expected the rows of a report" in done.stderr
