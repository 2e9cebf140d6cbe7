"""The tally and the progress line."""

from __future__ import annotations

import io
import itertools
import json
from pathlib import Path

import pytest
from made_up import made_up
from pocketindex.builder import build
from pocketindex.builder.document import Skip
from pocketindex.builder.progress import Progress
from pocketindex.builder.tally import ORDINARY, Refused, Tally


def test_counts_and_examples() -> None:
    report = Tally()
    report.arrive(10)
    report.reject(Skip("d.jsonl:3", "bad line", "no JSON\x1b[31m"))
    for i in range(5):
        report.skip(Skip(f"id-{i}", "too short", "2 terms"))
    report.index(5)
    report.check()

    assert report.text().splitlines()[0] == "11 read, 5 indexed, 6 skipped"
    assert "\x1b" not in report.text()
    assert report.as_dict()["skipped"] == {"too short": 5, "bad line": 1}
    assert len(report.as_dict()["examples"]["too short"]) == 3


def test_counts_that_do_not_add_up() -> None:
    report = Tally()
    report.arrive(2)
    report.index()
    with pytest.raises(AssertionError, match="do not add up: 2 read, 1 indexed, 0 skipped"):
        report.check()


def test_strict() -> None:
    with pytest.raises(Refused, match="d:1: bad line: no JSON; correct it, or run without strict"):
        Tally(strict=True).reject(Skip("d:1", "bad line", "no JSON"))


def test_strict_counts_what_is_no_document_by_kind() -> None:
    report = Tally(strict=True)
    for reason in sorted(ORDINARY):
        report.reject(Skip("d:1", reason, "it is one"))

    expected = ("http status", "link", "other name space", "redirect", "replaced", "revisit")
    assert report.skipped == dict.fromkeys(expected, 1)
    assert report.read == len(expected)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_is_drawn_on_a_terminal_only() -> None:
    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        now = iter(range(1000))
        with Progress(stream, clock=lambda now=now: float(next(now))) as progress:  # type: ignore[misc]
            progress.phase("reading", 1000)
            progress.measure(500)
            progress.add(7)
        text = stream.getvalue()

        assert ("reading" in text) == drawn
        assert ("50%" in text) == drawn
        assert not drawn or text.endswith("\r")


@pytest.mark.parametrize(("done", "left"), [((500, 600), 8.0), ((0, 600), 1.3)])
def test_what_a_stopped_build_had_read_says_nothing_of_the_speed(
    done: tuple[int, int], left: float
) -> None:
    """Of 1,000 bytes 600 are read after two seconds: 100 of them, or all, in that time."""
    stream, now = io.StringIO(), [0.0]
    with Progress(stream, lambda: now[0], "json") as progress:
        progress.phase("reading", 1000)
        progress.measure(done[0])
        progress.add()
        now[0] = 2.0
        progress.measure(done[1])

    assert json.loads(stream.getvalue().splitlines()[-1])["eta"] == left


def test_reasons_stand_by_how_often_they_occurred_then_by_name() -> None:
    report = Tally()
    report.arrive(7)
    for reason in (
        "unreadable",
        "too short",
        "bad line",
        "no text",
        "bad line",
        "no text",
        "empty",
    ):
        report.skip(Skip("d:1", reason, "it is one"))
    expected = ["bad line", "no text", "empty", "too short", "unreadable"]

    assert list(report.as_dict()["skipped"]) == expected
    lines = report.text().splitlines()
    assert [line[4:] for line in lines if line[2:4] in ("1 ", "2 ")] == expected


def test_a_build_says_how_many_bytes_of_its_sources_are_read(tmp_path: Path) -> None:
    sources = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for number, path in enumerate(sources):
        texts = made_up(200)[100 * number : 100 * number + 100]
        path.write_text("".join(json.dumps(one) + "\n" for one in texts))
    stream, now = io.StringIO(), itertools.count()
    with Progress(stream, lambda: float(next(now)), "json") as progress:
        build(list(map(str, sources)), tmp_path / "x.pocket", progress=progress)
    said = [json.loads(line) for line in stream.getvalue().splitlines()]
    read = [one for one in said if one["unit"] == "bytes"]
    done = [one["done"] for one in read]

    assert {one["total"] for one in read} == {sum(path.stat().st_size for path in sources)}
    assert done == sorted(done)
    assert 0 < done[0] < done[-1] == read[-1]["total"]
