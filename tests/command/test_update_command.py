"""`update`, `merge` and `diff` as commands: what they say, their exit codes, and kills."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from subprocess import CompletedProcess

import forked
import pocketindex
import pytest
from changing_documents import document, written
from killed import killed as killed_command
from pocketindex.cli import DAMAGED, NOTHING_FOUND, OK, USAGE
from run_command import run

CHUNK = 10


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.pocket"
    run("build", written(map(document, range(1, 80)), tmp_path / "x.jsonl"), "-o", path)
    return path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return written(map(document, range(75, 140)), tmp_path / "new.jsonl")


@pytest.fixture
def gone(tmp_path: Path) -> Path:
    path = tmp_path / "gone.txt"
    path.write_text("d1\nd2\nnobody\n")
    return path


def test_update_says_what_it_did(file: Path, new: Path, gone: Path) -> None:
    done = run("update", file, new, "--remove", gone)

    assert done.returncode == OK
    assert "60 added, 5 replaced, 2 removed, 72 kept" in done.stderr
    assert "1 id is not in the index: nobody" in done.stderr
    assert f"{file}: 137 documents, {file.stat().st_size:,} bytes" in done.stderr
    with pocketindex.open(file) as index:
        assert len(index) == 137
        index.verify()


def test_update_reports_as_json(file: Path, gone: Path, tmp_path: Path) -> None:
    done = run("update", file, "--remove", gone, "-o", tmp_path / "y.pocket", "--json")

    found = json.loads(done.stdout)
    assert found["output"] == str(tmp_path / "y.pocket")
    assert found["bytes"] == (tmp_path / "y.pocket").stat().st_size
    assert found["changed"] == {
        "added": 0,
        "replaced": 0,
        "removed": 2,
        "kept": 77,
        "missing": ["nobody"],
    }


def test_ids_may_come_by_standard_input(file: Path) -> None:
    done = run("update", file, "--remove", "-", "--json", stdin="d3\n")

    assert json.loads(done.stdout)["changed"]["removed"] == 1


def test_what_update_is_not_told_or_cannot_read_is_an_error(file: Path, tmp_path: Path) -> None:
    before, empty = file.read_bytes(), tmp_path / "empty.txt"
    empty.write_text("\n\n")
    for arguments, code, said in (
        ([file], USAGE, "give a SOURCE of new documents, or --remove IDS.txt, or both"),
        ([file, "--remove", empty], USAGE, "there is no id in it, and no SOURCE is given"),
        ([tmp_path / "none.pocket", "--remove", empty], USAGE, "no id in it"),
        ([empty, tmp_path / "x.jsonl"], DAMAGED, "not a pocket file"),
        ([file, tmp_path / "none.jsonl"], USAGE, "none.jsonl"),
    ):
        done = run("update", *arguments)
        assert done.returncode == code, done.stderr
        assert said in done.stderr
    assert file.read_bytes() == before
    assert not (tmp_path / "x.pocket.work").exists()


def test_a_damaged_file_is_not_updated(file: Path, new: Path) -> None:
    with pocketindex.open(file) as index:
        sizes = index.info().sections
    data = bytearray(file.read_bytes())
    data[-20 - sizes["ids"] - sizes["copies"]] ^= 1  # one of the last bytes of the documents
    file.write_bytes(data)

    done = run("update", file, new)

    assert done.returncode == DAMAGED
    assert f"{file}: damaged: section documents, block 0: CRC32C" in done.stderr
    assert file.read_bytes() == data


def test_merge_and_diff(file: Path, new: Path, tmp_path: Path) -> None:
    other, both = tmp_path / "other.pocket", tmp_path / "both.pocket"
    run("build", new, "-o", other, "--profile", file)

    done = run("merge", file, other, "-o", both)
    assert done.returncode == OK
    assert "60 added, 5 replaced, 0 removed, 74 kept" in done.stderr
    assert f"{both}: 139 documents" in done.stderr
    found = json.loads(run("merge", file, other, "-o", both, "--json").stdout)
    assert found["documents"] == 139

    done = run("diff", file, both)
    assert done.returncode == NOTHING_FOUND
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 60
    assert lines[0] == {"change": "added", "id": "d80", "title": "Number 80 é"}
    done = run("diff", file, both, "--summary")
    assert json.loads(done.stdout) == {"added": 60, "gone": 0, "changed": 0}
    done = run("diff", file, file)
    assert (done.returncode, done.stdout) == (OK, "")


def killed(moment: int, *arguments: str | Path) -> CompletedProcess[str]:
    return forked.run(killed_command, CHUNK, moment, ["update", *map(str, arguments)])


def old_or_new(file: Path, new: Path, gone: Path, tmp_path: Path, parts: int) -> None:
    """Kill an update at so many moments, or at all: the file is whole, old or new, and what goes on
    ends with the same bytes.
    """
    before = file.read_bytes()
    arguments: list[str | Path] = ["--remove", gone, "--json"]
    done = killed(0, file, new, "-o", tmp_path / "y.pocket", *arguments)
    assert done.returncode == OK, done.stderr
    after = (tmp_path / "y.pocket").read_bytes()
    moments = json.loads(done.stdout.splitlines()[-1])["moments"]
    assert moments >= parts
    for moment in {1 + number * (moments - 1) // (parts - 1) for number in range(parts)}:
        file.write_bytes(before)
        done = killed(moment, file, new, *arguments)
        assert done.returncode == -signal.SIGKILL, done.stderr
        found = file.read_bytes()
        assert found in (before, after)
        if found == before:
            assert run("update", file, new, *arguments, "--resume").returncode == OK
        else:  # the same again changes nothing
            assert run("update", file, new, *arguments).returncode == OK
        assert file.read_bytes() == after
        assert not list(tmp_path.glob("*.work"))


@pytest.mark.parametrize("index", ["documents", "documents,passages,words:3"])
def test_a_killed_update_leaves_the_old_file_or_the_new_one(
    file: Path, new: Path, gone: Path, tmp_path: Path, index: str
) -> None:
    run("build", tmp_path / "x.jsonl", "-o", file, "--index", index)
    old_or_new(file, new, gone, tmp_path, 3)


@pytest.mark.nightly
def test_fifty_kills(file: Path, new: Path, gone: Path, tmp_path: Path) -> None:
    old_or_new(file, new, gone, tmp_path, 50)
