"""Limit what all clients of `pocketindex serve` take together: connections, places among those that
are answered, time, and memory.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from pocketindex.builder.page.serving.api import Refused

MOST_CONNECTIONS = 256  # each has a thread
MOST_AT_ONCE = 64  # of them are answered, the others wait for a place
MOST_AT_WORK = 8  # questions that are looked up at once
BODIES_BYTES = 32 << 20  # of all requests that are being read or looked up
ANSWERS_BYTES = 64 << 20  # of all answers that are being sent
SMALL_ANSWER = 1 << 20  # one that is not counted
# A client that waits for a place has another one cut off that neither sends its request nor, for
# so long, takes its answer.
WAIT_SECONDS = 0.1
STALL_SECONDS = 1.0
MEMORY_SECONDS = 20.0  # to wait for memory


class Connection(Protocol):
    """The connection of a client. holds: the bytes of memory that it keeps."""

    holds: int

    def cut(self) -> None:
        """End the connection, whatever its state."""


class Clients:
    """The connections and what they use. All methods may be called from any thread."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.open = self.running = 0
        self.bodies, self.answers = BODIES_BYTES, ANSWERS_BYTES  # bytes that are free
        self.places = threading.BoundedSemaphore(MOST_AT_ONCE)
        self.work = threading.BoundedSemaphore(MOST_AT_WORK)
        # Those whose client has to send or to take something, the longest first, and from when on
        # each may be cut off for another client.
        self.waiting: dict[Connection, float] = {}
        self.ends: dict[Connection, float] = {}  # when the time of a request is over

    def enter(self) -> bool:
        """Count one more connection; return False if there are too many."""
        with self.changed:
            if self.open == MOST_CONNECTIONS:
                return False
            self.open += 1
            return True

    def leave(self) -> None:
        """Count one connection less."""
        with self.changed:
            self.open -= 1

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place among those that are answered."""
        while not self.places.acquire(timeout=WAIT_SECONDS):
            self.cut_one()
        try:
            yield
        finally:
            self.places.release()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Count a request as running, which a server that stops waits for."""
        with self.changed:
            self.running += 1
        try:
            yield
        finally:
            with self.changed:
                self.running -= 1
                self.changed.notify_all()

    def wait_for(self, connection: Connection, grace: float = 0.0) -> None:
        """Note that a client has to send or take something before its connection can go on.

        grace: the seconds for which it is not cut off for another client.
        """
        with self.changed:
            self.waiting.pop(connection, None)  # it comes last now
            self.waiting[connection] = time.monotonic() + grace

    def go_on(self, connection: Connection) -> None:
        """Note that a connection does not wait for its client."""
        with self.changed:
            self.waiting.pop(connection, None)

    def cut_one(self, least: int = 0) -> bool:
        """Cut off the connection that has waited longest for its client, of those that hold at
        least so many bytes; returns whether there was one.
        """
        now = time.monotonic()
        with self.changed:
            for connection, due in self.waiting.items():
                if due <= now and connection.holds >= least:
                    del self.waiting[connection]
                    connection.cut()
                    return True
        return False

    def begin(self, connection: Connection, seconds: float) -> None:
        """Set the number of seconds after which a connection is cut off, unless it ends before."""
        with self.changed:
            self.ends[connection] = time.monotonic() + seconds

    def end(self, connection: Connection) -> None:
        """Note that a connection's request was answered, or that there is none."""
        with self.changed:
            self.ends.pop(connection, None)
            self.waiting.pop(connection, None)

    def cut_late(self) -> None:
        """Cut off the connections whose time has run out."""
        now = time.monotonic()
        with self.changed:
            late = [connection for connection, end in self.ends.items() if end <= now]
            for connection in late:
                del self.ends[connection]
                connection.cut()

    @contextmanager
    def body(self, connection: Connection, size: int) -> Iterator[None]:
        """Hold the memory of a request's body. Raises Refused where others have it."""
        self._take("bodies", connection, size)
        try:
            yield
        finally:
            self._give("bodies", connection, size)

    @contextmanager
    def answer(self, connection: Connection, size: int) -> Iterator[None]:
        """Hold the memory of an answer. An answer that is larger than the whole limit waits until
        no other holds any.

        Raises Refused where others have it.
        """
        size = min(size, ANSWERS_BYTES) if size > SMALL_ANSWER else 0
        self._take("answers", connection, size)
        try:
            yield
        finally:
            self._give("answers", connection, size)

    def _take(self, kind: str, connection: Connection, size: int) -> None:
        end = time.monotonic() + MEMORY_SECONDS
        with self.changed:
            while getattr(self, kind) < size:
                if time.monotonic() > end:
                    raise Refused(503, "too many large requests at once; ask again later")
                if not self.changed.wait(WAIT_SECONDS):
                    self.cut_one(least=1)
            setattr(self, kind, getattr(self, kind) - size)
            connection.holds += size

    def _give(self, kind: str, connection: Connection, size: int) -> None:
        with self.changed:
            setattr(self, kind, getattr(self, kind) + size)
            connection.holds -= size
            self.changed.notify_all()
