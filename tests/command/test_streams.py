"""What the command prints of strangers does not steer a terminal, and standard streams that are
closed, full or broken.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pocketindex import build
from pocketindex.streams import printable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo terminals")

ODD = "\x1b[2J\x9b31m\x07\u202egnp.\u2066\u200f\u061c\u2028x\ufeff\U000e0041"
WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
# Nothing of this may reach a terminal; the ends of lines and the two sequences that make a word
# bold are the command's own.
STEERING = {c for c in ODD if not c.isprintable()}


def text_of(number: int) -> str:
    """Two documents each have the same text."""
    return f"{WORDS} {ODD} " + " ".join(f"word{number // 2}x{i}" for i in range(40))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a collection, an index of it under an odd name, and a text."""
    folder = tmp_path_factory.mktemp("streams")
    rows = [
        {"id": f"{i}{ODD}", "title": f"Alpha {i // 2}{ODD}", "text": text_of(i)} for i in range(8)
    ]
    for row in rows:
        row["topic"] = "even" + ODD
    lines = [json.dumps(row) for row in rows]
    (folder / "docs.jsonl").write_text("\n".join([*lines, lines[0], "{bad" + ODD]) + "\n")
    (folder / "draft.txt").write_text(text_of(3))
    done = run_in(
        folder, "build", "docs.jsonl", "-o", f"odd{ODD}.pocket", "--profile", "learn", "--keep",
        "text", "--titles", "--index", "documents,passages,words", "--label", "topic",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def run_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "pocketindex", *arguments],
        cwd=folder,
        capture_output=True,
        check=False,
    )


def on_a_terminal(folder: Path, *arguments: str) -> str:
    """All that the command prints where both streams are a terminal."""
    ours, theirs = os.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "pocketindex", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "COLUMNS": "200"},
    )
    os.close(theirs)
    printed = b""
    while True:
        try:
            data = os.read(ours, 65_536)
        except OSError:  # the other side is closed
            data = b""
        if not data:
            break
        printed += data
    os.close(ours)
    child.wait()
    text = printed.decode()
    return text.replace("\r\n", "\n").replace("\033[1m", "").replace("\033[0m", "")


FILE = f"odd{ODD}.pocket"
ID = f"3{ODD}"
ASKED = {
    "info": ("info", FILE),
    "info --json": ("info", FILE, "--json"),
    "verify": ("verify", FILE),
    "get": ("get", FILE, ID),
    "get --json": ("get", FILE, ID, "--json"),
    "get --csv": ("get", FILE, ID, "--csv"),
    "get --full-text": ("get", FILE, ID, "--full-text"),
    "get, no such id": ("get", FILE, "none" + ODD),
    "titles": ("titles", FILE, "alpha"),
    "query": ("query", FILE, "draft.txt", "--explain"),
    "query --json": ("query", FILE, "draft.txt", "--json"),
    "search": ("search", FILE, "alpha gamma"),
    "search, no such word": ("search", FILE, "nothing" + ODD),
    "sources": ("sources", FILE, "draft.txt"),
    "classify": ("classify", FILE, "draft.txt"),
    "pairs": ("pairs", "docs.jsonl"),
    "pairs of a file": ("pairs", FILE, "--csv"),
    "fingerprint": ("fingerprint", "draft.txt"),
    "build": ("build", "docs.jsonl", "-o", f"again{ODD}.pocket", "--progress", "lines"),
    "check": ("check", FILE, "docs.jsonl"),
    "no such file": ("query", f"missing{ODD}", "draft.txt"),
    "no such command": (f"odd{ODD}",),
    "no such option": ("info", FILE, f"--odd{ODD}"),
}


# By default a few of them are tried: each is a process, or two.
FEW = {"info", "get --csv", "get --full-text", "query", "search", "pairs", "build", "no such file"}


@pytest.mark.parametrize(
    "command",
    [pytest.param(command, marks=[] if command in FEW else pytest.mark.slow) for command in ASKED],
)
def test_nothing_steers_a_terminal(command: str, folder: Path) -> None:
    printed = on_a_terminal(folder, *ASKED[command])

    assert printed
    assert "Traceback" not in printed
    # The line of progress goes back to its beginning.
    assert not STEERING & set(printed.replace("\r", "")), ascii(printed)
    if command not in ("fingerprint", "build"):
        assert "\\u202e" in printed.lower()


def test_what_programs_read_is_exact(folder: Path) -> None:
    (row,) = run_in(folder, "get", FILE, ID, "--json").stdout.decode().split("\n")[:1]
    csv = run_in(folder, "get", FILE, ID, "--csv").stdout.decode()
    pairs = run_in(folder, "pairs", "docs.jsonl").stdout.decode()
    text = run_in(folder, "get", FILE, ID, "--full-text").stdout.decode()

    assert json.loads(row)["id"] == ID
    assert ID in csv
    assert ID.replace("\x1b", "\\u001b").replace("\x07", "\\u0007") in pairs
    assert text == text_of(3)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["titles", "get", "query", "search", "info"])
def test_a_listing_is_for_people_wherever_it_goes(command: str, folder: Path) -> None:
    printed = run_in(folder, *ASKED[command]).stdout.decode()

    assert not STEERING & set(printed)
    assert "\\u202e" in printed


@given(st.text())
def test_what_is_printable_stays_and_the_rest_can_be_read_back(text: str) -> None:
    shown = printable(text)

    assert all(c.isprintable() or c not in STEERING for c in shown)
    if "\\" not in text and '"' not in text:
        assert json.loads(f'"{shown}"') == text
    assert printable("Ærø, 東京, ن‌ه, 👩‍🔬, \u00a0") == "Ærø, 東京, ن‌ه, 👩‍🔬, \u00a0"
    assert printable("a\tb\nc\r", lines=True) == "a\tb\nc\\r"


# ---- streams that take nothing ----


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A device on which no space is left, made in a folder of the test."""
    path = tmp_path / "full"
    try:
        os.mknod(path, 0o600 | 0o020000, os.makedev(1, 7))
        with path.open("wb", buffering=0) as device:
            device.write(b"x")
    except OSError as error:
        if error.errno == 28:
            return path
        pytest.skip(f"no device can be made here: {error.strerror}")
    pytest.skip("it takes what is written")


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line in which POCKET stands for the command."""
    line = line.replace("POCKET", f"'{sys.executable}' -m pocketindex")
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False
    )


ANSWERS = ["info FILE", "info FILE --json", "query FILE draft.txt", "--help", "build --help-all"]


@pytest.mark.slow
@pytest.mark.parametrize("asked", [*ANSWERS, "get FILE ID --full-text"])
def test_an_answer_that_cannot_be_written(asked: str, folder: Path, full: Path) -> None:
    asked = asked.replace("FILE", "odd*.pocket").replace("ID", "3*")
    done = shell(folder, f"POCKET {asked} > '{full}'")

    if "ID" not in asked and "3*" not in asked:
        assert done.stderr.startswith("pocketindex: standard output: No space left on device")
    assert "Traceback" not in done.stderr
    assert done.returncode == (1 if "3*" in asked else 2)


def test_a_long_text_that_cannot_be_written(tmp_path: Path, full: Path) -> None:
    """It is written before the end, as bytes."""
    text = "a text of five words " * 3_000
    build([{"id": "1", "text": text}], tmp_path / "x.pocket", keep="text", progress=False)
    done = shell(tmp_path, f"POCKET get x.pocket 1 --full-text > '{full}'")

    assert done.stderr == "pocketindex: standard output: No space left on device\n"
    assert done.returncode == 2


@pytest.mark.parametrize(
    "asked", [ANSWERS[0], *(pytest.param(one, marks=pytest.mark.slow) for one in ANSWERS[1:])]
)
def test_standard_output_that_is_closed(asked: str, folder: Path) -> None:
    done = shell(folder, f"POCKET {asked.replace('FILE', 'odd*.pocket')} >&-")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ("pocketindex: standard output is closed; send it to a file or a pipe\n")


@pytest.mark.parametrize("way", ["2>&-", "2>'{full}'", "2>broken"])
def test_a_report_that_cannot_be_written(
    way: str, folder: Path, full: Path, tmp_path: Path
) -> None:
    """No failure, and nothing of it is on standard output."""
    target, said = tmp_path / "new.pocket", tmp_path / "said"
    where = way.format(full=full)
    if way == "2>broken":  # a pipe whose reader has gone
        line = (
            f"(sleep 0.3; POCKET build docs.jsonl -o '{target}'; echo $? > '{said}') 2>&1 >&3 | :"
        )
        done = shell(folder, f"exec 3>&1; {line}; while [ ! -s '{said}' ]; do sleep 0.1; done")
        code = int(said.read_text())
    else:
        done = shell(folder, f"POCKET build docs.jsonl -o '{target}' {where}")
        code = done.returncode

    assert (code, done.stdout) == (0, "")
    assert target.stat().st_size > 1000


@pytest.mark.parametrize("way", ["2>&-", "2>'{full}'"])
def test_an_error_that_cannot_be_written(way: str, folder: Path, full: Path) -> None:
    done = shell(folder, f"POCKET query odd*.pocket missing.txt {way.format(full=full)}")

    assert (done.returncode, done.stdout) == (2, "")


def test_a_reader_that_has_seen_enough(folder: Path) -> None:
    line = "(sleep 0.3; POCKET get odd*.pocket '3'* --json; echo $? >&2) | :"
    done = shell(folder, line.replace("get odd*.pocket '3'* --json", "--help"))

    assert done.stderr == "141\n"


@pytest.mark.parametrize(
    "command",
    [
        "dedup docs.jsonl -o -",
        pytest.param("dedup docs.jsonl -o /dev/stdout", marks=pytest.mark.slow),
        pytest.param("pairs docs.jsonl -o -", marks=pytest.mark.slow),
        pytest.param("check odd*.pocket docs.jsonl -o -", marks=pytest.mark.slow),
        pytest.param("build docs.jsonl -o - --profile learn", marks=pytest.mark.slow),
    ],
)
def test_a_reader_of_an_output_has_seen_enough(command: str, folder: Path) -> None:
    """An output is bytes, and its pipe ends like that of a text."""
    done = shell(folder, f"{{ POCKET {command}; echo $? >&2; }} | sleep 0")

    assert done.stderr.split("\n")[-2] == "141", done.stderr
    assert "pocketindex: " not in done.stderr.replace("pocketindex: docs.jsonl:", "")
