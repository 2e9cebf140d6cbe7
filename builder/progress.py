"""A line on the terminal that says how far a build is; nothing at all where nobody is looking."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import TextIO

_EVERY = 0.1  # seconds between two drawings
_SETTLED = 1.0  # seconds before a rate means something
_BAR = 20  # characters
_UNITS = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


class Progress:
    """A bar on standard error while it is a terminal, silence otherwise; leaving the block clears the line.

    It is fit to be told of every document: it draws ten times a second, whatever it is told. stream and clock are for tests.
    """

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._live = _is_terminal(self._stream)
        self._shown = 0
        self._total: int | None = None
        self._begin("")

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
        self._live = False

    def phase(self, name: str, total: int | None = None) -> None:
        """Begin a phase of the build, "reading" for instance; total: in the unit of `read`, if it is known. Counts start from nothing."""
        self._begin(name, total)
        self._draw()

    def add(self, documents: int = 1) -> None:
        """So many documents more are done."""
        self._documents += documents
        if self._live and self._clock() >= self._next:
            self._draw()

    def measure(self, read: int, total: int | None = None) -> None:
        """The bytes read so far and the bytes in all, where they are known: the `measure` of an input."""
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

    def _begin(self, phase: str, total: int | None = None) -> None:
        self._phase = phase
        self._total = total
        self._documents = self._read = 0
        self._start = self._clock()
        self._next = self._start

    def _draw(self) -> None:
        if not self._live:
            return
        now = self._clock()
        self._next = now + _EVERY
        line = self._line(now - self._start)[: _width(self._stream) - 1]
        self._write("\r" + line.ljust(self._shown))
        self._shown = len(line)

    def _line(self, seconds: float) -> str:
        parts = [self._phase] if self._phase else []
        if self._total:
            share = min(self._read / self._total, 1.0)
            parts.append(f"[{'#' * int(share * _BAR):.<{_BAR}}] {share:4.0%}")
        if self._documents:
            parts.append(f"{self._documents:,} documents")
            if seconds >= _SETTLED:
                parts.append(f"{self._documents / seconds:,.0f}/s")
        if self._total:
            parts.append(f"{_size(self._read)} of {_size(self._total)}")
            if seconds >= _SETTLED and 0 < self._read < self._total:
                parts.append(f"{_duration(seconds * (self._total - self._read) / self._read)} left")
        elif self._read:
            parts.append(_size(self._read))
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
