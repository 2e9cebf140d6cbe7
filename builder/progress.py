"""How far a build is: a line on the terminal, lines of JSON for a program, lines for a log, or
nothing where nobody is looking.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Callable
from typing import TextIO

from pocketindex.streams import printable

LOG = logging.getLogger("pocketindex")

_EVERY = 0.1  # seconds between two drawings
_EVERY_JSON = 1.0
_EVERY_LINE = 30.0
_SETTLED = 1.0  # seconds before a rate means something
_BAR = 20  # characters
_UNITS = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


class Progress:
    """A bar on standard error while it is a terminal, silence otherwise; leaving the block clears
    the line.

    It is fit to be told of every document: it draws ten times a second, whatever it is told. form:
    "auto" for that, "json" for an object a line each second and where a phase begins, "lines" for a
    bar or, where there is no terminal, a line where a phase begins and each half minute, "bar" for
    a bar wherever standard error leads (a notebook shows it), "none".
    stream and clock are for tests. seconds: that each phase took; processor: the same of all
    processors together.

    An object has phase, done and total of its unit ("bytes", "documents" or "postings"), documents
    and documents_per_second, seconds since the phase began and eta, seconds to its end; null is
    what is not known, or not yet.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        form: str = "auto",
    ) -> None:
        # It steers the terminal itself, so it writes to the stream beneath reader/streams.py.
        self._stream = getattr(sys.stderr, "own", sys.stderr) if stream is None else stream
        self._clock = clock
        self._json = form == "json"
        self._lines = form == "lines" and not _is_terminal(self._stream)
        self._live = (
            form == "bar"
            or self._json
            or self._lines
            or (form in ("auto", "lines") and _is_terminal(self._stream))
        )
        self._every = _EVERY_JSON if self._json else _EVERY_LINE if self._lines else _EVERY
        self._shown = 0
        self._total: int | None = None
        self._all: int | None = None
        self.seconds, self.processor = dict[str, float](), dict[str, float]()
        self._phase, self._unit = "", "documents"
        self._documents = self._read = self._first = 0
        self._start = self._next = clock()
        self._spent = time.process_time()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self.clear()
        self._live = False

    def phase(
        self,
        name: str,
        total: int | None = None,
        documents: int | None = None,
        unit: str = "documents",
    ) -> None:
        """Begin a phase of the build, "reading" for instance; total: bytes, documents: in all,
        where they are known.

        Counts start from nothing. unit: what documents are here.
        """
        self.end()
        LOG.debug("%s", name)
        self._begin(name, total, documents, unit)
        self._draw()

    def end(self) -> None:
        """End the phase, whose seconds are counted; nothing where none is going on."""
        if self._phase:
            for taken, since in (
                (self.seconds, self._clock() - self._start),
                (self.processor, time.process_time() - self._spent),
            ):
                taken[self._phase] = taken.get(self._phase, 0.0) + since
        self._phase = ""

    def add(self, documents: int = 1) -> None:
        """Count so many documents more as done."""
        self._documents += documents
        if self._live and self._clock() >= self._next:
            self._draw()

    def measure(self, read: int, total: int | None = None) -> None:
        """Take the bytes read so far and the bytes in all, where they are known: the `measure` of
        an input.
        """
        if not self._read and not self._documents:
            self._first = read  # what was read before the phase began says nothing of its speed
        self._read = read
        if total is not None:
            self._total = total
        if self._live and self._clock() >= self._next:
            self._draw()

    def clear(self) -> None:
        """Take the line away, before something else is printed; the next drawing brings it back."""
        if self._shown:
            self._write("\r" + " " * self._shown + "\r")
            self._shown = 0

    def _begin(self, phase: str, total: int | None, documents: int | None, unit: str) -> None:
        self._phase, self._unit = phase, unit
        self._total, self._all = total, documents
        self._documents = self._read = self._first = 0
        self._start = self._next = self._clock()
        self._spent = time.process_time()

    def _draw(self) -> None:
        if not self._live:
            return
        now = self._clock()
        self._next = now + self._every
        if self._json:
            self._write(json.dumps(self._object(now - self._start)) + "\n")
            return
        if self._lines:
            self._write(f"pocketindex: {self._line(now - self._start)}\n")
            return
        line = self._line(now - self._start)[: _width(self._stream) - 1]
        self._write("\r" + line.ljust(self._shown))
        self._shown = len(line)

    def _left(self, seconds: float) -> float | None:
        """Return the seconds to go, where they can be told."""
        done, total = (self._documents, self._all) if self._all else (self._read, self._total)
        first = 0 if self._all else self._first
        if seconds < _SETTLED or not total or not first < done < total:
            return None
        return seconds * (total - done) / (done - first)

    def _object(self, seconds: float) -> dict[str, object]:
        counted, left = self._unit == "documents", self._left(seconds)
        by_bytes = not self._all and (self._read > 0 or self._total is not None)
        return {
            "phase": self._phase,
            "done": self._read if by_bytes else self._documents,
            "total": self._total if by_bytes else self._all,
            "unit": "bytes" if by_bytes else self._unit,
            "documents": self._documents if counted else None,
            "documents_per_second": round(self._documents / seconds, 1)
            if counted and seconds >= _SETTLED
            else None,
            "seconds": round(seconds, 1),
            "eta": None if left is None else round(left, 1),
        }

    def _line(self, seconds: float) -> str:
        parts = [printable(self._phase)] if self._phase else []
        if self._total or self._all:
            share = min(
                self._documents / self._all if self._all else self._read / (self._total or 1), 1.0
            )
            parts.append(f"[{'#' * int(share * _BAR):.<{_BAR}}] {share:4.0%}")
        if self._documents:
            parts.append(f"{self._documents:,} {self._unit}")
            if seconds >= _SETTLED:
                parts.append(f"{self._documents / seconds:,.0f}/s")
        if self._total:
            parts.append(f"{_size(self._read)} of {_size(self._total)}")
        elif self._read:
            parts.append(_size(self._read))
        left = self._left(seconds)
        if left is not None:
            parts.append(f"{_duration(left)} left")
        return "  ".join(parts)

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is gone; the build goes on
            self._live = False


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # it is closed
        return False


def _width(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _size(count: int) -> str:
    for unit, name in _UNITS:
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count} bytes"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
