"""The state that all passes of a build share."""

from __future__ import annotations

from dataclasses import dataclass

from pocketindex.builder.progress import Progress
from pocketindex.builder.settings import Settings
from pocketindex.builder.spill.journal import WorkFolder
from pocketindex.builder.spill.threads import Threads
from pocketindex.builder.tally import Tally

MERGED = 8  # one part in so many of the memory is for merging


@dataclass(frozen=True)
class Context:
    """The settings, work folder, threads and progress of a running build."""

    settings: Settings
    work: WorkFolder
    report: Tally
    progress: Progress
    threads: Threads

    @property
    def merging(self) -> int:
        """Return the bytes of memory for merging."""
        return self.settings.max_memory // MERGED
