"""Ask a pocket file for the documents most similar to a document, from Python.

    python examples/query.py docs.pocket draft.txt

A line a hit: rank, similarity, id, title, with tabs between. The exit codes are those of the
command `pocketindex`.
"""

from __future__ import annotations

import sys

import pocketindex


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        print("usage: python examples/query.py FILE.pocket [DOCUMENT]", file=sys.stderr)
        return 2
    try:
        text = (
            sys.stdin.buffer.read()
            if arguments[1:] in ([], ["-"])
            else open(arguments[1], "rb").read()
        )
        # An index may stay open, and any number of threads may ask it.
        with pocketindex.open(arguments[0]) as index:
            hits = index.query(text, top=10)
    except (
        pocketindex.NotAPocketFile,
        pocketindex.Damaged,
        pocketindex.TooNew,
        pocketindex.FileChanged,
    ) as error:
        print(f"query.py: {error}", file=sys.stderr)
        return 3
    except (pocketindex.PocketError, OSError) as error:
        print(f"query.py: {error}", file=sys.stderr)
        return 2
    for rank, hit in enumerate(hits, 1):
        print(rank, f"{hit.similarity:.4f}", hit.id, hit.title, sep="\t")
    return 0 if hits else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
