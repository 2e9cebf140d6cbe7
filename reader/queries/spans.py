"""Stretches of a text: where they are, what they cover together, and whose come first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from pocketindex.cbits import ffi, lib
from pocketindex.ffi.status import check

# Terms that a source has to add to come before those that add less (docs/format.md, section 9).
LEAST_TERMS = 5

Span = tuple[int, int]


def ordered(sources: Sequence[Sequence[Span]], least: int, top: int) -> list[tuple[int, int]]:
    """Return the numbers of at most top sources, and what each adds to those before it; one that
    adds less than least comes behind those that add more, by what it has, and adds 0.

    The spans of a source rise. Raises ValueError where they do not.
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
    """Return the union of spans, rising."""
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def share(spans: Iterable[Span], length: int) -> float:
    """Return the share of a length that spans cover."""
    return sum(end - start for start, end in joined(spans)) / length if length else 0.0


def left_out(text: str, spans: Iterable[Span]) -> str:
    """Return a text of the same length that has white space where spans are, and ends a sentence
    there. Spans are in code points; raises ValueError where one is not within the text.
    """
    parts, before = list[str](), 0
    for start, end in joined(spans):
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"{start} .. {end} is not within a text of {len(text)} characters")
        parts += [text[before:start], ("\n\n" + " " * (end - start))[: end - start]]
        before = end
    return "".join([*parts, text[before:]])


def code_points(data: bytes, spans: Iterable[Sequence[int]]) -> dict[int, int]:
    """Return for each place in bytes of a text in UTF-8 that in code points, in one pass."""
    places = dict[int, int]()
    before = 0
    count = 0
    for place in sorted({place for span in spans for place in span}):
        count += len(data[before:place].decode("utf-8", "replace"))
        places[place], before = count, place
    return places
