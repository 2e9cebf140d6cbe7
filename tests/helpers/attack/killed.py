"""The command, with small chunks, killed at a moment of one's choice.

    python killed.py CHUNK MOMENT ARGUMENT...

CHUNK: documents of a chunk. MOMENT: the number of the call of what makes something last (fsync,
rename, a line of the journal, which is then cut in half) at which the process is killed; 0 for
none. Prints how many there were, and the bytes read of sources. A test forks it (forked.py).
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from pocketindex.builder.collections.shingles import corpus
from pocketindex.builder.inputs.opening import stream
from pocketindex.builder.inputs.pages.wiki import mediawiki
from pocketindex.builder.inputs.rows import jsonl_batches
from pocketindex.builder.spill import journal
from pocketindex.builder.spill.chunks import spool
from pocketindex.cli import main


def killed(chunk: int, moment: int, words: list[str]) -> int:
    """Run the command in this process, which is not what it was afterwards."""
    seen = {"moments": 0, "bytes": 0}

    def reached() -> bool:
        seen["moments"] += 1
        return seen["moments"] == moment

    def deadly(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if reached():
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments)

        return call

    def append(self: journal.WorkFolder, entry: journal.Entry) -> None:
        if reached():
            assert self._journal is not None
            size = self._journal.tell()
            whole(self, entry)
            os.truncate(self._path, (size + self._journal.tell()) // 2)
            os.kill(os.getpid(), signal.SIGKILL)
        whole(self, entry)

    def readinto(self: Any, buffer: Any) -> int:
        count = uncounted(self, buffer)
        seen["bytes"] += count
        return count

    os.fsync, os.replace = deadly(os.fsync), deadly(os.replace)
    whole, journal.WorkFolder._append = journal.WorkFolder._append, append  # type: ignore[method-assign]
    uncounted, stream._Counted.readinto = stream._Counted.readinto, readinto  # type: ignore[method-assign]
    spool.CHUNK_DOCUMENTS = chunk
    jsonl_batches.BYTES = corpus.BYTES = corpus.KEPT_BYTES = 1 << 12
    mediawiki._PAGES = 7
    code = main(words)
    print(json.dumps(seen))
    return code


if __name__ == "__main__":
    sys.exit(killed(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
