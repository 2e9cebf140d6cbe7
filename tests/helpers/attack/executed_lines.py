"""Which of the default tests execute a line of the code, by one run of them under coverage."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from mutations import Mutation
from places import ROOT

KEPT = ROOT / "build" / "mutate"
DATA, RESULTS = KEPT / "coverage", KEPT / "results.xml"
DEFAULT = "not slow and not nightly and not browser and not spark and not asan and not tutorial"
TESTS = ["tests/builder", "tests/command", "tests/page", "tests/reader"]
PYTEST = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]


def measure(workers: int) -> None:
    """Run the default tests, and keep which of them execute which line."""
    KEPT.mkdir(parents=True, exist_ok=True)
    settings = KEPT / "coveragerc"
    settings.write_text(f"[run]\nsource = {ROOT}/builder\n  {ROOT}/reader\ndata_file = {DATA}\n")
    how = ["--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report="]
    which = ["-m", DEFAULT, "-n", str(workers), "--dist", "worksteal", f"--junitxml={RESULTS}"]
    subprocess.run([*PYTEST, *how, *which, *TESTS], cwd=ROOT, check=False)


def is_measured(code: Iterable[Path]) -> bool:
    """Say whether neither the code nor a test has changed since the tests were run."""
    if not RESULTS.exists():
        return False
    files = [*code, *(ROOT / "tests").rglob("test_*.py")]
    return max(path.stat().st_mtime for path in files) <= RESULTS.stat().st_mtime


class Selection:
    """Which tests execute a line, of those that passed, and how many seconds each took."""

    def __init__(self) -> None:
        from coverage import CoverageData  # of a group of its own: `mutation`

        self._seconds = {
            f"{case.attrib['classname']}::{case.attrib['name']}": float(case.attrib["time"])
            for case in ElementTree.parse(RESULTS).iter("testcase")
            if not len(case)  # it neither failed nor was skipped
        }
        self._data = CoverageData(str(DATA))
        self._data.read()

    def of(self, mutation: Mutation, seconds: float) -> list[str]:
        """Return tests that meet a change, the fastest first, of so many seconds together."""
        tests = self._data.contexts_by_lineno(str(mutation.path))
        met = {test.partition("|")[0] for line in mutation.lines for test in tests.get(line, ())}
        known = {test: took for test in met if (took := self._took(test)) is not None}
        found, left = list[str](), seconds
        for test in sorted(known, key=lambda test: (known[test], test)):
            left -= known[test]
            if left >= 0 or not found:
                found.append(test)
        return found

    def _took(self, test: str) -> float | None:
        file, _, name = test.partition("::")
        return self._seconds.get(f"{file.removesuffix('.py').replace('/', '.')}::{name}")
