"""Which shards the page of a disc names for browsers to ask for before there is a question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pocketindex.builder.page import first as first_shards
from pocketindex.builder.page.folder import Settings, write
from written_page import collections


def test_the_page_loads_first_what_any_question_needs(
    pocket: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either all shards of a kind are named or none of them, and no more than there is room for."""

    def first(room: int, **choices: Any) -> list[list[str]]:
        monkeypatch.setattr(first_shards, "ROOM", room)
        out = write([str(pocket)] * 2, tmp_path / "out", Settings(force=True, **choices))
        files = [
            [f"{each['folder']}/{each['shards'][number][0]}" for number in each["first"]]
            for each in collections(out.folder)
        ]
        assert sum(out.files[name]["bytes"] for each in files for name in each) <= room
        return files

    def names(kinds: str, place: int) -> list[str]:
        (described, _) = collections(tmp_path / "out")
        listed = [name for kind in kinds for name, _ in described["shards"] if name[0] == kind]
        return [f"c{place}/{name}" for name in listed]

    assert first(0) == [[], []]
    assert first(1 << 30) == [names("hld", 0), names("hld", 1)]
    heads = (tmp_path / "out" / "c0" / "heads.js").stat().st_size
    assert first(heads) == [["c0/heads.js"], []]
    assert first(2 * heads) == [["c0/heads.js"], ["c1/heads.js"]]
    assert first(1 << 30, with_file=True) == [["c0/heads.js"], ["c1/heads.js"]]
    assert first(1 << 30, scripts=False) == [[], []]
