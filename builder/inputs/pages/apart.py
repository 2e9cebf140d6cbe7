"""Libraries that a stranger's document may crash or keep busy for hours read it in a process of
their own, with limits.

A request is a line of JSON and the bytes of a document. The answer is a line of JSON, and bytes
where there are any. The process stays for the next document.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from typing import Any

from pocketindex.builder.document import Unfit

try:
    import resource
except ImportError:  # Windows: memory has no limit there
    resource = None  # type: ignore[assignment]

# For a document: seconds of the processor (by the clock where the system counts no others), bytes
# beside those of the program itself, and how much more for each byte that it has.
SECONDS, MEMORY = 5.0, 1 << 29
SECONDS_A_BYTE, MEMORY_A_BYTE = 1e-6, 16

# Bytes of the buffers at both ends of a pipe: most documents are one read and one write.
_BUFFER = 1 << 18
# The folders of modules come as arguments: a program on the command line would look into the
# current folder first.
_PROGRAM = f"import sys; sys.path[:] = sys.argv[1:]; from {__name__} import serve; serve()"
_COUNTED = hasattr(signal, "setitimer")


class _Process:
    """One that answers."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, *sys.path],
            bufsize=_BUFFER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )

    @property
    def ours(self) -> bool:
        """Return whether this process has started the reader.

        A process that was forked shares none.
        """
        return self._owner == os.getpid()

    @property
    def alive(self) -> bool:
        return self.ours and self._process.poll() is None

    def ask(self, request: dict[str, Any], content: bytes) -> dict[str, Any] | None:
        """Send a request and return the answer, or None where the process ended instead."""
        assert self._process.stdin
        assert self._process.stdout
        clock = None if _COUNTED else threading.Timer(request["seconds"], self._process.kill)
        if clock:
            clock.start()
        try:
            self._process.stdin.write(
                json.dumps({**request, "size": len(content)}).encode() + b"\n"
            )
            self._process.stdin.write(content)
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            if not line.endswith(b"\n"):
                return None
            answer: dict[str, Any] = json.loads(line)
            if "sizes" in answer:
                parts = [self._process.stdout.read(size) for size in answer["sizes"]]
                if [*map(len, parts)] != answer["sizes"]:
                    return None
                answer["found"] = [answer["found"], *parts]
            return answer
        except BrokenPipeError:
            return None
        finally:
            if clock:
                clock.cancel()

    def end(self) -> int:
        """End the process, if it has not ended. Returns its exit code."""
        self._process.kill()
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        return code


_asking = threading.Lock()
_process: _Process | None = None


def read(module: str, content: bytes, *arguments: str | int | None) -> Any:
    """Return what parsed(content, *arguments) of a module gives, called in the other process: lists
    and strings, or a tuple of these and then bytes, which comes as a list.

    Raises Unfit where it does, and "unreadable" where it raises anything else, crashes, or needs
    more than the limits.
    """
    global _process
    seconds, memory = SECONDS + SECONDS_A_BYTE * len(content), MEMORY + MEMORY_A_BYTE * len(content)
    with _asking:
        if _process is None or not _process.alive:
            _end()
            _process = _Process()
        try:
            answer = _process.ask(
                {"module": module, "arguments": arguments, "seconds": seconds, "memory": memory},
                content,
            )
        except BaseException:
            _end()  # what it still says would be taken for the next answer
            raise
        code = 0 if answer else _end()
    if answer is None:
        late = code == -getattr(signal, "SIGPROF", 0)
        problem = "" if late else f"crashed ({_named(code)}) or "
        raise Unfit(
            "unreadable",
            (
                f"its reader {problem}needed more than {seconds:,.1f} "
                f"s{'' if late else f' or {memory >> 20:,} MB'}"
            ),
        )
    if "unfit" in answer:
        raise Unfit(*answer["unfit"])
    return answer["found"]


def _end() -> int:
    global _process
    ended, _process = _process, None
    return ended.end() if ended and ended.ours else 0


atexit.register(_end)


def _named(code: int) -> str:
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"exit code {code}"


def serve() -> None:
    """Answer requests on standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    requests = open(0, "rb", _BUFFER, closefd=False)
    answers = os.fdopen(os.dup(1), "wb", _BUFFER)
    os.dup2(2, 1)  # what a library prints is no answer
    while line := requests.readline():
        request = json.loads(line)
        content = requests.read(request["size"])
        _limit(request["seconds"], request["memory"])
        answer, parts = _answer(request, content), list[bytes]()
        found = answer.get("found")
        if isinstance(found, tuple) and isinstance(found[-1], bytes):
            answer["found"], *parts = found
            answer["sizes"] = [*map(len, parts)]
        line = json.dumps(answer, ensure_ascii=False).encode(errors="surrogatepass")
        _limit(0, 0)
        answers.write(line + b"\n")
        for part in parts:
            answers.write(part)
        answers.flush()


def _answer(request: dict[str, Any], content: bytes) -> dict[str, Any]:
    try:
        return {
            "found": importlib.import_module(request["module"]).parsed(
                content, *request["arguments"]
            )
        }
    except Unfit as unfit:
        return {"unfit": [unfit.reason, unfit.detail]}
    except MemoryError:
        return {
            "unfit": ["unreadable", f"its reader needed more than {request['memory'] >> 20:,} MB"]
        }
    except Exception as error:
        return {"unfit": ["unreadable", f"its reader failed: {type(error).__name__}: {error}"]}


def _limit(seconds: float, memory: int) -> None:
    """Limit the seconds and the memory of what comes next; 0 is none.

    A signal that nobody handles ends the process when the seconds are over, in whatever code it is.
    """
    if _COUNTED:
        signal.setitimer(signal.ITIMER_PROF, seconds)
    with contextlib.suppress(OSError, ValueError):
        limit = most = resource.getrlimit(resource.RLIMIT_AS)[1]
        if memory:
            with open("/proc/self/statm", "rb", buffering=0) as file:
                taken = int(file.read().split()[0]) * resource.getpagesize()
            limit = taken + memory
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))
