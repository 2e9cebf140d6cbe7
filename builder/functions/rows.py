"""What functions return: rows that are named tuples, and a table for those who want one."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

import numpy as np
from pocketindex.builder.inputs.source import needed
from pocketindex.builder.out.rows import Types, schema
from pocketindex.builder.report import Report
from pocketindex.wording.counted import counted

if TYPE_CHECKING:
    import numpy.typing as npt

_Row = TypeVar("_Row", bound="tuple[Any, ...]")
_SHOWN = 10  # rows in a notebook
_CHARACTERS = 60  # of a value in a notebook


class Rows(Sequence[_Row], Generic[_Row]):
    """Rows in columns; each row that is asked for is a named tuple.

    report: what was read and left out (builder.Report).
    """

    types: ClassVar[Types]
    _make: ClassVar[Any]

    def __init__(self, columns: Sequence[Sequence[Any]], report: Report) -> None:
        self._columns, self.report = columns, report

    def __len__(self) -> int:
        return len(self._columns[0])

    @overload
    def __getitem__(self, place: int) -> _Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[_Row]: ...
    def __getitem__(self, place: int | slice) -> _Row | list[_Row]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        row: _Row = self._make(*(column[place] for column in self._columns))
        return row

    def __iter__(self) -> Iterator[_Row]:
        return map(self._make, *self._columns)

    def to_arrow(self) -> Any:
        """Return a pyarrow.Table with a row for each. Raises NeedsPackage without pyarrow."""
        arrow = needed("pyarrow", "parquet", type(self).__name__, "it is to be an Arrow table")
        own = schema(arrow, self.types)
        arrays = [
            arrow.array(self._values(column), field.type)
            for column, field in zip(self._columns, own, strict=True)
        ]
        return arrow.Table.from_arrays(arrays, schema=own)

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame with a row for each. Raises ImportError without pandas."""
        return self.to_arrow().to_pandas()

    def _values(self, column: Sequence[Any]) -> Sequence[Any]:
        """Return what Arrow takes of a column."""
        return column

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._sum()}>"

    def _sum(self) -> str:
        return counted(len(self), "row")

    def _repr_html_(self) -> str:
        """Return the sum and the first rows for notebooks."""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.types)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_shown(value))}</td>" for value in row) + "</tr>"
            for row in self[:_SHOWN]
        )
        more = f"<p>and {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else ""
        return (
            f"<p>{html.escape(self._sum())}</p><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table>{more}"
        )


class Kept(Rows[_Row]):
    """Rows of what goes, and what stays.

    kept: the numbers of what stays, rising, an int64 array; mask: a bool for each document that was
    given, whether it stays.
    """

    def __init__(
        self,
        columns: Sequence[Sequence[Any]],
        report: Report,
        kept: npt.NDArray[np.int64],
        count: int,
    ) -> None:
        super().__init__(columns, report)
        self.kept = kept
        self.mask = np.zeros(count, bool)
        self.mask[kept] = True


def _shown(value: Any) -> str:
    text = "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
    return text if len(text) <= _CHARACTERS else text[: _CHARACTERS - 1] + "…"
