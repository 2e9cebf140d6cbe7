"""Spans of a text: their union, their order by what they add, and their places in code points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

# A source that adds fewer terms comes after all that add as many (docs/format.md, section 9).
LEAST_TERMS = 5

Span = tuple[int, int]


def ordered(sources: Sequence[Sequence[Span]], least: int, top: int) -> list[tuple[int, int]]:
    """Order sources by what each adds to those before it.

    Returns (number, added) for at most top sources. A source that adds less than least comes after
    those that add more, in the order of what it covers, and adds 0. The spans of each source must
    be in rising order and must not overlap; otherwise ValueError is raised.
    """
    spans = [span for own in sources for span in own]
    ends = list(accumulate(map(len, sources)))
    count, error = ffi.new("uint32_t *", len(sources)), ffi.new("pocket_error *")
    order, added = (ffi.new("uint32_t[]", min(top, len(sources))) for _ in range(2))
    status = lib.pocket_order_sources(
        ffi.new("pocket_span[]", spans), ends, count, least, len(order), order, added, error
    )
    check(status, error, "")
    return list(zip(order[0 : count[0]], added[0 : count[0]], strict=True))


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return the union of spans, in rising order."""
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def share(spans: Iterable[Span], length: int) -> float:
    """Return the share of a length that spans cover together, 0 to 1."""
    return sum(end - start for start, end in joined(spans)) / length if length else 0.0


def left_out(text: str, spans: Iterable[Span]) -> str:
    """Replace spans of a text by white space of the same length, which also ends a sentence. Spans
    are in code points. Raises ValueError if one of them is not within the text.
    """
    parts, before = list[str](), 0
    for start, end in joined(spans):
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"{start} .. {end} is not within a text of {len(text)} characters")
        parts += [text[before:start], ("\n\n" + " " * (end - start))[: end - start]]
        before = end
    return "".join([*parts, text[before:]])


def code_points(data: bytes, spans: Iterable[Sequence[int]]) -> dict[int, int]:
    """Map the ends of spans from bytes to code points, in one pass. data: a text in UTF-8."""
    places = dict[int, int]()
    before = 0
    count = 0
    for place in sorted({place for span in spans for place in span}):
        count += len(data[before:place].decode("utf-8", "replace"))
        places[place], before = count, place
    return places
