"""An answer with the documents that go, and the numbers of those that stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np
from pocketindex.answers.results import Results

if TYPE_CHECKING:
    import numpy.typing as npt

_Item = TypeVar("_Item")


class Kept(Results[_Item]):
    """The base of answers that say which of the given documents stay.

    A class of it has the fields that are named here. kept: the numbers of the documents that stay,
    rising; documents: how many were given.
    """

    kept: list[int]  # no tuple, which libraries take for a place in several dimensions
    documents: int

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """Return a bool for each given document: whether it stays."""
        mask = np.zeros(self.documents, bool)
        mask[self.kept] = True
        return mask

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._sum()}>"
