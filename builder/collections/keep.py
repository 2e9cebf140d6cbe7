"""Which of several near-duplicates is kept: the first, the longest, the newest, or the one with the
greatest or least value of a field.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection
from datetime import datetime, timezone
from decimal import Decimal
from math import isfinite
from typing import Any

from pocketindex.builder.inputs.fields import listed, quoted

POLICIES = ("first", "longest", "newest")
LEAST = "least"
_OLDEST = float("-inf")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?", re.IGNORECASE | re.ASCII)


class Preferences:
    """How much each document is preferred, in the order in which they are added.

    field: whose values add() takes, None where none is needed; missing: documents without such a
    value, which come last.
    """

    def __init__(self, policy: str, prefer: str | None = None, date: str | None = None) -> None:
        """policy: one of POLICIES; prefer: FIELD or FIELD:least, which takes its place; date: the
        field of "newest".
        """
        self._policy, self._found = policy, array("d")
        # Of a field that is preferred: which of the values a document has, each of them once.
        self._values, self._own = dict[str, int](), array("q")
        self.field, self._is_least, self._is_ranked = date, False, prefer is not None
        if prefer is not None:
            name, sign, end = prefer.rpartition(":")
            self._is_least = bool(sign) and end == LEAST
            self.field = name if self._is_least else prefer
        self.missing = 0

    def add(self, text: str, value: object) -> None:
        """Add a document with its text and its value of the field, None if it has none. What is
        neither a string nor a number is no value.
        """
        if not self._is_ranked:
            self._found.append(preference(self._policy, text, value))
            self.missing += self._found[-1] == float("inf")
            return
        is_value = isinstance(value, str | int | float) and not isinstance(value, bool)
        said = str(value) if is_value and value == value and value != "" else None
        self.missing += said is None
        self._own.append(-1 if said is None else self._values.setdefault(said, len(self._values)))

    def __len__(self) -> int:
        return len(self._own if self._is_ranked else self._found)

    def check_dated(self, option: str, there: Collection[str] = ()) -> None:
        """Raise ValueError if the newest are to be kept and no document has a date. option: names
        the field; there: fields that the records have, for the message.
        """
        if self._policy == "newest" and len(self) == self.missing > 0:
            fields = f"; the fields are {listed(there)}" if there else ""
            where = f" in the field {quoted(self.field)}" if self.field else ""
            raise ValueError(
                f"the newest are to be kept, and no document has a date{where}; name the field "
                f"with {option}{fields}"
            )

    def ranks(self) -> array[float]:
        """Return a number for each document: the smaller, the rather it is kept; equals go by their
        order.
        """
        if not self._is_ranked:
            return self._found
        known: list[Any] = list(self._values)
        if not self._others():
            known = list(map(Decimal, known))
        ranks = {value: rank for rank, value in enumerate(sorted(set(known)))}
        sign = 1.0 if self._is_least else -1.0
        own = [*(sign * ranks[value] for value in known), float("inf")]  # -1 is the last one
        return array("d", (own[code] for code in self._own))

    def notes(self) -> list[str]:
        """Return a line if numbers stand beside other values, which makes them strings."""
        others = self._others()
        if not 0 < len(others) < len(self._values):
            return []
        return [
            f"the values of {quoted(self.field or '')} are compared as strings, since some are "
            f"numbers and some are not, as {quoted(others[0])}"
        ]

    def _others(self) -> list[str]:
        """Return the values that are no numbers."""
        return [value for value in self._values if not _NUMBER.fullmatch(value)]


def moment(value: object) -> float:
    """Seconds since 1970 of a date: a number of seconds, or ISO 8601 (a day, or a time; without a
    zone in UTC).

    What is no date is older than all.
    """
    if isinstance(value, bool) or value is None:
        return _OLDEST
    text = str(value).strip()
    try:
        return _number(text)
    except ValueError:
        pass
    try:
        read = datetime.fromisoformat(text[:-1] + "+00:00" if text[-1:] in "Zz" else text)
        return (read if read.tzinfo else read.replace(tzinfo=timezone.utc)).timestamp()
    except (ValueError, OverflowError):
        return _OLDEST


def _number(text: str) -> float:
    """Eight digits are a day in ISO 8601, four a year; other numbers are seconds."""
    if text.isdigit() and len(text) in (4, 8):
        year, rest = text[:4], text[4:] or "0101"
        return datetime(int(year), int(rest[:2]), int(rest[2:]), tzinfo=timezone.utc).timestamp()
    seconds = float(text)
    return seconds if isfinite(seconds) else _OLDEST


def preference(policy: str, text: str, date: Any) -> float:
    """The smaller, the rather a document is kept; equals go by their order."""
    if policy == "longest":
        return -len(text)
    return -moment(date) if policy == "newest" else 0.0
