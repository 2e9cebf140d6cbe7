"""--max-memory is kept, whatever is long: titles, a line, a file, a text. What does not fit is left
out with its size.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from made_epub import made_epub
from pocketindex.builder import Settings, build
from pocketindex.builder.document import RECORD, Document, Unfit, most_of_record, records_within
from pocketindex.builder.inputs.opening import stream
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.write.documents import learn
from pocketindex.errors import TEXT_BYTES

MEMORY = 1 << 27  # the least that a build takes
MOST = MEMORY // RECORD
TEXT = "alpha beta gamma delta epsilon zeta eta theta "
PEAK = """
import sys
from pocketindex.cli import main
try:
    code = main(sys.argv[1:])
except SystemExit as end:
    code = end.code
for line in open("/proc/self/status"):
    if line.startswith("VmHWM:"):
        print("peak", int(line.split()[1]) << 10)
sys.exit(code)
"""
needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")


def peak(folder: Path, *arguments: object) -> tuple[int, str]:
    """The most bytes that the command had at once, and what it reported."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split("peak ")[1]), done.stderr


def line(id: str, text: str) -> str:
    return json.dumps({"id": id, "text": text}, ensure_ascii=False) + "\n"


def usual() -> Iterator[str]:
    for i in range(60):
        yield line(f"d{i}", f"{TEXT} word{i} other{i}")


@needs_proc
@pytest.mark.nightly
@pytest.mark.parametrize("titles", [[], ["--titles"]])
def test_many_long_titles(titles: list[str], tmp_path: Path) -> None:
    """All together have more bytes than the memory is."""
    with (tmp_path / "docs.jsonl").open("w") as file:
        for i in range(250_000):
            row = {"id": f"{i}", "title": f"{i} " + "same title " * 60, "text": f"{TEXT} w{i}"}
            file.write(json.dumps(row) + "\n")
    least = peak(tmp_path, "--version")[0]
    taken, said = peak(
        tmp_path, "build", "docs.jsonl", "-o", "x.pocket", "--max-memory", "128M", *titles
    )  # fmt: skip

    assert "250,000 indexed, 0 skipped" in said
    print(f"{taken >> 20} MB, {least >> 20} of them for Python")
    assert taken < MEMORY + least


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("unit", [TEXT, f"{TEXT}é 😀 "])
@pytest.mark.parametrize("size", [MOST - 100, 20 * MOST])
def test_a_long_line(size: int, unit: str, tmp_path: Path) -> None:
    with (tmp_path / "docs.jsonl").open("w") as file:
        file.writelines(usual())
        file.write(line("long", unit * (size // len(unit.encode()))))
        file.write(line("last", f"{TEXT} last"))
    least = peak(tmp_path, "--version")[0]
    taken, said = peak(
        tmp_path, "build", "docs.jsonl", "-o", "x.pocket", "--max-memory", "128M", "--keep", "text",
        "--index", "documents,words",
    )  # fmt: skip

    assert ("62 indexed" if size < MOST else "61 indexed, 1 skipped") in said
    if size > MOST:
        assert re.search(
            rf"docs.jsonl:61: the line has [\d,]+ bytes, expected at most {MOST:,}", said
        )
    print(f"{taken >> 20} MB, {least >> 20} of them for Python")
    assert taken < MEMORY + least


@needs_proc
@pytest.mark.nightly
def test_dedup_takes_what_its_help_says(tmp_path: Path) -> None:
    """Beside --max-memory what it takes for one document, and some 200 bytes for each."""
    count = 300_000
    with (tmp_path / "docs.jsonl").open("w") as file:
        for i in range(count):
            file.write(line(f"{i}", " ".join(f"w{i * j % 1_000_003}" for j in range(7_919, 7_927))))
    (tmp_path / "one.jsonl").write_text(line("one", TEXT))
    options = ("-o", "out.jsonl", "--max-memory", "128M")
    least = peak(tmp_path, "dedup", "one.jsonl", *options)[0]
    taken, said = peak(tmp_path, "dedup", "docs.jsonl", *options)

    assert f"{count:,} read, {count:,} kept" in said
    print(f"{taken >> 20} MB, {least >> 20} of them for Python")
    assert taken < MEMORY + least + 200 * count


@needs_proc
@pytest.mark.slow
def test_a_book_that_is_long(tmp_path: Path) -> None:
    """It is not read beyond what a text may have."""
    chapters = {f"c{i}.xhtml": f"<p>{TEXT * 900} own{i}</p>" for i in range(2_500)}
    (tmp_path / "big.epub").write_bytes(made_epub(chapters, list(chapters)))
    (tmp_path / "a.txt").write_text(TEXT)
    least = peak(tmp_path, "--version")[0]
    taken, said = peak(
        tmp_path, "build", "big.epub", "a.txt", "-o", "x.pocket", "--max-memory", "128M",
        "--profile", "en",
    )  # fmt: skip

    assert "1 indexed, 1 skipped" in said
    assert re.search(
        rf"the text up to OEBPS/c\d+.xhtml in it has [\d,]+ bytes, expected .* {MOST:,}", said
    )
    assert taken < MEMORY + least


def reasons(source: Path, target: Path) -> list[tuple[str, str]]:
    """Reason and detail of all that is left out at the least memory."""
    settings = Settings(profile="en", max_memory=MEMORY)
    report = build([str(source)], target, settings)
    assert report.indexed >= 1
    return [(one.reason, some.detail) for one in report for some in one.examples]


def zipped(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files:
            archive.writestr(name, data)


def tarred(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    with tarfile.open(path, "w") as archive:
        for name, data in files:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["jsonl", "csv", "zip", "tar", "folder", "parquet"])
def test_what_has_more_than_its_part_is_left_out_with_its_size(kind: str, tmp_path: Path) -> None:
    long, short = (TEXT * (MOST // len(TEXT) + 2)), TEXT + "short"
    files = [("a.txt", long.encode()), ("b.txt", short.encode())]
    path = tmp_path / f"docs.{kind}"
    match kind:
        case "jsonl":
            path.write_text(line("a", long) + line("b", short))
        case "csv":
            path.write_text(f"id,text\na,{long}\nb,{short}\n")
        case "zip":
            zipped(path, files)
        case "tar":
            tarred(path, files)
        case "folder":
            path.mkdir()
            for name, data in files:
                (path / name).write_bytes(data)
        case "parquet":
            arrow = pytest.importorskip("pyarrow")
            from pyarrow import parquet

            parquet.write_table(arrow.table({"id": ["a", "b"], "text": [long, short]}), path)
    ((reason, detail),) = reasons(path, tmp_path / "x.pocket")

    assert reason == "too long"
    found = re.search(r"has ([\d,]+) bytes", detail)
    assert found
    assert len(long) <= int(found[1].replace(",", "")) <= len(long) + 60
    assert f"at most {MOST:,}" in detail
    assert "--max-memory" in detail


def test_the_least_limit_counts_and_only_while_it_lasts() -> None:
    assert most_of_record(TEXT_BYTES) == TEXT_BYTES
    with records_within(1000 * RECORD):
        with records_within(2000 * RECORD):
            assert most_of_record(TEXT_BYTES) == 1000
            with pytest.raises(Unfit, match=r"the text has 1,001 bytes, expected at most 1,000"):
                Document("a", "", "x" * 1001)
            assert Document("a", "", "x" * 1000)
        assert most_of_record(10) == 10
    assert Document("a", "", "x" * 1001)


def test_a_line_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe that gives bytes for ever ends with an error, and a file that ends does not."""
    monkeypatch.setattr(stream, "_ENDLESS", 1 << 24)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)

    def feed() -> None:
        with open(fifo, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 65_536)
            except BrokenPipeError:
                pass

    writer = threading.Thread(target=feed, daemon=True)
    writer.start()
    with pytest.raises(SourceError, match=r"line 1 has 16,\d+,\d+ bytes and goes on; expected an"):
        build([str(fifo)], tmp_path / "x.pocket", Settings(profile="en", max_memory=MEMORY))
    writer.join(10)
    assert not writer.is_alive()


def test_symbols_are_learned_of_a_bounded_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np
    from pocketindex.builder.write import documents

    records = [f"title {i % 9}\xfe{i}".encode("latin-1") for i in range(400)]
    ends = np.cumsum(list(map(len, records)), dtype=np.uint64)
    whole = [(b"".join(records), ends)]
    monkeypatch.setattr(documents, "_SAMPLE_BYTES", int(ends[99]))
    few = learn(whole)
    monkeypatch.setattr(documents, "_SAMPLE_BYTES", 1 << 20)

    assert few == learn([(b"".join(records[:100]), ends[:100])])
    assert few != learn(whole)
