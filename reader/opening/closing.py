"""What holds a file or another resource, and gives it back at the end of a `with` block."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self


class Closing:
    """The base of what a `with` block closes, whatever its end is."""

    def close(self) -> None:
        """Give back what is held. A second call does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
