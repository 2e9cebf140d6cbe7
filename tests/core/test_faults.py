"""Every command that writes, with calls of the system that fail, one after the other, or at which
it is killed: the old output or the new one, one line of message, and no litter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from compiled import HARNESSES, compile_c
from made_up import made_up
from places import HELPERS
from run_command import run

FAILING = HELPERS / "attack" / "failing.py"
# How many there are at least in a build; reads and openings are many, so that by default every so
# many of them are tried.
CALLS = {
    "write": 20,
    "fsync": 12,
    "rename": 5,
    "close": 12,
    "link": 1,
    "mkdir": 1,
    "ftruncate": 1,
    "mmap": 1,
    "malloc": 20,
    "open": 40,
    "read": 60,
}
SAMPLE = {"fsync": 3, "rename": 2, "malloc": 5, "open": 13}
HOWS = ("first", "lasting", "kill")
STEPS = {"write": 3, "close": 5, "malloc": 11, "open": 17, "read": 31}
# A command with its output as it was, and as it will be: the commands that make the old one, and
# the one that is attacked. {out} is the output.
BUILD = "build {docs} --profile learn --threads 1 --cells 4 --keep text --titles -o"
COMMANDS: dict[str, tuple[str, list[str], str]] = {
    "build": ("x.pocket", ["build {docs} -o {out}"], BUILD + " {out}"),
    "update": ("x.pocket", [BUILD + " {out}"], "update {out} {more} --skipped {beside}/s.jsonl"),
    "merge": (
        "x.pocket",
        ["build {docs} -o {out}", "build {more} -o {beside}/y.pocket --profile {out}"],
        "merge {out} {beside}/y.pocket -o {out}",
    ),
    "dedup": ("x.jsonl", ["dedup {more} -o {out}"], "dedup {docs} -o {out}"),
    "dedup over its source": (
        "x.jsonl",
        ["dedup {twice} -o {out} --min-similarity 1"],
        "dedup {out} -o {out} --measure cosine --min-similarity .3",
    ),
    "pairs": (
        "x.jsonl",
        ["pairs {twice} -o {out}"],
        "pairs {twice} -o {out} --measure cosine --min-similarity .3",
    ),
    "check": (
        "x.jsonl",
        ["build {docs} -o {beside}/y.pocket", "check {beside}/y.pocket {more} -o {out}"],
        "check {beside}/y.pocket {docs} -o {out}",
    ),
    "profile": ("x.profile", ["profile {more} -o {out}"], "profile {docs} -o {out}"),
    "sources": (
        "x.html",
        [
            "build {docs} -o {beside}/y.pocket --index documents,passages",
            "sources {beside}/y.pocket {more} --format text --html {out}",
        ],
        "sources {beside}/y.pocket {docs} --format text --html {out}",
    ),
    "disc": (
        "disc",
        ["build {docs} -o {beside}/y.pocket", "disc {beside}/y.pocket {out} --title Old"],
        "disc {beside}/y.pocket {out} --force --title New --with-file",
    ),
    # Not to be exchanged as a whole, because of the folder that failed() puts into it.
    "disc that stays": (
        "disc",
        ["build {docs} -o {beside}/y.pocket", "disc {beside}/y.pocket {out} --title Old"],
        "disc {beside}/y.pocket {out} --force --title New --with-file",
    ),
    "evaluate": (
        "report",
        ["evaluate {long} --schemes simhash --queries 20 --seed 1 -o {out}"],
        "evaluate {long} --schemes simhash --queries 20 --seed 2 -o {out} --progress none",
    ),
}

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="needs a C compiler and Linux"
)


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_c(
        tmp_path_factory.mktemp("faults") / "faults.so",
        [HARNESSES / "faults.c"],
        "-shared",
        "-fPIC",
        "-Wno-pedantic",
        "-ldl",
    )


def failed(command: str, specs: list[str], faults: Path, folder: Path) -> list[dict[str, object]]:
    """What came of runs of a command that replace its output, one for each number of a call."""
    documents = made_up(60)
    lists = {
        "docs": documents,
        "more": [{**one, "id": f"more-{one['id']}"} for one in made_up(70)[40:]],
        "twice": [*documents, *({**one, "id": f"again-{one['id']}"} for one in documents)],
        "long": [{**one, "text": f"{one['text']} " * 9} for one in made_up(120)]
        if command == "evaluate"
        else [],
    }
    name, before, attacked = COMMANDS[command]
    names = {"out": folder / "out" / name, "beside": folder}
    names["out"].parent.mkdir()
    for list_name, some in lists.items():
        names[list_name] = folder / f"{list_name}.jsonl"
        names[list_name].write_text("".join(json.dumps(one) + "\n" for one in some))
    for one in before:
        done = run(*one.format_map(names).split())
        assert done.returncode == 0, done.stderr
    if command == "disc that stays":
        (names["out"] / ".git").mkdir()
        (names["out"] / ".git" / "HEAD").write_text("ref: refs/heads/main")
    line = [sys.executable, FAILING, ",".join(specs), names["out"]]
    done = subprocess.run(
        [*map(str, line), *attacked.format_map(names).split()],
        capture_output=True,
        text=True,
        env={**os.environ, "LD_PRELOAD": str(faults)},
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"')]
    found = list[dict[str, object]]()
    for one in lines:
        if "calls" not in one:
            found.append(one)
            continue
        assert (one["file"], one["differs"]) == ("new", True), one
        if command == "build":
            assert one["calls"] >= CALLS[one["of"].partition(":")[0]], one
    tried = Counter(f"{one['call']}:{one['how']}" for one in found)
    for one in lines:
        if "calls" in one:
            call, how, start, step = one["of"].split(":")
            first = int(start) if int(start) > 0 else max(1, one["calls"] + 1 + int(start))
            assert tried[f"{call}:{how}"] == len(range(first, one["calls"] + 1, int(step)))
    return found


def check(found: list[dict[str, object]]) -> None:
    for one in found:
        said = str(one["said"])
        assert "Traceback" not in said, one
        assert one["code"] in (0, 2), one
        assert one["file"] == "new" if one["code"] == 0 else one["file"] in ("old", "new"), one
        # Nobody can remove a folder that cannot be opened any more; the next run does.
        assert one["litter"] == [] or (one["call"], one["how"]) == ("open", "lasting"), one
        lines = [line for line in said.splitlines() if line.startswith("pocketindex: ")]
        assert one["code"] == 0 or len(lines) == 1, one


@pytest.mark.parametrize("call", SAMPLE)
def test_some_calls_of_a_build_that_fail(call: str, faults: Path, tmp_path: Path) -> None:
    spec = f"{call}:lasting:{2 if call != 'rename' else 1}:{SAMPLE[call]}"
    found = failed("build", [spec], faults, tmp_path)
    check(found)
    assert any(one["code"] == 2 for one in found)


@pytest.mark.parametrize("command", ["update", "merge", "check", "disc", "disc that stays"])
def test_some_calls_of_each_command_that_fail(command: str, faults: Path, tmp_path: Path) -> None:
    step = 1 if command == "disc" else 3
    found = failed(command, [f"rename:{how}:1:{step}" for how in HOWS], faults, tmp_path)
    check(found)
    assert {one["how"] for one in found} == {*HOWS}
    assert any(one["code"] == 2 for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("call", CALLS)
def test_every_call_of_a_build_that_fails(
    call: str, how: str, faults: Path, tmp_path: Path
) -> None:
    check(failed("build", [f"{call}:{how}:1:1"], faults, tmp_path))


@pytest.mark.nightly
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "build"])
def test_calls_of_each_command_that_fail(
    command: str, call: str, faults: Path, tmp_path: Path
) -> None:
    """Of calls that are many, every so many of them."""
    step = STEPS.get(call, 1)
    # evaluate builds hundreds of files before it writes its own.
    specs = [f"{call}:{how}:{'-4:1' if command == 'evaluate' else f'1:{step}'}" for how in HOWS]
    check(failed(command, specs, faults, tmp_path))
