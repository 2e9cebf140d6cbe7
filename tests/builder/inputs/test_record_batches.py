"""Documents of a program, many at a time: the same as one by one, whatever is among them."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest
from pocketindex.builder.document import Notice, Skip
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.rows import record_batches, records
from pocketindex.builder.spill import batches
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch

PLAIN = {"id": "a", "title": "A title", "text": "Grüße aus dem Garten", "url": "u", "lang": "de"}
ODD: list[Any] = [
    {"text": "no id"},
    {"id": None, "text": "an id that is none"},
    {"id": 0, "text": "a number for an id"},
    {"id": True, "text": "no number"},
    {"id": "", "text": "an empty id"},
    {"id": "b", "text": ""},
    {"id": "b", "text": " \n\u2003"},
    {"id": "b", "text": None},
    {"id": "b", "text": 7},
    {"id": "b"},
    {"id": "b", "title": "", "text": "an empty title", "url": "", "lang": None},
    {"id": "b", "title": 1.5, "text": "a title that is none"},
    {"id": "b", "title": "é" * 5000, "text": "a title that is cut"},
    {"id": "b", "text": "half \ud800 a pair"},
    {"id": "b\udfff", "text": "half a pair in an id"},
    {"id": "b" * 1025, "text": "an id that is too long"},
    {"id": "b", "text": "a tag that is cut", "lang": "x" * 36},
    {"id": "b", "text": "a date and labels", "date": 1.0, "label": ["l", "m"]},
    OrderedDict(id="b", text="a mapping of another type"),
    "a text alone",
    ("b", "a pair"),
    (3, "a pair with a number"),
    (None, "a pair without an id"),
    ("b", None),
    None,
    float("nan"),
]
FIELDS = [
    OWN_NAMES,
    Fields(id="id"),
    Fields(title="text"),
    Fields(date="date", label="label"),
    Fields(id="url", text="title"),
]


def one_by_one(given: list[Any], fields: Fields) -> tuple[list[tuple[bytes, bytes, int]], Any]:
    skipped = list[Skip | Notice]()
    found = list(records.documents(given, skipped.append, fields=fields))
    return unpacked([DocumentBatch.of([one]) for one in found]), skipped


def many(given: list[Any], fields: Fields) -> tuple[list[tuple[bytes, bytes, int]], Any]:
    skipped = list[Skip | Notice]()
    found = list(record_batches.batches(iter(given), skipped.append, fields=fields))
    return unpacked(found), skipped


def unpacked(some: list[DocumentBatch]) -> list[tuple[bytes, bytes, int]]:
    """Text, details and hash of each document."""
    found = []
    for batch in some:
        text = detail = 0
        for text_end, detail_end, number in zip(
            batch.text_ends.tolist(), batch.detail_ends.tolist(), batch.hashes.tolist(), strict=True
        ):
            own = bytes(batch.texts[text:text_end]), bytes(batch.details[detail:detail_end])
            found.append((*own, number))
            text, detail = text_end, detail_end
    return found


@pytest.mark.parametrize("fields", FIELDS, ids=lambda fields: ",".join(fields.named()) or "own")
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:40].encode("unicode_escape"))
def test_one_that_is_odd(odd: Any, fields: Fields) -> None:
    for given in [odd], [PLAIN, PLAIN, odd, PLAIN], [odd, odd], [("x", "text"), odd], ["text", odd]:
        assert many(given, fields) == one_by_one(given, fields)


def test_batches_are_numbered_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches.batches, "__defaults__", (len, 2, 1 << 20))
    given = [text for one in range(4) for text in ("some text", "", f"text {one}")]
    found, skipped = many(given, OWN_NAMES)

    assert (found, skipped) == one_by_one(given, OWN_NAMES)
    assert [skip.place for skip in skipped] == [f"<documents>:{n}" for n in (1, 4, 7, 10)]


def test_plain_ones_are_not_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_batches, "documents", None)
    for given in [PLAIN] * 3, ["text"] * 3, [(1, "a"), ("b", "c")]:
        assert sum(map(len, record_batches.batches(given, lambda skip: None))) == len(given)
