"""The names of the package: what builds is reached by them, and imported only when asked for."""

from __future__ import annotations

import subprocess
import sys

import pocketindex
import pytest

ASK = """
import sys
import pocketindex
assert not any(name.startswith("pocketindex.builder") for name in sys.modules)
import pocketindex.spark
assert "pyspark" not in sys.modules
print(pocketindex.spark.pairs.__module__)
"""

LOADED = """
print(*[name for name in sys.modules if name.startswith("pocketindex")])
print(*sorted({name.partition(".")[0] for name in sys.modules} & set(sys.argv[1:])))
"""
HEAVY = ["numpy", "pandas", "pyarrow", "fsspec", "aiohttp", "json", "html", "urllib", "concurrent"]


def loaded(program: str) -> tuple[list[str], list[str]]:
    """Run a program; return the modules of ours that it has loaded, and those of HEAVY."""
    command = [sys.executable, "-c", f"import sys\n{program}\n{LOADED}", *HEAVY]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    own, heavy = told.stdout.splitlines()
    return own.split(), heavy.split()


@pytest.mark.parametrize("name", pocketindex.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(pocketindex, name) is getattr(pocketindex, name)
    assert name in dir(pocketindex)


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="module 'pocketindex' has no attribute 'made_up'"):
        _ = pocketindex.made_up


def test_what_builds_is_imported_when_it_is_asked_for() -> None:
    told = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)

    assert told.stdout == "pocketindex.spark.pairs\n"


def test_an_import_loads_nothing_that_nobody_has_asked_for() -> None:
    assert loaded("import pocketindex")[0] == ["pocketindex.starting", "pocketindex"]


def test_open_loads_what_opens_a_file_and_no_more() -> None:
    own, heavy = loaded("from pocketindex import open")

    assert "pocketindex.index" in own
    assert len(own) <= 32, own
    assert heavy == []
