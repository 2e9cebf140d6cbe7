"""Fuzz the readers of inputs, guided by the code that they reach.

    pip install atheris
    python tests/fuzz_inputs.py MINUTES [KIND ...]        after `pip install -e .`

Each kind of builder/inputs gets its share of the minutes; jsonl.gz and the like are the packings.
The fuzzer starts from the seeds (input_seeds.py), from tests/input_corpus/, from the files that the
tests of the inputs make (seen_files.py), and from what it has found before, in
build/fuzz_inputs/KIND/. What a reader may not do is in fuzzed_inputs.py. What it
did all the same is said, and stays in build/fuzz_inputs/findings/, each in its smallest file. Then
the exit code is 1.

Readers in a separate process (builder/inputs/pages/apart.py) run in this one here, so that their
code is seen. tests/builder/inputs/test_fuzzed_inputs.py has them where they belong.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random
from typing import Any

import everywhere  # noqa: F401
from places import ROOT, TESTS

FOUND = ROOT / "build" / "fuzz_inputs"
SEEN = FOUND / "seen"
MOST = 1 << 14  # bytes of a file, or as many as the largest seed has
LIMITS = ("-rss_limit_mb=2500", "-timeout=120", "-report_slow_units=120", "-print_final_stats=1")
INSTRUMENTED = (
    *("pocketindex.builder.inputs", "pocketindex.builder.document", "markdown_it", "yaml"),
    *("email", "zipfile", "tarfile", "csv", "json", "xml", "quopri", "fontTools.cffLib"),
)


FOLDER = "POCKETINDEX_SEEN"  # as seen_files.py has it


def main() -> int:
    """Run the fuzzer on each kind in turn, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("minutes", type=float)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        fuzz(given.kinds[0], 60 * given.minutes)
    kinds = given.kinds or targets()
    _see_files()
    print(f"{'kind':12} {'seconds':>8} {'executions':>11} {'coverage':>9} {'features':>9} findings")
    failed = False
    for kind in kinds:
        failed |= run(kind, 60 * given.minutes / len(kinds))
    return int(failed)


def _see_files() -> None:
    """Let the tests of the inputs make their files, once, to start from them (seen_files.py)."""
    if SEEN.exists():
        return
    FOUND.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=FOUND))
    tests = ["-m", "pytest", "-q", "-p", "seen_files", "-m", "not slow and not nightly"]
    subprocess.run(
        [sys.executable, *tests, "tests/builder/inputs"],
        cwd=ROOT,
        env={**os.environ, FOLDER: str(folder), "PYTHONPATH": str(TESTS / "helpers" / "attack")},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    with contextlib.suppress(OSError):  # another process was faster
        folder.rename(SEEN)


def targets() -> list[str]:
    """The kinds, and the packings of one whose records are lines."""
    from fuzzed_inputs import KINDS
    from input_mutations import PACKERS

    return [*KINDS, *(f"jsonl{packing}" for packing in PACKERS)]


def run(kind: str, seconds: float) -> bool:
    """Run the fuzzer on a kind for so many seconds, again where it has ended, and print a line.

    Returns whether there are findings.
    """
    ended = time.monotonic() + seconds
    executions, reached = 0, (0, 0)
    before = _findings(kind)
    while (left := ended - time.monotonic()) > 1:
        done = subprocess.run(
            [sys.executable, __file__, str(left / 60), kind, "--one"],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        said = done.stderr.decode(errors="replace")
        if not (numbers := re.findall(r"^#(\d+)\s.*cov: (\d+) ft: (\d+)", said, re.MULTILINE)):
            raise SystemExit(f"the fuzzer did not start:\n{said[-3000:]}")
        executions += int(numbers[-1][0])
        reached = max(reached, (int(numbers[-1][1]), int(numbers[-1][2])))
        if done.returncode:
            (FOUND / "findings" / f"{kind}.log").write_text(said[-20_000:])
    new = sorted(_findings(kind) - before)
    print(
        f"{kind:12} {seconds:8.0f} {executions:11,} {reached[0]:9,} {reached[1]:9,} "
        f"{', '.join(new) or 'none'}",
        flush=True,
    )
    return bool(new)


def _findings(kind: str) -> set[str]:
    folder = FOUND / "findings"
    folder.mkdir(parents=True, exist_ok=True)
    return {path.name for path in folder.glob(f"{kind}-*")}


def fuzz(target: str, seconds: float) -> None:
    """Be the fuzzer of a kind for so many seconds. Does not return."""
    import atheris

    with atheris.instrument_imports(include=list(INSTRUMENTED)):
        import fuzzed_inputs
        from fuzzed_inputs import Finding, check
        from input_mutations import PACKERS, mutated
        from input_seeds import seeds
        from pocketindex.builder.inputs.pages import apart

    kind, dot, packing = target.partition(".")
    apart.read = _read_here
    fuzzed_inputs.clock = lambda: time.process_time() - _apart
    starts = seeds(kind) + [path.read_bytes() for path in sorted((SEEN / kind).glob("*"))]
    others = starts
    if dot:
        starts = [PACKERS[dot + packing][0](one) for one in starts]
    found, seeded = FOUND / target, Path(tempfile.mkdtemp(dir=_memory()))
    found.mkdir(parents=True, exist_ok=True)
    (seeded / "seeds").mkdir()
    for number, one in enumerate(starts):
        (seeded / "seeds" / f"{number}").write_bytes(one)

    def one_input(content: bytes) -> None:
        try:
            check(kind, content, seeded, thorough=False)
        except Finding as finding:
            _keep(target, content, finding)

    def mutator(content: bytes, most: int, seed: int) -> bytes:
        return mutated(content, most, Random(seed), atheris.Mutate, others)

    arguments = [
        *(sys.argv[0], str(found), str(seeded / "seeds"), *LIMITS),
        f"-max_len={max(MOST, *map(len, starts))}",
        f"-max_total_time={max(1, round(seconds))}",
        f"-artifact_prefix={FOUND / 'findings' / target}-",
    ]
    atheris.Setup(arguments, one_input, custom_mutator=mutator)
    atheris.Fuzz()


def _memory() -> str | None:
    return "/dev/shm" if os.path.isdir("/dev/shm") else None


def _keep(target: str, content: bytes, finding: Exception) -> None:
    """Keep the smallest file of a finding; two are one if they were found at the same place."""
    cause = finding.__cause__
    places = traceback.extract_tb(cause.__traceback__)[-1:] if cause else []
    where = "".join(f"{Path(place.filename).name}:{place.name}:{place.lineno}" for place in places)
    text = re.sub(r"/\S*|'[^']*'|\d+", "", str(finding))[:60]
    name = hashlib.sha1(f"{type(cause).__name__} {where or text}".encode()).hexdigest()[:8]
    path = FOUND / "findings" / f"{target}-{name}"
    if path.exists() and path.stat().st_size <= len(content):
        return
    path.write_bytes(content)
    log = "".join(traceback.format_exception(finding))
    (FOUND / "findings" / f"log-{target}-{name}").write_text(log[-8000:], errors="replace")


_apart = 0.0  # seconds that were spent in what is read apart


def _read_here(module: str, content: bytes, *arguments: Any) -> Any:
    """Do what apart.read does, in this process; what it would say of an error is raised, and time
    has no limit, but is not counted.
    """
    global _apart
    began = time.process_time()
    try:
        found = importlib.import_module(module).parsed(content, *arguments)
    finally:
        _apart += time.process_time() - began
    said = json.dumps(found, ensure_ascii=False).encode(errors="surrogatepass")
    return json.loads(said)


if __name__ == "__main__":
    sys.exit(main())
