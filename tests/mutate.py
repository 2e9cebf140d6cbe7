"""Change the code a little, many times, and say which changes no test notices.

    pip install --group mutation
    python tests/mutate.py [--draw 20] [--seed 1] [--seconds 60] [--floor 0]

The changes are drawn by the seed from builder/ and reader/, except builder/spark/, whose tests need
Java, and the scripts make_*.py. One run of the default tests under coverage tells which tests
execute which line; it is kept in build/mutate/ until the code or a test changes. A change is caught
when a test that executes its line fails or does not end.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pocketindex

ROOT = Path(__file__).resolve().parent.parent
HELPERS = ROOT / "tests" / "helpers"
sys.path[:0] = [str(HELPERS), str(HELPERS / "attack")]
from executed_lines import PYTEST, Selection, is_measured, measure  # noqa: E402
from mutations import Mutation, mutations_of  # noqa: E402

PACKAGE = Path(pocketindex.__file__).parent  # links to the files of the checkout


def code() -> list[Path]:
    """Return the files that changes are drawn from. Tests take make_*.py from the checkout, where
    nothing is changed.
    """
    files = (path for room in ("builder", "reader") for path in (ROOT / room).rglob("*.py"))
    left_out = ROOT / "builder" / "spark"
    return sorted(
        path for path in files if left_out not in path.parents and path.stem[:5] != "make_"
    )


def try_out(mutation: Mutation, tests: list[str], seconds: float) -> str:
    """Return how a change is noticed by tests, "" where it is not."""
    if not tests:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "pocketindex")
        shutil.copytree(PACKAGE, package, symlinks=True)
        (file,) = (link for link in package.rglob("*.py") if link.resolve() == mutation.path)
        file.unlink()
        file.write_bytes(mutation.changed)
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            compiled.unlink()
        asked = Path(folder, "tests")
        asked.write_text("\n".join(tests))
        most = round(2 * seconds) + 30  # seconds of a processor, whatever else is running
        with subprocess.Popen(
            [*PYTEST, "-x", "-p", "no:xdist", f"@{asked}"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most)),
        ) as run:
            try:
                printed, _ = run.communicate(timeout=4 * most)
            except subprocess.TimeoutExpired:
                return "no end"
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(run.pid, signal.SIGKILL)
    if run.returncode <= 0:
        return f"no end: signal {-run.returncode}" if run.returncode else ""
    failed = [line for line in printed.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (failed or [printed[-200:]])[0]


def described(mutation: Mutation) -> str:
    """Return a mutation as a unified diff, without its header."""
    old, new = (text.decode().splitlines() for text in (mutation.source, mutation.changed))
    return "\n".join([*difflib.unified_diff(old, new, lineterm="", n=1)][3:])


def main() -> int:
    """Print a line a change, and the diff of each that survives."""
    parser = argparse.ArgumentParser(description="Say which changes of the code no test notices.")
    parser.add_argument("--draw", type=int, default=20, help="changes to try")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="of tests for a change, at most")
    parser.add_argument("--floor", type=int, default=0, help="percent that have to be caught")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    if not is_measured(code()):
        measure(asked.workers)
    changes = [mutation for path in code() for mutation in mutations_of(path)]
    drawn = random.Random(asked.seed).sample(changes, min(asked.draw, len(changes)))
    selection, caught = Selection(), 0
    tests = [selection.of(one, asked.seconds) for one in drawn]
    with ThreadPoolExecutor(asked.workers) as pool:
        tried = pool.map(try_out, drawn, tests, [asked.seconds] * len(drawn))
        for number, (one, own, by) in enumerate(zip(drawn, tests, tried, strict=True), 1):
            caught += bool(by)
            place = f"{one.path.relative_to(ROOT)}:{one.line}, {one.kind}, {len(own)} tests"
            print(f"{number} {'caught' if by else 'SURVIVED'} {place}. {by}", flush=True)
            if not by:
                print(described(one), flush=True)
    print(f"{caught} of {len(drawn)} caught; seed {asked.seed}, of {len(changes)} changes")
    return int(100 * caught < asked.floor * len(drawn))


if __name__ == "__main__":
    sys.exit(main())
