"""A function in a process of its own, which begins with the builder imported: in some hundredths
of a second, where a new Python takes half a one.

A server with a single thread forks it (multiprocessing, "forkserver"): a process that runs tests
has several, and a lock that one of them holds would stay shut in what it forks.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # Windows has none
    from multiprocessing.context import ForkServerContext

SECONDS = 240  # that a call may take

_STREAMS = ("stdin", "stdout", "stderr")


@cache
def _server() -> ForkServerContext:
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["pocketindex.cli", "pocketindex.builder.commands.build"])
    return server


def run(
    function: Callable[..., int], *arguments: object, stdin: bytes = b""
) -> subprocess.CompletedProcess[str]:
    """Call function, which a module has at its top, and give its number as the exit code.

    Its streams are files: who writes to a pipe that a killed process has left may end, too. Its
    environment is that of when the server began.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in _STREAMS]
        files[0].write_bytes(stdin)
        process = _server().Process(target=_called, args=(files, function, arguments))
        process.start()
        process.join(SECONDS)
        if process.exitcode is None:
            process.kill()
            raise TimeoutError(f"{function.__name__} took more than {SECONDS} s")
        printed, said = (file.read_text("utf-8") if file.exists() else "" for file in files[1:])
    return subprocess.CompletedProcess((), process.exitcode, printed, said)


def _called(files: list[Path], function: Callable[..., int], arguments: tuple[object, ...]) -> None:
    for number, (name, file) in enumerate(zip(_STREAMS, files, strict=True)):
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT), number)
        setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))
    sys.exit(function(*arguments))
