"""dedup --resume: what a run that was killed leaves is not done again."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from forked import run as forked
from killed import killed
from made_up import made_up
from near_duplicates import collection, without, write
from run_command import run

OPTIONS = ("--report", "report.jsonl", "--progress", "none", "--threads", "1")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs kills")


def command(
    folder: Path, moment: int, *more: str, source: str = "in.jsonl"
) -> subprocess.CompletedProcess[str]:
    """Run dedup in the folder, killed at a moment, 0 for none."""
    words = ["dedup", source, "-o", "out.jsonl", *OPTIONS, *more]
    return forked(_within, str(folder), moment, words)


def _within(folder: str, moment: int, words: list[str]) -> int:
    os.chdir(folder)
    return killed(1, moment, words)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = [one["text"] for one in made_up(60)]
    write(tmp_path / "in.jsonl", collection())
    others = [{"id": f"old-{i}", "text": without(texts[i], 5)} for i in range(10, 20)]
    write(tmp_path / "old.jsonl", others)
    return tmp_path


def moments(done: subprocess.CompletedProcess[str]) -> int:
    assert done.returncode == 0, done.stderr
    return int(json.loads(done.stdout.splitlines()[-1])["moments"])


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def stopped(folder: Path, writing: bool = False) -> None:
    """Leave a run that was killed, and no output. writing: whether it was about to make the output
    whole, the replacing of which and of the report are its last seven moments.
    """
    count = moments(command(folder, 0))
    for name in ("out.jsonl", "report.jsonl"):
        (folder / name).unlink()
    assert command(folder, count - 6 if writing else count // 2).returncode == -9
    assert (folder / "out.jsonl.work" / "journal").exists()


@pytest.mark.parametrize(
    "step", [pytest.param(1, marks=pytest.mark.slow), pytest.param(11, id="some moments")]
)
@pytest.mark.parametrize("more", [(), ("--against", "old.jsonl", "--prefer", "date")])
def test_a_run_that_is_killed_at_any_moment_goes_on_to_the_same_bytes(
    folder: Path, more: tuple[str, ...], step: int
) -> None:
    whole = command(folder, 0, *more)
    expected = [(folder / name).read_bytes() for name in ("out.jsonl", "report.jsonl")]
    for moment in range(1, moments(whole) + 1, step):
        for name in ("out.jsonl", "report.jsonl"):
            (folder / name).unlink()
        assert command(folder, moment, *more).returncode == -9
        done = command(folder, 0, *more, "--resume")
        assert done.returncode == 0, (moment, done.stderr)
        found = [(folder / name).read_bytes() for name in ("out.jsonl", "report.jsonl")]
        assert found == expected, moment
        assert left(folder) == ["in.jsonl", "old.jsonl", "out.jsonl", "report.jsonl"]


def test_what_is_kept_is_not_done_again(folder: Path) -> None:
    """A run that was killed while it wrote has all sets, the join and what is kept."""
    stopped(folder, writing=True)
    assert forked(_without_core, str(folder)).returncode == 0


def _without_core(folder: str) -> int:
    from pocketindex.builder.collections.shingles import corpus

    def never(*_: object) -> None:
        raise AssertionError("it was done already")

    for name in ("sets_of", "SetJoin"):
        assert hasattr(corpus, name)
        setattr(corpus, name, never)
    return _within(folder, 0, ["dedup", "in.jsonl", "-o", "out.jsonl", *OPTIONS, "--resume"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--min-similarity", ".9"), "--min-similarity was not there, is 0.9; give what was given"),
        (("--keep", "longest"), "--keep was first, is longest; give what was given then"),
        (("--prefer", "date"), "--prefer was not there, is date; give what was given then"),
        (("--against", "old.jsonl"), "what --against has was "),
    ],
)
def test_other_options_are_refused(folder: Path, more: tuple[str, ...], message: str) -> None:
    stopped(folder)
    done = command(folder, 0, *more, "--resume")
    assert (done.returncode, (folder / "out.jsonl").exists()) == (2, False)
    assert f"out.jsonl.work: cannot go on: {message}" in done.stderr
    assert command(folder, 0, "--resume").returncode == 0


def test_sources_that_changed_are_refused(folder: Path) -> None:
    stopped(folder)
    with (folder / "in.jsonl").open("ab") as file:
        file.write(b'{"id": "more", "text": "one more"}\n')
    done = command(folder, 0, "--resume")
    assert (done.returncode, (folder / "out.jsonl").exists()) == (2, False)
    assert "out.jsonl.work: cannot go on: size and time of in.jsonl was" in done.stderr


@pytest.mark.parametrize("writing", [False, True])
def test_texts_that_changed_behind_the_size_and_time_of_a_file_are_refused(
    folder: Path, writing: bool
) -> None:
    stopped(folder, writing)
    source = folder / "in.jsonl"
    status, content = source.stat(), source.read_bytes()
    source.write_bytes(content.replace(b"The lighthouse", b"One lighthouse", 1))
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    done = command(folder, 0, "--resume")
    assert (done.returncode, (folder / "out.jsonl").exists()) == (2, False)
    assert "cannot go on: what is read is no longer what the stopped run has read" in done.stderr


def test_without_resume_it_begins_again_and_says_so(folder: Path) -> None:
    stopped(folder)
    done = command(folder, 0)
    assert done.returncode == 0
    assert "out.jsonl.work is removed: a run that was killed has left it" in done.stderr
    assert left(folder) == ["in.jsonl", "old.jsonl", "out.jsonl", "report.jsonl"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--measure", "records"), "--resume is of --measure jaccard and containment, of which"),
        (("--measure", "cosine"), "--resume is of --measure jaccard and containment, of which"),
        (("--replay", "in.jsonl"), "--replay compares nothing that could go on; omit --resume"),
    ],
)
def test_where_nothing_is_kept_resume_is_refused(
    folder: Path, more: tuple[str, ...], message: str
) -> None:
    done = run("dedup", folder / "in.jsonl", "-o", folder / "out.jsonl", "--resume", *more)
    assert (done.returncode, message in done.stderr) == (2, True)
    done = run("dedup", folder / "in.jsonl", "--dry-run", "--resume")
    assert "--resume goes on to an output; omit it, or give -o OUT" in done.stderr
