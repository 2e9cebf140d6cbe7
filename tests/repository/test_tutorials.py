"""The tutorials do what they say: each is followed in an empty folder, block by block.

A block with a title is a file to be written. A console block is run in bash; where it shows what a
command prints, the command has to print it. A line of three dots stands for any lines, three dots
within a line for any characters. A command has to succeed, unless `echo $?` follows it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").exists())
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(
    r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<body>.*?)^```$', re.M | re.S
)
END = "\x1e"  # printed after each command, with its exit code


class Command(NamedTuple):
    """A command of a console block, and what the block shows of its output."""

    line: str
    shown: str


@pytest.mark.parametrize("path", TUTORIALS, ids=[path.stem for path in TUTORIALS])
def test_a_tutorial(path: Path, tmp_path: Path) -> None:
    text = path.read_text("utf-8")
    if "\n$ cc " in text and not (shutil.which("cc") and shutil.which("make")):
        pytest.skip("needs a C compiler")
    (tmp_path / "pocketindex").symlink_to(ROOT)  # the checkout that a reader has
    followed = 0
    for block in BLOCK.finditer(text):
        if block["title"]:
            target = tmp_path / block["title"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block["body"], "utf-8")
        elif block["kind"] == "console":
            followed += follow(commands(block["body"]), tmp_path)
        else:
            assert block["kind"] == "text", f"{path.name}: a block that nothing runs: {block[0]}"
    assert followed > 2


def commands(body: str) -> list[Command]:
    """The commands of a console block; a line that begins with > continues one."""
    found: list[Command] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], ""))
        elif line.startswith("> ") and not found[-1].shown:
            found[-1] = Command(f"{found[-1].line}\n{line[2:]}", "")
        else:
            found[-1] = Command(found[-1].line, f"{found[-1].shown}{line}\n")
    return found


def follow(block: list[Command], folder: Path) -> int:
    """Run the commands of a block in one shell, and compare; returns how many there were."""
    ends = f"\ncode=$?; printf '{END}%s{END}' $code; (exit $code)\n"
    script = "".join(command.line + ends for command in block)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    ran = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    parts = ran.stdout.decode("utf-8").split(END)[:-1]
    outputs, codes = parts[::2], [int(code) for code in parts[1::2]]
    assert len(outputs) == len(block), ran.stdout.decode("utf-8")
    asked = [command.line == "echo $?" for command in block[1:]] + [False]
    for command, output, code, expected in zip(block, outputs, codes, asked, strict=True):
        assert code == 0 or expected, f"$ {command.line}\n{output}"
        if command.shown:
            assert agrees(output, command.shown), f"$ {command.line}\n{output}\n{command.shown}"
    return len(block)


def agrees(output: str, shown: str) -> bool:
    """Whether an output is what is shown, with dots for what may differ."""
    lines = []
    for line in shown.rstrip("\n").splitlines():
        if line == "...":
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(re.escape(line.rstrip()).replace(re.escape("..."), ".*") + r"[ \t]*\n")
    return re.fullmatch("".join(lines), output.rstrip("\n") + "\n") is not None


@pytest.mark.parametrize(
    ("output", "shown", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nc\n", "a\nb\n", False),
        ("0.93  A title\n", "0.9...  A title\n", True),
        ("a\nb\nc\n", "a\n...\nc\n", True),
        ("a\nb\nc\n", "a\n", False),
    ],
)
def test_what_agrees(output: str, shown: str, same: bool) -> None:
    assert agrees(output, shown) is same


def test_what_a_console_block_has() -> None:
    body = "$ printf 'a\\n' \\\n>   | cat\na\n$ false\n$ echo $?\n1\n"
    assert commands(body) == [
        Command("printf 'a\\n' \\\n  | cat", "a\n"),
        Command("false", ""),
        Command("echo $?", "1\n"),
    ]
