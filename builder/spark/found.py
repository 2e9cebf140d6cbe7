"""What functions on DataFrames return: a DataFrame, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from pocketindex.builder.functions.looked_at import log
from pocketindex.builder.progress import LOG
from pocketindex.builder.tally import Tally
from pocketindex.opening.closing import Closing


class Found(Closing):
    """frame: the rows, a DataFrame; report: what was read and left out; notes: what was cut, a
    sentence each, also warnings of the logger "pocketindex".

    What the rows are made from is kept on the executors' disks until close(), or until the end of
    `with`: write the rows, or collect them, before.
    """

    def __init__(self, frame: Any, report: Tally, notes: Sequence[str], stack: ExitStack) -> None:
        self.frame = frame
        self.report = report.report()
        self.notes = list(notes)
        self._stack = stack
        for note in notes:
            LOG.warning("%s", note)
        log(report)

    def close(self) -> None:
        """Give back what is kept."""
        self._stack.close()
