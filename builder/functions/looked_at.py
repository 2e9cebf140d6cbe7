"""What functions say of their progress: a bar where somebody looks, and the log."""

from __future__ import annotations

import logging
import sys

from pocketindex.builder.progress import LOG, Progress
from pocketindex.builder.tally import Tally


def looked_at(wanted: bool | None) -> Progress:
    """Return what shows the progress of a call. wanted: None where standard error is a terminal or
    this is a notebook.
    """
    looks = _somebody_looks() if wanted is None else wanted
    return Progress(form="bar" if looks else "none")


def log(report: Tally) -> None:
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
