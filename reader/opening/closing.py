"""The end of a `with` block, for all that holds a file or another resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self


class Closing:
    """The base class of what a `with` block closes, even if the block ends with an error."""

    def close(self) -> None:
        """Release what is held. A second call does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
