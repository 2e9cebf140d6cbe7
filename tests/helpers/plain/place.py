"""Where something lies in the file, and the checks that name it when they fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pocketindex.errors import Damaged


@dataclass
class Place:
    """A part of the file that errors can name."""

    path: str
    section: str
    block: int | None = None

    def require(self, correct: bool, field: str, expected: int | str, found: int | str) -> None:
        if not correct:
            raise Damaged(self.path, self.section, self.block, field, expected, found)

    def equal(self, field: str, expected: int, found: int) -> None:
        self.require(expected == found, field, expected, found)

    def within(self, field: str, lowest: int, highest: int, found: int) -> None:
        self.require(lowest <= found <= highest, field, f"{lowest} .. {highest}", found)

    def one_of(self, field: str, allowed: Sequence[int], found: int) -> None:
        self.require(
            found in allowed, field, f"{', '.join(map(str, allowed[:-1]))} or {allowed[-1]}", found
        )

    def zero(self, field: str, data: bytes) -> None:
        self.require(not any(data), field, "zeros", data[:16].hex(" "))

    def utf8(self, field: str, data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise Damaged(
                self.path,
                self.section,
                self.block,
                field,
                "UTF-8",
                data[error.start : error.end].hex(" "),
            ) from None
