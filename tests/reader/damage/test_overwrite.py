"""A file that is overwritten in place while it is open: an answer of either file or an error, and
never a step out of bounds.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Thread

import pocketindex
import pytest
from core_sources import SANITIZE, harness, run
from made_up import made_up
from pocketindex.builder import Settings, build
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.errors import FileChanged, PocketError
from pocketindex.queries.hits import Hits
from small import write_small
from ticking import in_ticking

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="needs a C compiler and POSIX signals"
)

TEXT = made_up(1)[0]["text"]
SCHEMES = ("rff", "ff", "plsh", "simhash", "minhash", "wminhash")


def written(path: Path, count: int, start: int) -> str:
    """Documents that the questions of tests/c/ask.h find."""
    documents = [
        {
            "id": f"id {i}",
            "title": f"List of lights {i}",
            "text": f"alpha beta gamma mu {document['text'] * (1 + i % 7)}",
        }
        for i, document in enumerate(made_up(start + count)[start:])
    ]
    path.write_text(
        "".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8"
    )
    return str(path)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Of every scheme, with titles and texts, and some with more identity bits, cells, or the same
    layout as another.
    """
    folder = tmp_path_factory.mktemp("overwrite")
    few, many = written(folder / "few.jsonl", 40, 0), written(folder / "many.jsonl", 150, 40)
    others = written(folder / "others.jsonl", 150, 200)
    found = [write_small(folder / "small.pocket")]

    def add(source: str, **chosen: object) -> None:
        path = folder / f"{len(found)}.pocket"
        settings = {
            "profile": "learn",
            "keys_per_part": 30,
            "keep": "text",
            "titles": True,
            **chosen,
        }
        build([source], path, Settings(**settings))  # type: ignore[arg-type]
        found.append(path)

    for i, scheme in enumerate(SCHEMES):
        add((few, many, others)[i % 3], scheme=scheme)
    add(many, identity_bits=32)
    add(others, identity_bits=32)
    add(many, scheme_settings=RffSettings(cells=8), keep="snippet")
    return found


QUESTIONS: list[Callable[[pocketindex.Index], object]] = [
    lambda index: index.query(TEXT),
    lambda index: index.query(TEXT, exhaustive=True),
    lambda index: index.query(TEXT, probes=40),
    lambda index: index.like(0),
    lambda index: index.titles("list"),
    lambda index: index.record(3),
    lambda index: index.text(3),
    lambda index: index.document("id 3"),
    lambda index: index.verify(),
]


def answers(index: pocketindex.Index) -> list[object]:
    """What it says to each question, or the kind of its error: a file without texts or titles has
    none to give.
    """
    found = list[object]()
    for ask in QUESTIONS:
        try:
            answer = ask(index)
            found.append(
                [(hit.id, hit.title, hit.similarity) for hit in answer]
                if isinstance(answer, Hits)
                else answer
            )
        except PocketError as error:
            found.append(type(error))
    return found


def test_fifty_overwrites_at_random_moments(files: list[Path], tmp_path: Path) -> None:
    """By a thread, with and without truncating the file first; once it is over, nothing is
    answered.
    """
    chance = Random(2007)
    path = tmp_path / "live.pocket"
    expected = []
    for file in files:
        with pocketindex.open(file) as index:
            expected.append(answers(index))

    def overwrite(source: Path, wait: float, mode: str) -> None:
        data = source.read_bytes()
        time.sleep(wait)
        with path.open(mode) as stream:
            stream.write(data)

    for _ in range(50):
        before, after = chance.sample(range(len(files)), 2)
        path.unlink(missing_ok=True)
        shutil.copyfile(files[before], path)
        with pocketindex.open(path) as index:
            thread = Thread(
                target=overwrite,
                args=(files[after], chance.random() * 0.01, chance.choice(("wb", "r+b"))),
            )
            thread.start()
            while thread.is_alive():
                found = answers(index)
                assert all(
                    own in (FileChanged, right)
                    for own, right in zip(found, expected[before], strict=True)
                )
            thread.join()
            with pytest.raises(FileChanged):
                index.verify()


AT_ONCE = """
import shutil, sys
from pathlib import Path
import pocketindex
from pocketindex.errors import FileChanged

path, source, text = Path(sys.argv[1]) / "live.pocket", *sys.argv[2:]
answered = 0
for _ in range(100):
    path.unlink(missing_ok=True)
    shutil.copyfile(source, path)
    with pocketindex.open(path) as index:
        shutil.copyfile(source, path)
        try:
            index.query(text)
            answered += 1
        except FileChanged:
            pass
print(answered)
"""


@pytest.mark.parametrize("ticks", [False, True], ids=["here", "where the clock ticks"])
def test_an_overwrite_right_after_opening(files: list[Path], tmp_path: Path, ticks: bool) -> None:
    """By the same bytes, in the tick of the clock in which the file was made: its times tell."""
    live = tmp_path / "live"
    live.mkdir()
    command = [sys.executable, "-c", AT_ONCE, str(live), str(files[1]), TEXT]
    done = subprocess.run(
        [*(in_ticking(live) if ticks else []), *command], capture_output=True, text=True
    )

    assert done.stdout == "0\n", done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("ticks", [False, True], ids=["here", "where the clock ticks"])
def test_a_thousand_overwrites_at_random_moments_under_sanitizers(
    files: list[Path], tmp_path: Path, ticks: bool
) -> None:
    flags = (*SANITIZE, "-pthread", "-DMAX_CANDIDATES=4096")
    overwrite = harness(tmp_path / "overwrite", "overwrite.c", *flags, mapping=True)
    live = tmp_path / "live"
    live.mkdir()
    before = in_ticking(live) if ticks else []
    done = run(*before, overwrite, "1000", "2007", live / "live.pocket", *files)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "1000 rounds" in done.stdout


def test_every_call_names_the_file_that_changed(files: list[Path], tmp_path: Path) -> None:
    """Files of the same size, too: nothing but its times tells that the second is another one."""
    path = tmp_path / "live.pocket"
    shutil.copyfile(files[1], path)
    with pocketindex.open(path) as index:
        hits = index.query(TEXT)
        path.write_bytes(files[1].read_bytes())  # the same bytes again
        with pytest.raises(FileChanged) as caught:
            assert hits[0].title
        assert str(caught.value) == (
            f"{path}: changed: it was written to while open; open it again; replace files by "
            "renaming"
        )
        for source in (files[1], files[2], files[4]):
            path.write_bytes(source.read_bytes())
            assert answers(index) == [FileChanged] * len(QUESTIONS)


def test_a_file_that_is_replaced_by_renaming_stays_readable(
    files: list[Path], tmp_path: Path
) -> None:
    path = tmp_path / "live.pocket"
    shutil.copyfile(files[1], path)
    with pocketindex.open(path) as index:
        hits = index.query(TEXT)
        shutil.copyfile(files[2], tmp_path / "new.pocket")
        (tmp_path / "new.pocket").rename(path)

        assert index.query(TEXT) == hits
        index.verify()
