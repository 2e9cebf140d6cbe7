"""Numbers with their nouns."""

from __future__ import annotations

import pytest
from pocketindex.wording.counted import counted


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 documents"), (1, "1 document"), (1234, "1,234 documents")]
)
def test_a_noun_has_its_number(number: int, said: str) -> None:
    assert counted(number, "document") == said
