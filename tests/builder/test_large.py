"""What a build of any size rests on: threads and memory decide no byte, duplicates are found
wherever they are, a full disk is said.
"""

from __future__ import annotations

import errno
import io
import json
import random
import shutil
import tracemalloc
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forked
import pocketindex
import pytest
from full_disk import limited
from made_up import made_up
from places import GOLDEN
from pocketindex.builder import Settings, build
from pocketindex.builder.inputs.rows import jsonl_batches
from pocketindex.builder.progress import Progress
from pocketindex.builder.spill import disk_space, journal
from pocketindex.builder.spill.chunks import arranged, sample, spool
from pocketindex.builder.spill.journal import NoSpace
from run_command import run

LEARN = Settings(profile="learn")
OLD = (GOLDEN / "rff.pocket").read_bytes()


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a chunk is of several."""
    monkeypatch.setattr(jsonl_batches, "BYTES", 1 << 12)


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """2,600 documents: enough to weigh terms in."""
    path = tmp_path / "many.jsonl"
    path.write_text("".join(json.dumps(d) + "\n" for d in made_up(2600)))
    return path


@pytest.mark.parametrize(
    "settings",
    [
        LEARN,
        Settings(scheme="minhash", profile="learn", keep="text"),
        Settings(profile="en", keep="snippet", snippet=20),
    ],
    ids=["rff", "minhash and texts", "snippets"],
)
def test_threads_memory_and_chunks_decide_no_byte(
    collection: Path, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, files = tmp_path / "x.pocket", []
    for threads, memory, chunk in (
        (1, 1 << 30, 1 << 16),
        (2, 1 << 27, 7),
        (4, 1 << 28, 100),
        (None, 1 << 27, 299),
    ):
        monkeypatch.setattr(spool, "CHUNK_DOCUMENTS", chunk)
        build(
            [str(collection)],
            target,
            Settings(
                **{**vars(settings), "threads": threads, "max_memory": memory, "keys_per_part": 50}
            ),
        )
        files.append(target.read_bytes())

    assert files[1:] == files[:1] * 3


def test_weights_depend_on_neither(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, files = tmp_path / "x.pocket", []
    for threads, memory, chunk, loaded in (
        (1, 1 << 30, 1 << 16, 1 << 30),
        (4, 1 << 27, 500, 10_000),
    ):
        monkeypatch.setattr(spool, "CHUNK_DOCUMENTS", chunk)
        monkeypatch.setattr(sample, "LOADED", loaded)
        build([str(many)], target, Settings(threads=threads, max_memory=memory))
        files.append(target.read_bytes())

    assert files[0] == files[1]


def test_duplicates_far_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In other chunks and sources, and more than two of an id: the first is kept, the others are
    counted, the first three shown.
    """
    monkeypatch.setattr(spool, "CHUNK_DOCUMENTS", 50)
    documents = made_up(1000)
    chance = random.Random(1)
    again = [chance.randrange(1000) for _ in range(300)]
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text("".join(json.dumps(d) + "\n" for d in documents))
    second.write_text("".join(json.dumps({**documents[i], "title": "later"}) + "\n" for i in again))
    report = build([str(first), str(second)], tmp_path / "x.pocket", Settings(profile="en"))

    assert (report.read, report.indexed, report.skipped) == (1300, 1000, {"duplicate id": 300})
    assert [one.place for one in report.examples["duplicate id"]] == [f"doc-{i}" for i in again[:3]]
    assert (
        report.examples["duplicate id"][0].detail
        == "an earlier document has this id; the first one is kept"
    )
    with pocketindex.open(tmp_path / "x.pocket") as index:
        index.verify()
        assert [index.record(i).id for i in range(1000)] == [d["id"] for d in documents]
        assert all(index.record(i).title != "later" for i in range(1000))


def test_equal_hashes_of_different_ids_are_no_duplicates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The id itself is compared: here hashes have two bits, in chunks that cut through their
    groups.
    """
    monkeypatch.setattr(spool, "CHUNK_DOCUMENTS", 9)
    monkeypatch.setattr(spool, "murmur", lambda data: len(data) & 3)
    documents = [*made_up(60), *made_up(20)]
    path = tmp_path / "d.jsonl"
    path.write_text("".join(json.dumps(d) + "\n" for d in documents))
    report = build([str(path)], tmp_path / "x.pocket", Settings(profile="en"))

    assert report.skipped == {"duplicate id": 20}
    assert [one.place for one in report.examples["duplicate id"]] == ["doc-0", "doc-1", "doc-2"]


def test_the_sample_is_bounded_by_bytes(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weighed in no more texts than fit, those with the smallest hashes, without the long ones."""
    seen: list[int] = []
    real = sample.Sample.texts

    def texts(self: sample.Sample, unpacked_details: Any) -> Iterator[bytes]:
        found = list(real(self, unpacked_details))
        seen.append(sum(map(len, found)))
        assert max(map(len, found)) <= 400
        return iter(found)

    monkeypatch.setattr(sample.Sample, "texts", texts)
    monkeypatch.setattr(sample, "BYTES", 100_000)
    monkeypatch.setattr(sample, "LONGEST", 400)
    build([str(many)], tmp_path / "x.pocket")

    assert 100_000 - 400 < seen[0] <= 100_000


def test_memory_does_not_grow_with_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Python and numpy hold at once is about the same for twice as many documents."""
    monkeypatch.setattr(spool, "CHUNK_DOCUMENTS", 500)
    monkeypatch.setattr(arranged, "AT_ONCE", 500)
    peaks = []
    for count in (500, 2_000, 8_000):  # the first loads what is loaded once
        path = tmp_path / f"{count}.jsonl"
        texts = [d["text"] for d in made_up(50)]
        path.write_text(
            "".join(
                json.dumps({"id": f"doc-{i}", "text": f"{texts[i % 50]} number {i}"}) + "\n"
                for i in range(count)
            )
        )
        settings = Settings(
            profile="en", threads=1, max_memory=1 << 27, keys_per_part=1000, sample=500
        )
        tracemalloc.start()
        build([str(path)], tmp_path / "x.pocket", settings)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    # An id, a hash and a key of each document would be about a megabyte more.
    assert peaks[2] < peaks[1] + 500_000, peaks


@pytest.mark.parametrize("wrong", [{"max_memory": 1 << 20}, {"threads": 0}, {"threads": 257}])
def test_out_of_range(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"(max_memory|threads) is \d+; it must be"):
        Settings(**wrong)  # type: ignore[arg-type]


def command(source: Path, target: Path, *more: str) -> list[str]:
    return ["build", str(source), "-o", str(target), "--profile", "en", *more]


@pytest.mark.parametrize("most", [3_000, 20_000, 60_000, 100_000])
def test_a_full_disk_leaves_the_old_file(collection: Path, tmp_path: Path, most: int) -> None:
    """No file may have more than so many bytes: the spool, the sketches, a section or the file
    itself is the first that has.
    """
    target = tmp_path / "x.pocket"
    target.write_bytes(OLD)
    done = forked.run(limited, most, command(collection, target, "--set", "keys_per_part=5"))
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"pocketindex: {target}.work: File too large after ")
    assert done.stderr.endswith(
        f" bytes of temporary files; free space there, or build on another disk; {target} is "
        "as "
        "it was\n"
    )
    assert target.read_bytes() == OLD
    assert [p.name for p in tmp_path.iterdir()] == ["x.pocket"]


@pytest.mark.parametrize("after", [0, 3, 6])
def test_no_space_left(
    collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    target, calls = tmp_path / "x.pocket", iter(range(1000))
    target.write_bytes(OLD)
    real = journal.Written.write

    def write(self: journal.Written, data: bytes) -> None:
        if next(calls) >= after:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(self, data)

    monkeypatch.setattr(journal.Written, "write", write)
    with pytest.raises(
        NoSpace,
        match=(
            r"x\.pocket\.work: No space left on device after [\d,]+ bytes of temporary files; "
            r"free space there"
        ),
    ):
        build([str(collection)], target, LEARN)
    assert target.read_bytes() == OLD
    assert [p.name for p in tmp_path.iterdir()] == ["x.pocket"]


def test_space_is_predicted(many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "CHUNK_DOCUMENTS", 100)
    usage = namedtuple("usage", "total used free")
    size, target = many.stat().st_size, tmp_path / "x.pocket"
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(0, 0, size // 2))
    with pytest.raises(
        NoSpace,
        match=(
            r"x\.pocket\.work: about [\d,]+ bytes more of temporary files are needed, [\d,]+ "
            r"are free; free"
        ),
    ):
        build([str(many)], target, Settings(profile="en"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["many.jsonl"]

    # Told from the whole of it, the prediction holds.
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(0, 0, 10 * size))
    told: list[int] = []
    check = disk_space.DiskSpace.check
    monkeypatch.setattr(
        disk_space.DiskSpace,
        "check",
        lambda self, *rest: told.append((check(self, *rest), self.expected)[1]),
    )
    report = build([str(many)], target, Settings(profile="en"))
    assert report.notes == ()
    assert 0.6 * report.temporary < told[3] < 1.7 * report.temporary, (told, report.temporary)

    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(0, 0, size - 1))
    monkeypatch.setattr(disk_space.DiskSpace, "check", lambda self, *rest: None)
    assert build([str(many)], target, Settings(profile="en")).notes == (
        f"{target}.work: temporary files may take about {size:,} bytes, {size - 1:,} are free",
    )


def test_progress_for_programs(collection: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    more = ("--progress", "json", "--json", "--max-memory", "128M", "--threads", "2")
    done = run(*command(collection, target, *more))
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    phases = [
        "reading",
        "looking for duplicates",
        "sketching",
        "writing documents",
        "writing tables",
        "writing the file",
    ]
    assert [line["phase"] for line in lines] == phases
    report = json.loads(done.stdout)
    assert list(report["seconds"]) == phases
    assert all(0 <= seconds < 600 for seconds in report["seconds"].values())
    assert report["temporary"] > collection.stat().st_size / 2
    for wrong in ("12X", "-1", "1"):
        done = run(*command(collection, target, "--max-memory", wrong))
        assert done.returncode == 2
        assert (
            "expected bytes, or a number with K, M or G, such as 512M" in done.stderr
            or "it must be at least 134217728 (128M)" in done.stderr
        ), done.stderr


def ticking(step: float) -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += step


def test_progress_says_how_long_it_takes() -> None:
    stream, clock = io.StringIO(), ticking(1.0)
    with Progress(stream, clock=lambda: next(clock), form="json") as progress:
        progress.phase("reading")
        for read in range(100, 1000, 100):
            progress.measure(read, 1000)
            progress.add(10)
        progress.phase("sketching", documents=90)
        progress.add(45)
        progress.phase("writing tables", documents=14, unit="postings")
        progress.add(7)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    told = [line for line in lines if line["phase"] == "reading"][-1]

    assert lines[0] == {
        "phase": "reading",
        "done": 0,
        "total": None,
        "unit": "documents",
        "documents": 0,
        "documents_per_second": 0.0,
        "seconds": 1.0,
        "eta": None,
    }
    assert (told["documents"], told["done"], told["total"], told["unit"]) == (
        90,
        900,
        1000,
        "bytes",
    )
    assert told["eta"] == pytest.approx(told["seconds"] * 100 / 900, abs=1)
    assert told["documents_per_second"] == pytest.approx(90 / told["seconds"], abs=0.1)
    shown = [
        (line["phase"], line["done"], line["total"], line["unit"], line["documents"])
        for line in lines
    ]
    assert ("sketching", 45, 90, "documents", 45) in shown
    assert shown[-1] == ("writing tables", 7, 14, "postings", None)
    assert list(progress.seconds) == ["reading", "sketching", "writing tables"]
    silent = io.StringIO()
    with Progress(silent, form="none") as progress:
        progress.phase("reading")
    assert silent.getvalue() == ""


def test_lines_for_a_log() -> None:
    """One where a phase begins, then one each half minute."""
    stream, now = io.StringIO(), [0.0]
    with Progress(stream, clock=lambda: now[0], form="lines") as progress:
        progress.phase("reading", documents=100)
        for second in range(1, 71):
            now[0] = float(second)
            progress.add()
        progress.phase("the next")

    assert stream.getvalue().splitlines() == [
        "pocketindex: reading  [....................]   0%",
        "pocketindex: reading  [######..............]  30%  30 documents  1/s  1:10 left",
        "pocketindex: reading  [############........]  60%  60 documents  1/s  0:40 left",
        "pocketindex: the next",
    ]


def test_the_summary(collection: Path, tmp_path: Path) -> None:
    done = run(*command(collection, tmp_path / "x.pocket"))
    *_, times, answered = done.stderr.splitlines()
    assert " seconds (" in times
    assert times.endswith(" bytes of temporary files")
    assert answered.startswith("it answers query; ")
