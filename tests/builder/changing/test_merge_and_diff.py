"""Files that are merged and compared, without their texts."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pocketindex
import pytest
from changing_documents import WAYS, Document, document, written
from pocketindex.builder import Settings, build
from pocketindex.builder.changing.diff import Difference, diff
from pocketindex.builder.changing.merge import NotMerged, merge
from run_command import run


def ids(path: Path) -> list[str]:
    with pocketindex.open(path) as index:
        return [index.record(number).id for number in range(len(index))]


def three(folder: Path, chosen: Settings) -> tuple[list[Path], list[dict[str, dict[str, object]]]]:
    """Files of one profile that share ids, and their documents."""
    files, known = list[Path](), []
    for version, numbers in enumerate((range(1, 120), range(100, 180), range(110, 130))):
        documents = [document(number, version) for number in numbers]
        path = folder / f"{version}.pocket"
        own = replace(chosen, profile=str(files[0]), scheme_settings=None) if files else chosen
        build([written(documents, folder / f"{version}.jsonl")], path, own)
        files.append(path)
        known.append({str(one["id"]): one for one in documents})
    return files, known


@pytest.mark.parametrize("way", WAYS)
def test_a_merged_file_has_the_bytes_of_a_build(tmp_path: Path, way: str) -> None:
    chosen = replace(WAYS[way], run_documents=50)
    files, known = three(tmp_path, chosen)
    in_files = [ids(path) for path in files]
    kept = [
        known[number][id]
        for number, own in enumerate(in_files)
        for id in own
        if not any(id in later for later in in_files[number + 1 :])
    ]
    chosen = replace(chosen, profile=str(files[0]), scheme_settings=None)
    build([written(kept, tmp_path / "all.jsonl")], tmp_path / "expected.pocket", chosen)

    report = merge(files, tmp_path / "all.pocket")

    assert (tmp_path / "all.pocket").read_bytes() == (tmp_path / "expected.pocket").read_bytes()
    assert report.changed
    changed = report.changed
    assert changed.kept + changed.replaced == len(in_files[0])
    assert changed.kept + changed.replaced + changed.added == len(kept)


def test_a_shingle_is_frequent_by_the_documents_of_all_files(tmp_path: Path) -> None:
    """Three documents in each of two files have a passage, of which one is in both: five, which is
    more than four.
    """
    chosen = Settings(index=("documents", "passages"), run_documents=4)
    shared = " ".join(f"shared{i}" for i in range(40))
    files = list[Path]()
    for name, numbers in (("one", range(3)), ("other", range(2, 5))):
        documents: list[Document] = [
            {"id": f"d{n}", "text": f"{shared} {' '.join(f'own{n}x{i}' for i in range(40))}"}
            for n in numbers
        ]
        path = tmp_path / f"{name}.pocket"
        own = replace(chosen, profile=str(files[0])) if files else chosen
        build([written(documents, tmp_path / f"{name}.jsonl")], path, own)
        files.append(path)

    merge(files, tmp_path / "all.pocket")

    found = [pocketindex.open(path).sources(shared) for path in (*files, tmp_path / "all.pocket")]
    assert [sorted(one.id for one in own) for own in found] == [
        ["d0", "d1", "d2"],
        ["d2", "d3", "d4"],
        [],
    ]
    ((passage,),) = (own.frequent for own in found[2:])
    assert passage.documents == 5
    assert len(passage.examples) == 3


@pytest.mark.parametrize("newest", [0, 1, 2])
def test_the_file_that_was_changed_last_wins(tmp_path: Path, newest: int) -> None:
    files, _ = three(tmp_path, WAYS["plain"])
    order = [number for number in range(3) if number != newest] + [newest]
    for place, number in enumerate(order):
        os.utime(files[number], ns=(0, 1_700_000_000_000_000_000 + place))
    expected = tmp_path / "expected.pocket"
    merge([files[number] for number in order], expected)

    pocketindex.merge(files, tmp_path / "found.pocket", newest=True)
    given = [files[2], files[0], files[1]]
    done = run("merge", *given, "--newest", "-o", tmp_path / "by_command.pocket", "--json")

    assert done.returncode == 0
    assert (tmp_path / "found.pocket").read_bytes() == expected.read_bytes()
    assert (tmp_path / "by_command.pocket").read_bytes() == expected.read_bytes()


def test_a_file_of_short_documents_alone_is_merged_with_one_that_has_cells(tmp_path: Path) -> None:
    """It has none, as no document has a sketch."""
    first, second, merged = (tmp_path / f"{name}.pocket" for name in "abm")
    documents = [document(number) for number in range(1, 60)]
    short = {"id": "short", "text": "two words"}
    pocketindex.build(documents, first, cells=4, progress=False)
    pocketindex.build([short], second, profile=first, progress=False)
    merge([first, second], merged)

    expected = tmp_path / "expected.pocket"
    order = {id: number for number, id in enumerate(ids(first))}
    documents.sort(key=lambda one: order[str(one["id"])])
    pocketindex.build([*documents, short], expected, profile=first, progress=False)
    assert merged.read_bytes() == expected.read_bytes()


def test_files_of_different_profiles_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    for number, first in enumerate((1, 60)):
        documents = map(document, range(first, first + 80))
        source = written(documents, tmp_path / f"{number}.jsonl")
        build([source], tmp_path / f"{number}.pocket", Settings())
    a, b = tmp_path / "0.pocket", tmp_path / "1.pocket"

    with pytest.raises(NotMerged) as error:
        merge([a, b], tmp_path / "c.pocket")

    assert str(error.value) == (
        f"{b}: it has another profile than {a}, so their sketches cannot be compared; build it "
        f'with profile="{a}"'
    )
    assert not (tmp_path / "c.pocket").exists()
    with pytest.raises(ValueError, match="two files or more are merged; give the others, too"):
        merge([a], tmp_path / "c.pocket")


def test_files_of_different_settings_are_an_error_that_names_one(tmp_path: Path) -> None:
    source = written(map(document, range(1, 80)), tmp_path / "x.jsonl")
    a, b = tmp_path / "a.pocket", tmp_path / "b.pocket"
    build([source], a, Settings())
    build([source], b, Settings(profile=str(a), titles=True))

    with pytest.raises(NotMerged) as error:
        merge([a, b], tmp_path / "c.pocket")

    assert str(error.value) == (
        f"{b}: it is built with other settings than {a}: titles is True, not False; build it with "
        "the same"
    )


def test_heaviest_words_of_other_counts_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    """The profile and the average length are the same, the counts of words are not."""
    a, b, c = (tmp_path / f"{name}.pocket" for name in "abc")
    chosen = Settings(index=("documents", "words:3"))
    documents = [document(number) for number in range(1, 80)]
    source = written(documents, tmp_path / "a.jsonl")
    build([source], a, chosen)
    build([source], tmp_path / "words.pocket", replace(chosen, index=("documents", "words")))
    for one in documents:
        one["text"] = str(one["text"]).replace("w1x1 ", "other ")
    own = replace(chosen, profile=str(tmp_path / "words.pocket"))
    build([written(documents, tmp_path / "b.jsonl")], b, own)

    with pytest.raises(NotMerged) as error:
        merge([a, b], c)

    assert str(error.value) == (
        f"{b}: the 3 heaviest words of its documents were chosen by other counts of words than "
        f'those of {a}; build it with profile="{a}"'
    )
    assert not c.exists()
    build([tmp_path / "b.jsonl"], b, replace(chosen, profile=str(a)))
    merge([a, b], c)


def test_diff_names_what_is_different(tmp_path: Path) -> None:
    chosen = WAYS["labels, titles and snippets"]
    old = [document(number) for number in range(1, 60)]
    new = [dict(one) for one in old if one["id"] != "d1"] + [document(100)]
    by_id = {one["id"]: one for one in new}
    by_id["d2"]["text"] = "another text of some words that nobody else has"
    by_id["d3"] |= {"title": "Another", "url": "https://another"}
    by_id["d4"]["topics"] = ["other"]
    a, b = tmp_path / "a.pocket", tmp_path / "b.pocket"
    build([written(old, tmp_path / "a.jsonl")], a, chosen)
    build([written(new, tmp_path / "b.jsonl")], b, replace(chosen, profile=str(a)))

    assert list(diff(a, a)) == []
    assert list(diff(a, b)) == [
        Difference("gone", "d1", "Number 1 é"),
        Difference("changed", "d2", "Number 2 é", ("text",)),
        Difference("changed", "d3", "Number 3 é", ("title", "url")),
        Difference("changed", "d4", "Number 4 é", ("labels",)),
        Difference("added", "d100", "Number 100 é"),
    ]
    # With a profile of its own sketches say nothing, and identity bits are enough.
    build([tmp_path / "b.jsonl"], b, chosen)
    assert [one.what for one in diff(a, b) if one.change == "changed"] == [
        ("text",),
        ("title", "url"),
        ("labels",),
    ]
