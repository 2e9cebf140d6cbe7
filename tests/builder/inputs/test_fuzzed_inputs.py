"""Files that a fuzzer made: a reader may refuse one, and says something of each record; it does not
crash, hang, or read the same bytes in two ways. tests/fuzz_inputs.py finds more of them.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import fuzzed_inputs
import pytest
from fuzz_inputs import targets
from fuzzed_inputs import KINDS, Finding, check, expected_records
from input_mutations import PACKERS
from input_seeds import CORPUS, seeds
from places import TESTS
from pocketindex.builder.document import Document, Skip
from pocketindex.builder.inputs import Input
from pocketindex.builder.inputs.source import OnBytes, OnSkip, SourceError, unmeasured
from pocketindex.kinds import PACKED

MOST_BYTES = 100_000


@pytest.mark.parametrize("name", KINDS)
def test_what_a_reader_has_failed_on(name: str, tmp_path: Path) -> None:
    for path in sorted((CORPUS / name).glob("*")):
        check(name, path.read_bytes(), tmp_path)


def test_the_corpus_is_small_and_of_known_kinds() -> None:
    files = [path for path in CORPUS.rglob("*") if path.is_file()]
    assert {path.parent.name for path in files} <= set(KINDS)
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_the_seeds_are_read(name: str, tmp_path: Path) -> None:
    for content in seeds(name):
        check(name, content, tmp_path)


# ---- The rules find what breaks them ----


class Odd:
    """A reader that breaks a rule: its documents are the lines of a file."""

    def __init__(self, breaks: str) -> None:
        self.breaks, self.count = breaks, 0

    def documents(
        self, source: str, skip: OnSkip, measure: OnBytes = unmeasured
    ) -> Iterator[Document]:
        self.count += 1
        for number, line in enumerate(Path(source).read_text().splitlines()):
            if self.breaks == "raises" and number:
                raise IndexError("no such thing")
            if self.breaks == "refuses" and number:
                raise SourceError(source, "cannot be read")
            if self.breaks == "loses" and number:
                return
            if self.breaks == "skips" and number:
                skip(Skip(source, "unreadable", "as it is"))
                continue
            if self.breaks == "fails apart" and number:
                skip(Skip(source, "unreadable", "its reader failed: IndexError: no such thing"))
                continue
            text = line + str(self.count) * (self.breaks == "differs")
            yield Document(f"{number}", "", text)


@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        ("nothing", ""),
        ("refuses", ""),
        ("skips", ""),
        ("raises", "it raised IndexError: no such thing"),
        ("loses", "of 2 records, 1 became documents, 0 were skipped, and nothing is said"),
        ("differs", "read again it gave other documents"),
        ("fails apart", "its reader failed: IndexError"),
    ],
)
def test_the_rules(
    breaks: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = Input(Odd(breaks).documents, "lines")
    monkeypatch.setattr(fuzzed_inputs, "find_all", lambda sources, options: [(sources[0], kind)])
    content = b'{"text": "a"}\n{"text": "b"}\n'
    if not message:
        check("jsonl", content, tmp_path)
        return
    with pytest.raises(Finding, match=message):
        check("jsonl", content, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "number"), [("jsonl", 3), ("tar", 6), ("zip", 6), ("mediawiki", 8), ("parquet", 3)]
)
def test_records_are_counted_by_other_means(name: str, number: int) -> None:
    assert expected_records(name, seeds(name)[0]) == number


def test_every_packing_is_fuzzed() -> None:
    assert list(PACKERS) == [end for end, inner in PACKED.items() if not inner]


@pytest.mark.nightly
@pytest.mark.skipif(not importlib.util.find_spec("atheris"), reason="needs atheris")
@pytest.mark.parametrize("target", targets())
def test_a_minute_of_the_fuzzer(target: str) -> None:
    command = [sys.executable, str(TESTS / "fuzz_inputs.py"), "1", target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
