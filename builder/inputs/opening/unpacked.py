"""A file whose content comes in pieces, as what unpacks it gives them."""

from __future__ import annotations

import io
from abc import abstractmethod
from typing import Any


class Unpacked(io.RawIOBase):
    """Content that comes in pieces."""

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
