"""Builds that are stopped: what is left behind, and that --resume ends with the same bytes."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import forked
import pocketindex
import pytest
from file_server import file_server
from killed import killed as killed_command
from made_up import made_up
from places import GOLDEN, HELPERS

KILLED = HELPERS / "attack" / "killed.py"
CHUNK = 40
OLD = (GOLDEN / "rff.pocket").read_bytes()
LEARN = ("--profile", "learn")


def lines(count: int) -> str:
    """Documents with a bad line, a short text and the id of another one now and then."""
    out = []
    for i, document in enumerate(made_up(count)):
        out.append(json.dumps(document))
        if i % 50 == 20:
            out += ["no json", json.dumps({"id": f"short-{i}", "text": "too short"})]
        if i % 50 == 30:
            out.append(json.dumps({**document, "id": f"doc-{i - 30}"}))
    return "".join(line + "\n" for line in out)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "docs.jsonl"
    path.write_text(lines(300))
    return path


def run(
    moment: int, *arguments: str | Path, stdin: bytes = b"", chunk: int = CHUNK
) -> subprocess.CompletedProcess[str]:
    words = ["build", *map(str, arguments)]
    return forked.run(killed_command, chunk, moment, words, stdin=stdin)


def killed(moment: int, *arguments: str | Path, stdin: bytes = b"") -> None:
    done = run(moment, *arguments, stdin=stdin)
    assert done.returncode == -signal.SIGKILL, done.stderr


def seen(done: subprocess.CompletedProcess[str]) -> dict[str, int]:
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return found


def report(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    found = json.loads(done.stdout.splitlines()[0])
    return {key: found[key] for key in ("read", "indexed", "skipped", "examples")}


def killed_and_resumed(source: Path, tmp_path: Path, step: int, *more: str) -> None:
    target = tmp_path / "x.pocket"
    whole = run(0, source, "-o", target, *LEARN, *more, "--json")
    expected, moments = target.read_bytes(), seen(whole)["moments"]
    assert moments > 60
    for moment in range(2, moments + 1, step):
        target.write_bytes(OLD)
        killed(moment, source, "-o", target, *LEARN, *more)
        # The last two are after the file has taken its place.
        assert target.read_bytes() == (OLD if moment < moments - 1 else expected), (
            moment,
            moments,
        )
        resumed = run(0, source, "-o", target, *LEARN, *more, "--resume", "--json")

        assert seen(resumed)["bytes"] <= source.stat().st_size
        assert target.read_bytes() == expected, moment
        assert report(resumed) == report(whole)
        assert sorted(p.name for p in tmp_path.iterdir()) == ["docs.jsonl", "x.pocket"]


def test_killed_and_resumed_gives_the_same_bytes(source: Path, tmp_path: Path) -> None:
    killed_and_resumed(source, tmp_path, 22)


def test_with_cells(source: Path, tmp_path: Path) -> None:
    more = "--keep", "snippet", "--titles", "--label", "title"
    killed_and_resumed(source, tmp_path, 29, "--cells", "8", *more)


@pytest.mark.slow
def test_pages_that_lost_words_are_not_forgotten(tmp_path: Path) -> None:
    folder, target = tmp_path / "pages", tmp_path / "x.pocket"
    folder.mkdir()
    for number in range(60):
        menu = "<li>entry" * (number * 7 % 12)
        (folder / f"{number:03}.html").write_text(
            f"<nav>{menu}</nav><p>{made_up(60)[number]['text']}"
        )
    asked = (folder, "-o", target, *LEARN, "--json")
    whole = run(0, *asked)
    expected = json.loads(whole.stdout.splitlines()[0])["pages"]
    assert len(expected["shortened"]) == 55
    target.unlink()
    killed(seen(whole)["moments"] // 3, *asked)
    assert list(tmp_path.glob("x.pocket.work/pages-*"))
    resumed = run(0, *asked, "--resume")
    assert json.loads(resumed.stdout.splitlines()[0])["pages"] == expected
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pages", "x.pocket"]


@pytest.mark.slow
def test_killed_at_every_moment(source: Path, tmp_path: Path) -> None:
    killed_and_resumed(source, tmp_path, 1)


def test_finished_chunks_are_not_read_again(source: Path, tmp_path: Path) -> None:
    """Of the source no more is read than what comes after the last finished chunk, but for what is
    read ahead.
    """
    source.write_text(lines(3000))
    target, size = tmp_path / "x.pocket", source.stat().st_size
    whole = seen(run(0, source, "-o", target, "--profile", "en", chunk=400))
    assert whole["bytes"] == size
    expected = target.read_bytes()
    journal = tmp_path / "x.pocket.work" / "journal"
    assert run(26, source, "-o", target, "--profile", "en", chunk=400).returncode == -signal.SIGKILL
    entries = [
        json.loads(line.partition(b" ")[2]) for line in journal.read_bytes().splitlines()[1:-1]
    ]
    assert [entry["kind"] for entry in entries] == ["documents"] * len(entries)
    assert len(entries) >= 4
    offset = entries[-1]["position"]["offset"]
    resumed = seen(run(0, source, "-o", target, "--profile", "en", "--resume", chunk=400))

    assert resumed["bytes"] == size - offset
    assert resumed["bytes"] < size / 2
    assert target.read_bytes() == expected


def test_nothing_is_read_again_once_all_was(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    moments = seen(run(0, source, "-o", target, *LEARN))["moments"]
    expected = target.read_bytes()
    killed(moments - 3, source, "-o", target, *LEARN)

    assert seen(run(0, source, "-o", target, *LEARN, "--resume"))["bytes"] == 0
    assert target.read_bytes() == expected


def dump(count: int) -> bytes:
    """Of a MediaWiki, a stream of bzip2 for each ten pages."""
    head = (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" '
        'xml:lang="en">\n'
    )
    pages = [
        f"<page><title>{d['title']}</title><ns>{int(i == 9)}</ns><id>{i + 1}</id><revision><text>{d['text']}</text></revision></page>\n"
        for i, d in enumerate(made_up(count))
    ]
    streams = [head, *("".join(pages[i : i + 10]) for i in range(0, count, 10)), "</mediawiki>\n"]
    return b"".join(bz2.compress(stream.encode()) for stream in streams)


def table(count: int) -> str:
    rows = "".join(
        f'"{d["id"]}","{d["title"]}\nsecond line","{d["text"]}"\n'
        + "too,few\n" * (d["id"] == "doc-9")
        for d in made_up(count)
    )
    return "id,title,text\n" + rows


@pytest.mark.parametrize("kind", ["gz", "csv", "folder", "stdin", "several", "dump"])
def test_other_inputs(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    stdin = b""
    folder = tmp_path / "sources"
    folder.mkdir()
    if kind == "gz":
        (folder / "d.jsonl.gz").write_bytes(gzip.compress(lines(200).encode()))
    elif kind == "csv":
        (folder / "d.csv").write_text(table(200))
    elif kind == "stdin":
        stdin = lines(200).encode()
    elif kind == "folder":
        for document in made_up(130):
            (folder / f"{document['id']}.txt").write_text(
                document["text"] if document["id"] != "doc-14" else " "
            )
    elif kind == "dump":
        pytest.importorskip("lxml", reason="needs lxml")
        (folder / "wiki.xml.bz2").write_bytes(dump(130))
    else:
        for i in range(4):
            (folder / f"{i}.jsonl").write_text(
                "".join(json.dumps({**d, "id": f"{i}-{d['id']}"}) + "\n" for d in made_up(45))
            )
    sources = (
        ["-"]
        if kind == "stdin"
        else [str(folder)]
        if kind == "folder"
        else sorted(map(str, folder.iterdir()))
    )
    arguments: list[str | Path] = [*sources, "-o", target, "--profile", "en"]
    whole = run(0, *arguments, "--json", stdin=stdin)
    expected, moments = target.read_bytes(), seen(whole)["moments"]
    for moment in (14, moments // 2):
        killed(moment, *arguments, stdin=stdin)
        resumed = run(0, *arguments, "--resume", "--json", stdin=stdin)

        assert seen(resumed)["moments"] < moments
        assert target.read_bytes() == expected
        assert report(resumed) == report(whole)


def test_standard_input_must_be_the_same(tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    content = lines(200).encode()
    killed(12, "-", "-o", target, *LEARN, stdin=content)
    for other in (content.replace(b"recipe", b"remedy", 1), content[:3000]):
        done = run(0, "-", "-o", target, *LEARN, "--resume", stdin=other)
        assert done.returncode == 2
        assert (
            "x.pocket.work: cannot go on: what was read of - is no longer the same; give what was "
            "given then"
        ) in done.stderr
    # Refused, nothing is lost.
    assert seen(run(0, "-", "-o", target, *LEARN, "--resume", stdin=content))["moments"] > 0


def test_a_changed_input_or_setting_is_refused(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    killed(12, source, "-o", target, *LEARN)
    other = tmp_path / "other.jsonl"
    other.write_text(lines(10))
    for arguments, message in (
        (
            (source, *LEARN, "--set", "mph=pilot", "--set", "checksum_bits=8"),
            "the setting checksum_bits was None, is 8; give what was given then",
        ),
        ((source, "--profile", "en"), "the setting profile was 'learn', is 'en'"),
        ((other, *LEARN), f'the list of sources was ["{source}"], is ["{other}"]'),
    ):
        done = run(0, *arguments, "-o", target, "--resume")
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
        assert f"{target}.work: cannot go on: " in done.stderr
    with source.open("a") as stream:
        stream.write("\n")
    done = run(0, source, "-o", target, *LEARN, "--resume")
    assert (done.returncode, f"size and time of {source} was [" in done.stderr) == (2, True), (
        done.stderr
    )
    assert not target.exists()


def test_without_resume_a_dead_build_is_removed_and_said(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    killed(12, source, "-o", target, *LEARN)
    done = run(0, source, "-o", target, *LEARN)

    assert seen(done)["bytes"] == source.stat().st_size
    assert (
        f"{target}.work is removed: a run that was killed has left it, and --resume was not given"
    ) in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["docs.jsonl", "x.pocket"]
    assert "removed" not in run(0, source, "-o", target, *LEARN, "--resume").stderr


def test_a_damaged_journal_or_file_costs_only_work(source: Path, tmp_path: Path) -> None:
    target, work = tmp_path / "x.pocket", tmp_path / "x.pocket.work"
    moments = seen(run(0, source, "-o", target, *LEARN))["moments"]
    expected = target.read_bytes()
    chance = random.Random(3)
    for name, damage in (
        ("journal", "bit"),
        ("journal", "empty"),
        ("documents-000004", "bit"),
        ("sketches-000002", "gone"),
    ):
        killed(moments - 8, source, "-o", target, *LEARN)
        path = work / name
        if damage == "gone":
            path.unlink()
        else:
            content = bytearray(path.read_bytes())
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
            path.write_bytes(content if damage == "bit" else b"")
        done = run(0, source, "-o", target, *LEARN, "--resume")

        assert seen(done)["bytes"] <= source.stat().st_size, path
        assert (seen(done)["bytes"] == 0) == name.startswith("sketches"), path
        assert target.read_bytes() == expected, path


def test_two_builds_do_not_mix(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.pocket"
    command = [sys.executable, "-m", "pocketindex", "build", "-", "-o", str(target)]
    first = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert first.stdin is not None
    text = lines(30).encode()
    first.stdin.write(text[:1000])  # its first bytes tell the format
    first.stdin.flush()
    try:
        lock = tmp_path / "x.pocket.work" / "lock"
        for _ in range(600):
            if lock.exists() and lock.read_bytes():
                break
            time.sleep(0.05)
        for more in ((), ("--resume",)):
            second = run(0, source, "-o", target, *more)
            assert second.returncode == 2
            assert second.stderr == (
                f"pocketindex: {target}: process {first.pid} is building it; wait for its end, "
                "or end it\n"
            )
        first.stdin.write(text[1000:])
        first.stdin.close()
        assert first.wait(60) == 0
    finally:
        first.kill()
        first.wait()
        assert first.stderr is not None
        first.stderr.close()
    with pocketindex.open(target) as index:
        assert len(index) == 31


def test_a_folder_of_somebody_else_is_left_alone(source: Path, tmp_path: Path) -> None:
    work = tmp_path / "x.pocket.work"
    work.mkdir()
    (work / "mine").write_text("not yours")
    done = run(0, source, "-o", tmp_path / "x.pocket", *LEARN)

    assert (done.returncode, (work / "mine").read_text()) == (2, "not yours")
    assert (
        done.stderr
        == f"pocketindex: {work}: in the way: it is no folder of a build; move it away\n"
    )


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(4))
def test_a_hundred_kills_at_random_moments(tmp_path: Path, seed: int) -> None:
    """25 for each seed, by the clock: a build is killed and resumed until it ends, always with the
    same bytes.
    """
    source, target = tmp_path / "docs.jsonl", tmp_path / "x.pocket"
    source.write_text(lines(4000))
    command = [sys.executable, str(KILLED), "150", "0", "build", str(source), "-o", str(target)]
    start = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    duration, expected = time.monotonic() - start, target.read_bytes()
    chance = random.Random(seed)
    kills = 0
    builds = 0
    while kills < 25:
        target.write_bytes(OLD)
        more: list[str] = []
        while True:
            process = subprocess.Popen(
                [*command, *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
            try:
                _, errors = process.communicate(timeout=chance.uniform(0.05, 1.0) * duration)
            except subprocess.TimeoutExpired:
                process.kill()
                _, errors = process.communicate()
            if process.returncode == 0:
                break
            assert process.returncode == -signal.SIGKILL, errors
            assert target.read_bytes() in (OLD, expected)
            kills, more = kills + 1, ["--resume"]
        builds += 1
        assert target.read_bytes() == expected
        assert sorted(p.name for p in tmp_path.iterdir()) == ["docs.jsonl", "x.pocket"]
    print(f"{kills} kills, {builds} builds, {duration:.1f} s unbroken, process {os.getpid()}")


@pytest.mark.slow
def test_a_killed_build_of_an_address_goes_on(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "out" / "x.pocket"
    target.parent.mkdir()
    with file_server(tmp_path, tag='"1"') as here:
        words = (f"{here.url}docs.jsonl?sig=secret", "-o", target, *LEARN)
        whole = run(0, *words, "--json")
        expected, moments = target.read_bytes(), seen(whole)["moments"]
        for moment in range(20, moments + 1, 60):
            killed(moment, *words)
            resumed = run(0, *words, "--resume", "--json")
            assert report(resumed) == report(whole)
            assert target.read_bytes() == expected, moment
            assert os.listdir(target.parent) == ["x.pocket"]
        killed(moments // 2, *words)
        here.tag = '"2"'
        changed = run(0, *words, "--resume")
        assert changed.returncode == 2
        assert "cannot go on: size and version of http://127.0.0.1:" in changed.stderr
        assert "docs.jsonl?sig=... was [" in changed.stderr


def test_killed_twice_and_resumed_loses_nothing_of_either(source: Path, tmp_path: Path) -> None:
    source.write_text(lines(1200))
    target, journal = tmp_path / "x.pocket", tmp_path / "x.pocket.work" / "journal"
    command = source, "-o", target, "--profile", "en"
    assert seen(run(0, *command, chunk=150))["bytes"] == source.stat().st_size
    expected = target.read_bytes()
    finished = list[list[bytes]]()
    for moment, more in ((14, []), (10, ["--resume"])):
        assert run(moment, *command, *more, chunk=150).returncode == -signal.SIGKILL
        finished.append(journal.read_bytes().splitlines()[:-1])
    first, second = finished
    offset = json.loads(second[-1].partition(b" ")[2])["position"]["offset"]

    assert len(second) > len(first) > 1
    assert second[: len(first)] == first
    resumed = seen(run(0, *command, "--resume", chunk=150))
    assert resumed["bytes"] <= source.stat().st_size - offset
    assert target.read_bytes() == expected
