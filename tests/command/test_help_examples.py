"""Every example of the help runs as it stands, where the files that it names are there."""

from __future__ import annotations

import bz2
import csv
import gzip
import importlib
import io
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_pdf import made_pdf
from made_up import made_up
from pocketindex.builder.write.manifest import shard_of, write_manifest
from pocketindex.cli import COMMANDS
from run_command import run

pytestmark = pytest.mark.slow
EXAMPLE = re.compile(r"  (?=(?:pocketindex|curl|echo|cat|zcat) )((?:.*\\\n)*.*)")
WIKI = """<mediawiki xml:lang="en">
<siteinfo><namespaces><namespace key="0" /></namespaces></siteinfo>
<page><title>Light</title><ns>0</ns><id>1</id><revision><id>2</id><text>{}</text></revision></page>
</mediawiki>"""


def examples(command: str) -> list[str]:
    """The lines of a command's help that are commands."""
    module = importlib.import_module(COMMANDS[command][0])
    text = module.EXAMPLES + getattr(module, "MORE", "")
    return [match[1].replace("\\\n", " ") for match in EXAMPLE.finditer(text)]


def packed(path: Path, how: str) -> None:
    """Write the same file, packed."""
    import zstandard

    data = path.read_bytes()
    content = gzip.compress(data) if how == "gz" else zstandard.ZstdCompressor().compress(data)
    path.with_name(f"{path.name}.{how}").write_bytes(content)


def table(path: Path, rows: list[dict[str, str]]) -> None:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    path.parent.mkdir(exist_ok=True)
    parquet.write_table(arrow.Table.from_pylist(rows), path)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every file that an example names and does not make."""
    for package in ("zstandard", "pyarrow", "resiliparse", "pypdfium2", "scipy", "pycdlib", "lxml"):
        pytest.importorskip(package)
    folder = tmp_path_factory.mktemp("examples")
    topics = ["rivers", "hills"]
    documents = [
        {**one, "id": str(i), "topics": topics[i % 2], "published": f"2024-01-{i % 28 + 1:02}"}
        for i, one in enumerate(made_up(200))
    ]
    documents[3]["title"], documents[4]["title"] = "Light in August", "Émile"
    documents[5]["text"] += " volcano iceland new york subway"
    text = documents[12]["text"]
    names = "docs wiki posts news new held-out tests test train mine"
    for name in names.split():
        some = documents[160:] if name in ("new", "held-out", "tests", "test") else documents[:160]
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in some), encoding="utf-8")
        packed(path, "gz")
        packed(path, "zst")
    rows = [{name: one[name] for name in ("id", "title", "text")} for one in documents]
    lines = io.StringIO()
    writer = csv.DictWriter(lines, ["id", "title", "text"])
    writer.writeheader()
    writer.writerows(rows)
    (folder / "docs.csv.gz").write_bytes(gzip.compress(lines.getvalue().encode()))
    table(folder / "docs.parquet", rows)
    table(folder / "new.parquet", [{"id": one["id"], "body": one["text"]} for one in rows])
    table(folder / "quiz.parquet", [{"id": one["id"], "question": one["text"]} for one in rows[:9]])
    table(
        folder / "news" / "1.parquet",
        [{"url": f"u/{one['id']}", "body": one["text"], "headline": "a"} for one in rows],
    )
    for name in ("draft", "essay", "letter", "final"):
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    (folder / "page.html").write_text(f"<html><title>A page</title><p>{text}", encoding="utf-8")
    for site in ("public", "dist", "build/html"):
        (folder / site).mkdir(parents=True)
        (folder / site / "index.html").write_text(f"<title>A</title><main>{text}", encoding="utf-8")
    for name in ("essay", "reply", "paper"):
        plain = re.sub(r"[^a-zA-Z ]", "", text)
        (folder / f"{name}.pdf").write_bytes(made_pdf([plain[:300]]))
    (folder / "notes").mkdir()
    (folder / "notes" / "one.txt").write_text(text, encoding="utf-8")
    (folder / "essays").mkdir()
    for name in ("ann", "bob"):
        (folder / "essays" / f"{name}.txt").write_text(f"{text} {name}", encoding="utf-8")
    (folder / "gone.txt").write_text("1\n2\n")
    dump = "simplewiki-latest-pages-articles-multistream.xml.bz2"
    (folder / dump).write_bytes(bz2.compress(WIKI.format(text).encode()))
    (folder / "build" / "programs").mkdir()
    (folder / "build" / "programs" / "pocketquery-linux-x64").write_bytes(b"a program")
    whole: dict[str, Any] = {
        "index": ("documents", "passages", "words"),
        "keep": "text",
        "titles": True,
    }
    for name in ("docs", "wiki", "posts", "news", "large", "old", "new", "train", "crawl-1"):
        own: dict[str, Any] = {"label": "topics"} if name == "posts" else {}
        pocketindex.build(
            documents[:160], folder / f"{name}.pocket", progress=False, **whole, **own
        )
    more: dict[str, Any] = {"profile": folder / "docs.pocket", **whole}
    for name in ("2024", "2025", "2026", "crawl-2", "shards/0", "shards/1"):
        (folder / name).parent.mkdir(exist_ok=True)
        some = documents[40:160] if name[-1] in "02" else documents[:20]
        pocketindex.build(some, folder / f"{name}.pocket", progress=False, **more)
    shards = folder / "shards"
    write_manifest(shards, [shard_of(shards / f"{number}.pocket") for number in range(2)])
    return folder


@pytest.fixture
def here(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of them, and programs by their names."""
    own = shutil.copytree(made, tmp_path / "here")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, content in (
        ("pocketindex", f'exec "{sys.executable}" -m pocketindex "$@"\n'),
        ("ssh", 'shift; exec sh -c "$1"\n'),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{content}")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(own)
    return own


def followed(line: str) -> tuple[int, str]:
    """Run a line; in this process where no shell is needed."""
    words = shlex.split(line)
    if words[0] == "pocketindex" and not set(words) & {"|", "&&", ">", "<"} and "*" not in line:
        done = run(*words[1:])
    else:
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_there_are_examples_of_every_command() -> None:
    assert [command for command in COMMANDS if not examples(command)] == []
    assert sum(len(examples(command)) for command in COMMANDS) > 80


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "serve"])
def test_the_examples_run(command: str, here: Path) -> None:
    if command == "merge":  # its pattern takes what lies there: indexes of one profile
        for path in here.glob("*.pocket"):
            if not path.stem.isdigit():
                path.unlink()
    for line in examples(command):
        code, said = followed(line)

        # Nothing is at the addresses of the examples.
        assert code in ((0, 1, 2) if "://" in line else (0, 1)), (line, said)
        assert "Traceback" not in said, (line, said)


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found: int = free.getsockname()[1]
    return found


def test_the_examples_of_serve_run(here: Path, port: int) -> None:
    if not shutil.which("curl"):
        pytest.skip("there is no curl")
    first, second, *asked = examples("serve")
    for line in first + " --port 8007", second:
        words = line.replace("8007", str(port)).split()
        server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            for _ in range(300):
                with socket.socket() as client:
                    if client.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            for question in asked if line == second else ():
                question = question.replace("8007", str(port)).replace("curl -s", "curl -sS -f")
                done = subprocess.run(["sh", "-c", question], capture_output=True, text=True)
                assert done.returncode == 0, (question, done.stderr)
                assert "error" not in json.loads(done.stdout), question
        finally:
            server.terminate()
            server.wait()
