"""What functions say of their progress: a bar of tqdm where somebody looks, and the log."""

from __future__ import annotations

import contextlib
import importlib
import logging
import sys
from collections.abc import Iterator
from typing import Any

from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report

LOG = logging.getLogger("pocketindex")
LOG.addHandler(logging.NullHandler())  # who wants to see it adds another


@contextlib.contextmanager
def looked_at(wanted: bool | None) -> Iterator[Progress]:
    """Show the progress of a call.

    wanted: None for a bar where tqdm is installed and standard error is a terminal or this is a
    notebook. Raises ImportError where a bar is wanted and tqdm is not there.
    """
    bar: Any = None
    if wanted or (wanted is None and _somebody_looks()):
        try:
            bar = importlib.import_module("tqdm.auto").tqdm
        except ImportError:
            if wanted:
                raise ImportError(
                    "progress=True needs another package: pip install tqdm", name="tqdm"
                ) from None
    with _Bar(bar) as progress:
        yield progress


class _Bar(Progress):
    """Progress on a bar of tqdm, one a phase; without it in the log alone."""

    def __init__(self, bar: Any) -> None:
        super().__init__(form="none")
        self._make = bar
        self._bar: Any = None

    def phase(
        self,
        name: str,
        total: int | None = None,
        documents: int | None = None,
        unit: str = "documents",
    ) -> None:
        super().phase(name, total, documents, unit)
        LOG.debug("%s", name)
        if self._make:
            self._bar = self._make(
                desc=name, total=documents, unit=f" {unit}", leave=False, dynamic_ncols=True
            )

    def end(self) -> None:
        super().end()
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def add(self, documents: int = 1) -> None:
        super().add(documents)
        if self._bar is not None:
            self._bar.update(documents)


def log(report: Report) -> None:
    """Write a report to the log: its notes, and what was left out, as warnings."""
    for note in report.notes:
        LOG.warning("%s", note)
    level = logging.WARNING if report.left_out or report.noticed else logging.INFO
    LOG.log(level, "%s", "\n".join(report.text().split("\n")[len(report.notes) :]))


def _somebody_looks() -> bool:
    """Return whether standard error is a terminal, or this is a notebook."""
    shell = sys.modules.get("IPython")
    if shell is not None and hasattr(shell.get_ipython(), "kernel"):
        return True
    try:
        return bool(sys.stderr.isatty())
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False
