"""A stream of unpacked bytes, which arrive in pieces of any size."""

from __future__ import annotations

import io
from abc import abstractmethod
from typing import Any


class Unpacked(io.RawIOBase):
    """The base class of streams that unpack a file piece by piece."""

    _content = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._content:
            if (piece := self._next()) is None:
                return 0
            self._content = memoryview(piece)
        count = min(len(buffer), len(self._content))
        buffer[:count], self._content = self._content[:count], self._content[count:]
        return count

    @abstractmethod
    def _next(self) -> bytes | None:
        """Return the next piece, which may be empty; None at the end."""
