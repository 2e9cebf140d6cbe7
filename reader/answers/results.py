"""What every answer in Python has: a line of text, dicts, tables, and HTML for notebooks."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

_Item = TypeVar("_Item")
_LINE = 180  # characters of a repr
_VALUE = 40  # of a value in it, and in a notebook
_SHOWN = 10  # rows in a notebook


class Part:
    """The base class of the parts of answers: frozen dataclasses that are shown on one line."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return a line. A field that cannot be read is left out, so this raises no error."""
        return f"{type(self).__name__}({_within(_LINE, _shown_fields(self))})"


class Result(Part):
    """The base class of all answers.

    An answer is a table of one row, unless it is one of Results.
    """

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a dict for each row, with all fields, as dataclasses.asdict gives it."""
        return [asdict(row) for row in self._rows()]

    def to_arrow(self) -> Any:
        """Return a pyarrow.Table of the rows. Its types are those of the fields, also where there
        is no row. Raises ImportError without pyarrow.
        """
        arrow = self._needed("pyarrow", "parquet", "to_arrow")
        from pocketindex.answers.arrow_types import table  # only who asks for it waits for typing

        return table(arrow, self._row(), self._rows())

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Export the rows as an Arrow stream, which polars, DuckDB and others read."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame of the rows. Raises ImportError without pandas or pyarrow."""
        self._needed("pandas", "pandas", "to_pandas")
        return self.to_arrow().to_pandas()

    def _rows(self) -> Sequence[Any]:
        return (self,)

    def _row(self) -> type:
        """Return the class of a row."""
        return type(self)

    def _needed(self, package: str, extra: str, what: str) -> Any:
        try:
            return importlib.import_module(package)
        except ImportError as error:
            raise ImportError(
                f"{type(self).__name__}.{what} needs {package}, which is not installed: "
                f"pip install 'pocketindex[{extra}]'"
            ) from error

    def _sum(self) -> str:
        """Return the text above the table in a notebook."""
        return type(self).__name__

    def _repr_html_(self) -> str:
        """Return the text above the table and the first rows, for notebooks."""
        from html import escape

        names, rows = [field.name for field in fields(self._row())], self._rows()
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_cell(getattr(row, name)))}</td>" for name in names)
            + "</tr>"
            for row in rows[:_SHOWN]
        )  # fmt: skip
        more = f"<p>and {len(rows) - _SHOWN:,} more</p>" if len(rows) > _SHOWN else ""
        return (
            f"<p>{escape(self._sum())}</p><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>{more}"
        )


if TYPE_CHECKING:
    _Items = Sequence[_Item]
else:

    class _Items(Generic[_Item]):
        """A sequence by its methods alone. Of a collections.abc.Sequence of dataclasses, polars
        takes the types from the first row, and fails where that has an empty tuple of dataclasses;
        of anything else, it reads the Arrow stream.
        """

        index, count, __contains__ = Sequence.index, Sequence.count, Sequence.__contains__


class Results(Result, _Items[_Item]):
    """The base of answers that have items, in a tuple, which is their first field.

    They have the length, the truth value, the indices and the order of this tuple, and each item is
    a row.
    """

    def _rows(self) -> Sequence[_Item]:
        items: tuple[_Item, ...] = getattr(self, next(iter(self.__dataclass_fields__)))
        return items

    def _row(self) -> type:
        from pocketindex.answers.arrow_types import item_of

        return item_of(type(self))

    def __len__(self) -> int:
        return len(self._rows())

    @overload
    def __getitem__(self, place: int) -> _Item: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[_Item]: ...
    def __getitem__(self, place: int | slice) -> _Item | Sequence[_Item]:
        return self._rows()[place]

    def __iter__(self) -> Iterator[_Item]:
        return iter(self._rows())

    def __repr__(self) -> str:
        others = _within(_LINE, [self._sum(), *_shown_fields(self, scalars=True)])
        return f"<{type(self).__name__}: {others}>"

    def _sum(self) -> str:
        noun = next(iter(self.__dataclass_fields__)).removesuffix("s")
        return f"{len(self):,} {noun}{'s' * (len(self) != 1)}"

    __dataclass_fields__: dict[str, Any]


def _shown_fields(of: Any, scalars: bool = False) -> list[str]:
    """Return the fields that differ from their defaults; scalars: only numbers and truth values."""
    said = []
    for field in fields(of):
        try:
            value = getattr(of, field.name)
        except Exception:  # noqa: S112  of a damaged file
            continue
        if value is None or value == field.default or value == ():
            continue
        if not scalars or isinstance(value, int | float):
            said.append(f"{field.name}={_short(value)}")
    return said


def _within(most: int, said: list[str]) -> str:
    line = ""
    for number, one in enumerate(said):
        if len(line) + len(one) > most - 3:
            return line + ", ..." * (number > 0)
        line += ", " * (number > 0) + one
    return line


def _short(value: Any) -> str:
    if isinstance(value, tuple | list | dict) and len(value) > 3:
        return f"[{len(value):,}]"
    # Of a long text only the beginning is looked at.
    shown = repr(value[: _VALUE + 1] if isinstance(value, str | bytes) else value)
    return shown if len(shown) <= _VALUE + 2 else shown[: _VALUE - 1] + "…"


def _cell(value: Any) -> str:
    text = "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
    return text if len(text) <= _VALUE + 20 else text[: _VALUE + 19] + "…"
