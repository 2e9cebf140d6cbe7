"""Files of every release are read for ever, and say the same of their documents."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pocketindex
import pytest
from make_released import RELEASED, content

FILES = sorted(RELEASED.glob("*/*.pocket"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_file_of_a_release_is_read(path: Path) -> None:
    known = json.loads((path.parent / "content.json").read_text(encoding="ascii"))[path.name]

    assert hashlib.sha256(path.read_bytes()).hexdigest() == known.pop("sha256"), (
        "a released file is never made again: a changed format needs another version of it"
    )
    assert content(path) == known


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_document_of_it_finds_itself(path: Path) -> None:
    with pocketindex.open(path) as index:
        for number in range(len(index)):
            text = index.text(number)
            if text is None:
                continue
            try:
                hits = list(index.query(text))
            except pocketindex.TextTooShort:
                continue  # no term at all
            assert text in {index.text(hit.number) for hit in hits[:5]}, number


def test_every_release_keeps_its_files() -> None:
    folders = [folder for folder in RELEASED.iterdir() if folder.is_dir()]

    assert folders
    for folder in folders:
        names = {path.name for path in folder.glob("*.pocket")}
        assert names == set(json.loads((folder / "content.json").read_text(encoding="ascii")))
        assert len(names) > 20
