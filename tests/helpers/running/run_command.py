"""The command as tests run it: in this process, which saves half a second each, or in its own."""

from __future__ import annotations

import contextlib
import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pocketindex.cli import main

Done = subprocess.CompletedProcess[str]


def run(*arguments: str | Path, stdin: str | bytes = b"") -> Done:
    """Run the command in this process, with streams of its own; what it raises is raised."""
    words = [*map(str, arguments)]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    data = stdin.encode() if isinstance(stdin, str) else stdin
    given = io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)), "utf-8")
    on_pipe = signal.getsignal(signal.SIGPIPE) if hasattr(signal, "SIGPIPE") else None
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr(sys, "stdin", given)
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        finally:
            if on_pipe is not None:
                signal.signal(signal.SIGPIPE, on_pipe)
    for stream in (out, err):
        stream.flush()
    printed, said = (stream.detach().getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(words, code, printed, said)


def run_process(*arguments: str | Path, stdin: str | bytes = b"") -> Done:
    """Run the command as a shell would, in a process of its own."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "pocketindex", *map(str, arguments)],
        input=data,
        capture_output=True,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )
