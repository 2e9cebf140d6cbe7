"""The command where no file may have more than so many bytes (forked.py)."""

from __future__ import annotations

from pocketindex.cli import main


def limited(most: int, words: list[str]) -> int:
    import resource  # Windows has none

    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return main(words)
