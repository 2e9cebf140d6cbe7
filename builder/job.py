"""What all steps of a build work with."""

from __future__ import annotations

from dataclasses import dataclass

from pocketindex.builder.progress import Progress
from pocketindex.builder.report import Report
from pocketindex.builder.settings import Settings
from pocketindex.builder.work import Work
from pocketindex.builder.workers import Workers

MERGED = 8  # one part in so many of the memory is for merging


@dataclass(frozen=True)
class Job:
    """A build under way."""

    settings: Settings
    work: Work
    report: Report
    progress: Progress
    workers: Workers

    @property
    def merging(self) -> int:
        """Bytes of memory for merging."""
        return self.settings.max_memory // MERGED
