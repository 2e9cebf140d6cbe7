r"""A file that others are brought into: how far terms move, how alike unrelated documents look, and
what a build from all texts finds more.

    python bench/building/drift.py newsgroups20.jsonl reuters.jsonl wiki_de.jsonl --cache DIR \
        -o bench/results/drift.md

The old file has half of the first collection. The rest of it, or as many documents of another
collection, come in by `update`. Beside it stands a build of the same documents. Recall and the error
of similarity are those of `build --measure`; the update's are those of a build with the old file as
profile, which has the same bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pocketindex
from pocketindex.contents.unrelated import unrelated

MOST = 9_000


def lines(path: str, start: int, end: int) -> list[bytes]:
    with open(path, "rb") as file:
        return [line for number, line in enumerate(file) if start <= number < end]


def build(some: list[bytes], target: Path, **choices: Any) -> Any:
    source = target.with_suffix(".jsonl")
    source.write_bytes(b"".join(some))
    return pocketindex.build(str(source), target, progress=False, **choices)


def look(path: Path) -> float:
    with pocketindex.open(path) as index:
        return unrelated(index._core, index.path) or 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("-o", type=Path, required=True)
    arguments = parser.parse_args()
    cache = arguments.cache
    cache.mkdir(parents=True, exist_ok=True)
    first = arguments.collections[0]
    before = lines(first, 0, MOST)
    build(before, cache / "old.pocket")
    names = " ".join(Path(path).name for path in arguments.collections)
    out = [
        "# When the weights no longer fit\n",
        f"`python bench/building/drift.py {names}`. {MOST:,} documents of {Path(first).stem}, and then:\n",
        "| new documents | distance of terms | unrelated look alike: old | update | build | queries | "
        "recall@10: update | build | error of similarity: update | build |",
        "|---|" + "--:|" * 9,
    ]
    for number, path in enumerate(arguments.collections):
        start = 0 if number else MOST
        new = lines(path, start, start + MOST)
        added = cache / "new.jsonl"
        added.write_bytes(b"".join(new))
        updated, again, own = (cache / f"{name}.pocket" for name in ("updated", "again", "own"))
        report = pocketindex.update(
            cache / "old.pocket", str(added), output=updated, progress=False
        )
        frozen = build([*before, *new], again, profile=cache / "old.pocket", measure=True)
        fresh = build([*before, *new], own, measure=True)
        assert updated.read_bytes() == again.read_bytes()
        assert report.changed
        alikes = " | ".join(f"{look(path):.3f}" for path in (cache / "old.pocket", updated, own))
        asked = frozen.measured, fresh.measured
        recalls = " | ".join(f"{one.recall:.3f}" for one in asked)
        errors = " | ".join(f"{one.error.mean:.3f}" for one in asked)
        name = f"the rest of {Path(path).stem}" if not number else Path(path).stem
        out.append(
            f"| {name} | {report.changed.moved:.2f} | {alikes} | {asked[1].queries} | {recalls} | "
            f"{errors} |"
        )
        print(out[-1], flush=True)
    arguments.o.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
