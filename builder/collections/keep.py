"""Which of several near-duplicates is kept: the first, the longest or the newest."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

POLICIES = ("first", "longest", "newest")
_OLDEST = float("-inf")


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
    return seconds if seconds == seconds else _OLDEST


def preference(policy: str, text: str, date: Any) -> float:
    """The smaller, the rather a document is kept; equals go by their order."""
    if policy == "longest":
        return -len(text)
    return -moment(date) if policy == "newest" else 0.0
