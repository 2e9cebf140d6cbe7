"""Sub-keys of real documents, to measure hashes with: python bench/perfect_hash/real_keys.py SOURCE TABLE OUT"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pocketindex.builder import inputs
from pocketindex.builder.build import SAMPLE
from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.builder.schemes.ff import FfSettings, frequencies, pack_ff
from pocketindex.builder.schemes.profile import Profile

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers"))

from plain import PlainIndex

Keys = npt.NDArray[np.uint64]


def of_collection(source: str) -> list[Keys]:
    """The distinct keys of each table, rising, under the `ff` profile learned from the collection's
    first documents.
    """
    report, progress = Report(False), Progress()
    texts = [
        document.text.encode()
        for document in inputs.find(source).documents(source, report.reject, progress.measure)
    ]
    settings = FfSettings()
    profile = Profile(pack_ff(source, frequencies(texts[:SAMPLE], settings), settings), source)
    sketched = profile.sketch_many(
        b"".join(texts), np.cumsum([len(text) for text in texts], dtype=np.uint64), 0
    )
    keys = sketched.keys[sketched.terms >= profile.least_terms]
    return [np.unique(keys[:, table]) for table in range(profile.tables)]


def of_pocket(path: str) -> list[Keys]:
    """The distinct keys of each table of a pocket file, rising, from its sketches."""
    index = PlainIndex.open(path)
    sketches, profile = index.sketches, index.profile
    digits: list[tuple[int, ...]] = []
    for number in range(sketches.section.count):
        block, place = sketches.section.block(number), sketches.section.place(number)
        digits += [
            profile.unpack(place, block[at : at + profile.sketch_bytes])
            for at in range(
                0, len(block) // sketches.stride * profile.sketch_bytes, profile.sketch_bytes
            )
        ]
    return [
        np.unique(np.array([table.key(table.digits(own)) for own in digits], np.uint64))
        for table in profile.tables
    ]


def real_keys(source: str) -> list[Keys]:
    """The distinct keys of each table of a pocket file or of a collection, rising."""
    return of_pocket(source) if Path(source).suffix == ".pocket" else of_collection(source)


def main() -> None:
    source, table, out = sys.argv[1:]
    real_keys(source)[int(table)].astype("<u8").tofile(out)


if __name__ == "__main__":
    main()
