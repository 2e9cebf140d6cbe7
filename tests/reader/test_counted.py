"""Numbers with their nouns."""

from __future__ import annotations

import pytest
from pocketindex.wording.counted import counted, no_file


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 documents"), (1, "1 document"), (1234, "1,234 documents")]
)
def test_a_noun_has_its_number(number: int, said: str) -> None:
    assert counted(number, "document") == said


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1, "its only file ('a') is not of a kind that a folder gives"),
        (1234, "none of its 1,234 files ('a' ...) is of a kind that a folder gives"),
    ],
)
def test_one_file_is_not_counted_as_several(number: int, said: str) -> None:
    assert no_file(number, "a", "that a folder gives") == said
