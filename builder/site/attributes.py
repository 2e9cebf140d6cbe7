"""The attributes data-pagefind-* and what they mean (docs/site.md)."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

WEIGHT_UNIT = 24  # of a weight of 1
MOST_WEIGHT = 10
RESERVED = ("any", "all", "none", "not")  # words of a filter's own language

ATTRIBUTE = re.compile(r'([^\s=]+)="([^"]*)"')


class Named(NamedTuple):
    """A key and the place of its value: the text behind a colon, an attribute, or, if both are
    None, the text of the element.
    """

    key: str
    value: str | None = None
    attribute: str | None = None


def attributes_of(written: str) -> dict[str, str]:
    """Return the attributes of a tag in the parser's output."""
    return {name: unescaped(value) for name, value in ATTRIBUTE.findall(written)}


def unescaped(text: str) -> str:
    """Return text with its entities resolved."""
    return html.unescape(text) if "&" in text else text


def named(written: str) -> list[Named]:
    """Return the keys and places that a list such as `key, key[attribute], key:value` names. A
    value goes to the end of the list: commas and colons belong to it.
    """
    found, rest = list[Named](), written
    while rest:
        place = re.search(r"[,:\[]", rest)
        if place and place[0] == ":":
            return [*found, *_keyed(rest[: place.start()], rest[place.end() :].strip(), None)]
        own, _, rest = (
            rest.partition(",") if not place or place[0] == "," else _bracketed(rest, place.start())
        )
        key, bracket, attribute = own.partition("[")
        found += _keyed(
            key, None, attribute.rstrip().removesuffix("]").strip() if bracket else None
        )
    return found


def _bracketed(rest: str, at: int) -> tuple[str, str, str]:
    end = rest.find("]", at)
    own, comma, behind = rest[end if end >= 0 else len(rest) :].partition(",")
    return rest[: end if end >= 0 else len(rest)] + own, comma, behind


def _keyed(key: str, value: str | None, attribute: str | None) -> list[Named]:
    return [Named(key.strip(), value, attribute)] if key.strip() else []


def weight_of(written: str) -> int:
    """Return a weight in units: 0 to 10, and 1 for what is no number."""
    try:
        weight = float(written)
    except ValueError:
        return WEIGHT_UNIT
    return (
        round(min(max(weight, 0.0), float(MOST_WEIGHT)) * WEIGHT_UNIT) if weight == weight else 24
    )


def ignored(written: str) -> int:
    """Return how much `data-pagefind-ignore` leaves out: 1 the text, 2 everything, 3 everything
    because the value is unknown.
    """
    return {"": 1, "index": 1, "true": 1, "all": 2}.get(written.strip().lower(), 3)
