"""What a browser keeps of a disc."""

from __future__ import annotations

from pocketindex.builder.page.offline import kept_offline


def test_the_edition_is_that_of_every_byte() -> None:
    files = {
        "c0/heads.js": {"bytes": 9, "sha256": "a"},
        "o0/a.gif": {"bytes": 5, "sha256": "b"},
        "readme.txt": {"bytes": 3, "sha256": "c"},
        "programs/a": {"bytes": 4, "sha256": "d"},
        "c0/a.pocket": {"bytes": 6, "sha256": "e"},
    }
    first = kept_offline(files, b"page")
    assert first["bytes"] == 9 + 5 + 4
    other = files | {"o0/a.gif": {"bytes": 5, "sha256": "f"}}
    editions = {
        first["edition"],
        kept_offline(other, b"page")["edition"],
        kept_offline(files, b"other")["edition"],
    }
    assert len(editions) == 3
    assert kept_offline(files, b"page") == first
