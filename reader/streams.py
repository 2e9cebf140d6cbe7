"""Guard the standard streams of the command: nothing that is printed steers a terminal, a report
that cannot be written is not a failure, and standard input ends once.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from typing import Any, TextIO

# What steers a terminal, ends a line, turns the order of letters, or is not seen at all: the
# controls, the marks of bidirectional text, line separators, marks of interlinear text, lone
# surrogates and tags.
_STEERING = (
    r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e007f"
)
_IN_A_FIELD = re.compile(f"[{_STEERING}]")
_IN_A_TEXT = re.compile(rf"(?![\n\t])[{_STEERING}]")
BOLD, PLAIN = "\033[1m", "\033[0m"
_OWN = re.compile(f"({re.escape(BOLD)}|{re.escape(PLAIN)})")


def printable(text: str, lines: bool = False) -> str:
    """Return text with the escapes of JSON in place of characters that steer a terminal or turn the
    order of letters; lines: whether ends of lines and tabs stay.
    """
    return (_IN_A_TEXT if lines else _IN_A_FIELD).sub(
        lambda found: json.dumps(found[0])[1:-1], text
    )


def _within(text: str, encoding: str) -> str:
    """Return text with the escapes of JSON for characters that an encoding does not have."""

    def shown(character: str) -> str:
        try:
            character.encode(encoding)
        except UnicodeEncodeError:
            return json.dumps(character)[1:-1]
        return character

    return "".join(map(shown, text))


class _Stream:
    """A standard stream. needed: whether what cannot be written is an error.

    broken: whether the reader of a pipe has gone.
    """

    def __init__(self, stream: TextIO | None, name: str, needed: bool) -> None:
        self._stream, self._name, self._needed = stream, name, needed
        self.broken = False
        self._terminal = stream is not None and not stream.closed and stream.isatty()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def own(self) -> TextIO | None:
        """The stream itself, for what has to steer a terminal."""
        return self._stream

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        if self._stream is None:
            if self._needed:
                raise OSError(f"{self._name} is closed; send it to a file or a pipe")
            return len(text)
        if self._terminal:
            own = _OWN.split(text)
            own[::2] = [printable(one, lines=True) for one in own[::2]]
            text = "".join(own)
        try:
            return self._stream.write(text)
        except UnicodeEncodeError:
            return self._stream.write(_within(text, self._stream.encoding))
        except OSError as error:
            self.lose(error)
            return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        try:
            if self._stream is not None:
                self._stream.flush()
        except OSError as error:
            self.lose(error)

    def lose(self, error: OSError) -> None:
        """Write no more: what is left in memory would fail once more when the interpreter ends.
        Raises OSError where it was needed.
        """
        self.broken = isinstance(error, BrokenPipeError)
        with contextlib.suppress(OSError, ValueError):
            assert self._stream
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
        if self._needed:
            raise OSError(error.errno, error.strerror, self._name) from None


class _Input(io.RawIOBase):
    """Standard input. It says when it waits for somebody who types, and its end stays one: a
    terminal would go on after it.

    begin: bytes that come first, because they were read and not used.
    """

    def __init__(self, stream: Any, begin: bytes = b"") -> None:
        self._stream, self._begin, self._ended = stream, begin, False
        self._silent = bool(begin) or stream is None or not stream.isatty()

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return int(self._stream.fileno())

    def isatty(self) -> bool:
        return bool(self._stream.isatty())

    def readinto(self, buffer: Any) -> int:
        if self._begin:
            size = min(len(buffer), len(self._begin))
            buffer[:size], self._begin = self._begin[:size], self._begin[size:]
            return size
        if self._stream is None:
            raise OSError("standard input is closed; give a file, or a pipe")
        if not self._silent:
            self._silent = True
            end = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
            print(f"reading from the terminal; press {end} to finish", file=sys.stderr)
        size = 0 if self._ended else self._stream.readinto1(buffer)
        self._ended = not size
        return size


def _stdin(like: TextIO | None, begin: bytes = b"") -> io.TextIOWrapper:
    """Return standard input as guarded text; like: the stream that it reads."""
    stream = _Input(like and like.buffer, begin)
    encoding, errors = getattr(like, "encoding", None), getattr(like, "errors", None)
    return io.TextIOWrapper(io.BufferedReader(stream), encoding, errors)


def give_back(begin: bytes) -> None:
    """Let the next reader of standard input begin with these bytes, which were read from it."""
    before = sys.stdin
    sys.stdin = _stdin(before, begin)
    _given_back.append(before)  # a stream that nobody holds closes what it reads


_given_back = list[TextIO]()


@contextlib.contextmanager
def bytes_of_stdout() -> Iterator[None]:
    """Treat an OSError of a block that writes bytes to standard output like one of text."""
    try:
        yield
    except OSError as error:
        if isinstance(sys.stdout, _Stream):
            sys.stdout.lose(error)
        raise


@contextlib.contextmanager
def standard_streams() -> Iterator[_Stream]:
    """Give the standard streams these properties; yields standard output."""
    before = sys.stdin, sys.stdout, sys.stderr
    if None in before:
        # A file that is opened must not get the number of a standard stream.
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(number)
    # Without a locale Python would write names that are no text as they are, which is no JSON.
    plain = before[1] if isinstance(before[1], io.TextIOWrapper) else None
    loose = plain is not None and plain.errors == "surrogateescape"
    if plain and loose:
        plain.reconfigure(errors="strict")
    out = _Stream(sys.stdout, "standard output", needed=True)
    sys.stdout = out
    sys.stderr = _Stream(sys.stderr, "standard error", needed=False)
    sys.stdin = _stdin(before[0])
    try:
        yield out
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        if plain and loose:
            plain.reconfigure(errors="surrogateescape")
        sys.stdin, sys.stdout, sys.stderr = before
