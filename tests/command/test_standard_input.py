"""`-` is standard input in every command, whatever files lie in the folder; a file of that name is
./-.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pocketindex
import pytest
from made_up import made_up
from near_duplicates import write
from run_command import run

DOCUMENTS = list(made_up(40))
LINES = "".join(json.dumps(one) + "\n" for one in DOCUMENTS)
TEXT = DOCUMENTS[5]["text"]
ROWS = "id\ttext\n" + "".join(f"{one['id']}\t{one['text']}\n" for one in DOCUMENTS)
# What is asked, and what it reads.
READING: dict[str, tuple[str, str | bytes]] = {
    "build": ("build - -o x.pocket", LINES),
    "build, tabs": ("build - --format tsv -o x.pocket", ROWS),
    "build, packed": ("build - -o x.pocket", gzip.compress(LINES.encode(), mtime=0)),
    "update": ("update docs.pocket - -o x.pocket", LINES),
    "update --remove": ("update docs.pocket --remove - -o x.pocket", "doc-3\ndoc-4\n"),
    "pairs": ("pairs -", LINES * 2),
    "dedup": ("dedup - -o x.jsonl", LINES * 2),
    "profile": ("profile - --name p -o x.profile", LINES),
    "query": ("query docs.pocket -", TEXT),
    "query --batch": ("query docs.pocket --batch -", LINES),
    "sources": ("sources docs.pocket -", TEXT),
    "search": ("search docs.pocket -", TEXT.split()[0]),
    "check": ("check docs.pocket -", LINES),
    "check --source": ("check docs.pocket docs.jsonl --source -", LINES),
    "fingerprint": ("fingerprint -", TEXT),
    "fingerprint of nothing": ("fingerprint", TEXT),
}
BESIDE = {
    "nothing": b"",
    "a pocket file": b"",  # that of the fixture
    "other documents": b'{"id": "other", "text": "a text of other words than all of those"}\n',
    "a ZIM file": b"ZIM\x04 and no more",
    "a page": b"<!doctype html><p>a page of words",
}


@pytest.fixture(scope="module")
def pocket(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("pocket") / "docs.pocket"
    source = write(path.with_name("docs.jsonl"), DOCUMENTS)
    index = ("documents", "passages", "words")
    pocketindex.build(source, path, profile="en", index=index)
    return path.read_bytes()


@pytest.fixture
def here(pocket: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs.pocket").write_bytes(pocket)
    write(tmp_path / "docs.jsonl", DOCUMENTS)
    return tmp_path


@pytest.mark.parametrize("command", READING)
def test_no_file_is_taken_for_it(command: str, here: Path, pocket: bytes) -> None:
    line, data = READING[command]
    seen = list[tuple[int, str, dict[str, bytes]]]()
    for beside, content in BESIDE.items():
        (here / "-").write_bytes(pocket if beside == "a pocket file" else content)
        if beside == "nothing":
            (here / "-").unlink()
        done = run(*line.split(), stdin=data)
        made = {path.name: path.read_bytes() for path in here.glob("x.*")}
        seen.append((done.returncode, done.stdout, made))
        for path in here.glob("x.*"):
            path.unlink()
    assert seen[0][0] == 0, done.stderr
    assert seen[0][1] or seen[0][2]
    assert seen == [seen[0]] * len(BESIDE)


@pytest.mark.parametrize(
    ("command", "data"),
    [
        ("build - -o x.pocket", LINES),
        ("query docs.pocket -", TEXT),
        ("check docs.pocket -", LINES),
        ("dedup - -o x.jsonl", LINES),
        ("update docs.pocket --remove -", "doc-3\n"),
    ],
)
def test_a_file_of_that_name_is_given_by_its_folder(command: str, data: str, here: Path) -> None:
    (here / "-").write_text(data)
    words = [{"-": "./-"}.get(word, word) for word in command.split()]
    done = run(*words, "--format", "jsonl") if words[0] == "build" else run(*words)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "info -",
        "verify -",
        "merge docs.pocket - -o x.pocket",
        "update - docs.jsonl -o x.pocket",
        "diff docs.pocket -",
        "get - doc-1",
        "titles - Doc",
        "disc - OUT",
        "query - docs.jsonl",
    ],
)
def test_an_index_is_never_standard_input(command: str, here: Path, pocket: bytes) -> None:
    (here / "-").write_bytes(pocket)
    done = run(*command.split(), stdin=pocket)
    assert done.returncode == 2
    assert done.stderr == (
        "pocketindex: -: an index cannot be standard input or output; give the path of a pocket "
        "file (a file named - is given as ./-)\n"
    )


def test_a_profile_is_never_standard_input(here: Path, pocket: bytes) -> None:
    (here / "-").write_bytes(pocket)
    done = run("build", "docs.jsonl", "-o", "x.pocket", "--profile", "-", stdin=pocket)
    assert (done.returncode, "a profile cannot be standard input" in done.stderr) == (2, True)
    assert run("build", "docs.jsonl", "-o", "x.pocket", "--profile", "./-").returncode == 0


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("build - - -o x.pocket", "standard input is given twice"),
        ("update docs.pocket - --remove -", "standard input is given twice"),
        ("update docs.pocket --remove - --remove -", "standard input is given twice"),
        ("check docs.pocket - --source -", "TESTSET and --source are both standard input"),
        ("check docs.pocket - --ignore -", "TESTSET and --ignore are both standard input"),
        ("check - --clean - -o x.jsonl", "TESTSET and --clean are both standard input"),
        ("sources docs.pocket - --ignore -", "TEXT and --ignore are both standard input"),
        ("dedup - -o x.jsonl --against -", "SOURCE and --against are both standard input"),
        ("dedup - -o x.jsonl --replay -", "SOURCE and --replay are both standard input"),
        ("build - --format folder -o x.pocket", "the format folder is not; give a path"),
    ],
)
def test_it_is_read_once(command: str, message: str, here: Path) -> None:
    before = sorted(path.name for path in here.iterdir())
    done = run(*command.split(), stdin=LINES)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert sorted(path.name for path in here.iterdir()) == before
