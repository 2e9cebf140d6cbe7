"""Fuzz the readers of inputs as one target of libFuzzer: what ClusterFuzzLite runs.

    pip install --group fuzz
    python tests/fuzz_reader.py [OPTION OF LIBFUZZER ...] [FOLDER ...]

The first byte of an input chooses the kind. tests/fuzz_inputs.py goes deeper, a kind at a time.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [
    str(HERE),
    *(str(HERE / "helpers" / name) for name in ("", "attack", "made", "running")),
]

import atheris  # noqa: E402

with atheris.instrument_imports(
    include=["pocketindex.builder.inputs", "pocketindex.builder.document"]
):
    from fuzzed_inputs import KINDS, check

FOLDER = Path(tempfile.mkdtemp())


def one_input(content: bytes) -> None:
    """Read one file; a Finding is raised where its reader does what it may not do."""
    if content:
        kinds = sorted(KINDS)
        check(kinds[content[0] % len(kinds)], content[1:], FOLDER, thorough=False)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
