"""Make tests/fuzz_corpus/ again: files that the fuzzer has found and that reach what its seeds do
not, as few as will do.

    python tests/make_corpus.py MINUTES        after `pip install -e .`

The fuzzer (tests/c/fuzz.c, tests/c/mutator.c) starts from the seeds (fuzz_seeds.py) and from the
corpus as it is. A file that the core fails on stays in tests/, and ends this.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import everywhere  # noqa: F401
from core_sources import SANITIZE, harness
from fuzz_seeds import CORPUS, LITTLE, MOST, seeds

# The corpus covers code, not how often it is run: otherwise it would be thousands of files.
COVERAGE = ("-use_counters=0", f"-max_len={MOST}", "-rss_limit_mb=3000", "-timeout=25")


def fuzzer(folder: Path) -> Path:
    """The fuzzer as a command."""
    flags = ("-fsanitize=fuzzer", *SANITIZE, *LITTLE)
    return harness(
        folder / "fuzz",
        "fuzz.c",
        *flags,
        "-O1",
        compiler="clang",
        more=("mutator.c",),
        libraries=("-lz",),
    )


def write_seeds(folder: Path) -> None:
    """Make the folder, and a file in it for each seed."""
    folder.mkdir()
    for number, data in enumerate(seeds()):
        (folder / f"{number}").write_bytes(data)


def main() -> None:
    minutes = float(sys.argv[1])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        command = fuzzer(folder)
        seeds = folder / "seeds"
        found = folder / "found"
        write_seeds(seeds)
        shutil.copytree(CORPUS, found)
        run: list[str | Path] = [
            command,
            f"-max_total_time={round(60 * minutes)}",
            f"-artifact_prefix={CORPUS.parent}/",
            *COVERAGE,
        ]
        subprocess.run([*run, found, seeds], check=True)
        known = {path.name for path in seeds.iterdir()}
        # What is added to the seeds is the corpus.
        subprocess.run([command, "-set_cover_merge=1", *COVERAGE, seeds, found], check=True)
        shutil.rmtree(CORPUS)
        CORPUS.mkdir()
        for path in sorted(seeds.iterdir()):
            if path.name not in known:
                shutil.copy(path, CORPUS)


if __name__ == "__main__":
    main()
