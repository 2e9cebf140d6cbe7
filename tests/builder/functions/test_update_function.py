"""update, merge and diff with documents that a program has."""

from __future__ import annotations

from pathlib import Path

import pocketindex
import pytest
from changing_documents import document, written
from pocketindex.builder import NotMerged
from run_command import run


def test_they_make_the_bytes_of_the_commands(tmp_path: Path) -> None:
    old, new = tmp_path / "old.pocket", list(map(document, range(75, 140)))
    pocketindex.build(map(document, range(1, 80)), old)
    gone = tmp_path / "gone.txt"
    gone.write_text("d1\n")
    source = written(new, tmp_path / "new.jsonl")
    run("update", old, source, "--remove", gone, "-o", tmp_path / "a.pocket")

    report = pocketindex.update(old, iter(new), ["d1"], output=tmp_path / "b.pocket")

    assert (tmp_path / "a.pocket").read_bytes() == (tmp_path / "b.pocket").read_bytes()
    assert report.changed
    assert report.changed.added == 60
    kinds = [one.change for one in pocketindex.diff(old, tmp_path / "a.pocket")]
    assert kinds == ["gone"] + ["added"] * 60
    report = pocketindex.merge([old, tmp_path / "a.pocket"], tmp_path / "c.pocket")
    assert report.changed
    assert report.changed.kept == 1
    with pocketindex.open(tmp_path / "c.pocket") as index:
        assert len(index) == 139


def test_removal_takes_no_documents(tmp_path: Path) -> None:
    path = tmp_path / "x.pocket"
    pocketindex.build(map(document, range(1, 80)), path)

    report = pocketindex.update(path, remove=["d1", "d2"])

    assert report.changed
    assert report.changed.removed == 2


def test_what_an_update_cannot_do_is_said(tmp_path: Path) -> None:
    path, other = tmp_path / "x.pocket", tmp_path / "y.pocket"
    pocketindex.build(map(document, range(1, 80)), path, index="documents,passages")
    pocketindex.build(map(document, range(9, 80)), other)

    with pytest.raises(NotMerged, match="it has another profile than"):
        pocketindex.merge([other, path], tmp_path / "z.pocket")
    with pytest.raises(TypeError, match="there is no choice 'shape'"):
        pocketindex.update(path, [], ["d1"], shape="small")  # type: ignore[call-arg]


def test_ids_to_remove_are_those_that_a_build_takes(tmp_path: Path) -> None:
    path = tmp_path / "x.pocket"
    texts = [document(number)["text"] for number in range(1, 30)]
    pocketindex.build(enumerate(texts), path)
    before = path.read_bytes()
    # A string is no list of its characters.
    for wrong, message in (
        ("12", "remove is '12'; expected a list of ids"),
        ([1.5], "of type float"),
    ):
        with pytest.raises(TypeError, match=message):
            pocketindex.update(path, remove=wrong)  # type: ignore[arg-type]
    assert path.read_bytes() == before

    report = pocketindex.update(path, remove=[1, "2"])
    assert report.changed
    assert report.changed.removed == 2
