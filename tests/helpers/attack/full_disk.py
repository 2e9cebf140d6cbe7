"""Run the command with a bound on the bytes of a file, as on a full disk."""

from __future__ import annotations

from pocketindex.cli import main


def limited(most: int, words: list[str]) -> int:
    import resource  # Windows has none

    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return main(words)
