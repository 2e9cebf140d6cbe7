"""An update: the bytes of a build with the old file as profile, whatever comes and goes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from changing_documents import LABEL, WAYS, Document, document, written
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import PlainIndex
from pocketindex.builder import Settings, build
from pocketindex.builder.changing.update import NothingLeft, NothingToRemove, read_ids, update
from pocketindex.builder.spill.chunks import spool
from pocketindex.builder.tally import NoDocument


class Collection:
    """A file that is updated, and what it has to be."""

    def __init__(self, folder: Path, chosen: Settings, documents: Iterable[Document]) -> None:
        self.folder = folder
        self.chosen = chosen
        self.path = folder / "x.pocket"
        self.known = {str(one["id"]): one for one in documents}
        build([written(self.known.values(), folder / "first.jsonl")], self.path, chosen)

    def ids(self) -> list[str]:
        """In the order of the file."""
        with pocketindex.open(self.path) as index:
            return [index.record(number).id for number in range(len(index))]

    def expected(self, new: Iterable[Document], gone: Iterable[str]) -> bytes:
        added = {str(one["id"]): one for one in new}
        stay = [id for id in self.ids() if id not in {*added, *gone}]
        self.known |= added
        source = written([self.known[id] for id in stay] + [*added.values()], self.folder / "all")
        target = self.folder / "expected.pocket"
        chosen = replace(self.chosen, profile=str(self.path), scheme_settings=None, format="jsonl")
        build([source], target, chosen)
        return target.read_bytes()

    def update(self, new: Iterable[Document], gone: Iterable[str], **more: Any) -> bytes:
        source = written(new, self.folder / "new.jsonl")
        sources = [source] if source.stat().st_size else []
        reading = Settings(fields=self.chosen.fields)
        self.report = update(self.path, sources, gone, None, reading, **more)
        return self.path.read_bytes()


@pytest.mark.parametrize("way", WAYS)
def test_an_update_has_the_bytes_of_a_build_with_the_old_file_as_profile(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = Collection(tmp_path, WAYS[way], map(document, range(1, 300)))
    monkeypatch.setattr(spool, "CHUNK_DOCUMENTS", 40)
    monkeypatch.setattr("pocketindex.builder.changing.reused.CHUNK_DOCUMENTS", 64)
    for new, gone in (
        ([document(number) for number in range(290, 400)], ["d3", "d4", "nobody"]),
        ([document(number, 1) for number in range(5, 100, 9)], []),
        ([], [f"d{number}" for number in range(100, 250)]),
    ):
        expected = collection.expected(new, gone)

        assert collection.update(new, gone) == expected
    with pocketindex.open(collection.path) as index:
        index.verify()


@st.composite
def changes(draw: st.DrawFn) -> list[tuple[list[Document], list[str]]]:
    numbers = st.integers(1, 60)
    steps = []
    for version in range(draw(st.integers(1, 3))):
        new = draw(st.lists(numbers, max_size=20, unique=True))
        gone = draw(st.lists(numbers, max_size=20, unique=True))
        if new or gone:
            chosen = [document(number, draw(st.integers(0, version))) for number in new]
            steps.append((chosen, [f"d{number}" for number in gone]))
    return steps


@given(
    changes(),
    st.sampled_from(
        ["words and cells", "passages", "passages and cells", "heaviest words", "all of it"]
    ),
)
@settings(max_examples=12, deadline=None)
def test_any_sequence_of_updates_equals_builds(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[list[Document], list[str]]],
    way: str,
) -> None:
    collection = Collection(
        tmp_path_factory.mktemp("u"), WAYS[way], [document(n) for n in (*range(20, 50), 71, 72)]
    )
    for new, gone in steps:
        if not new and not set(gone) & set(collection.ids()):
            with pytest.raises(NothingToRemove):
                collection.update(new, gone)
            continue
        expected = collection.expected(new, gone)

        assert collection.update(new, gone) == expected


def test_the_number_of_documents_of_a_frequent_passage_follows_updates(tmp_path: Path) -> None:
    """Six documents have a passage, one more than is not frequent; then eight, then two."""
    chosen = Settings(index=("documents", "passages"), run_documents=5)
    every = " ".join(f"every{i}" for i in range(40))
    own = {n: " ".join(f"own{n}x{i}" for i in range(40)) for n in range(20)}
    documents: list[Document] = [
        {"id": f"d{n}", "text": f"{own[n]} {every if n < 6 else ''}"} for n in own
    ]
    collection = Collection(tmp_path, chosen, documents)

    def sources() -> tuple[list[str], list[tuple[int, list[str]]]]:
        with pocketindex.open(collection.path) as index:
            index.verify()
            found = index.sources(every)
        return sorted(one.id for one in found), [
            (one.documents, [record.id for record in one.examples]) for one in found.frequent
        ]

    assert sources() == ([], [(6, ["d0", "d1", "d2"])])
    collection.update([{"id": f"d{n}", "text": f"{own[n]} {every}"} for n in (8, 9)], ["d1"])
    assert sources() == ([], [(7, ["d0", "d2", "d3"])])
    collection.update([{"id": "d30", "text": every}], [])
    assert sources() == ([], [(8, ["d0", "d2", "d3"])])
    collection.update([], [f"d{n}" for n in (0, 2, 3, 4, 5, 30)])
    assert sources() == (["d8", "d9"], [])
    with pocketindex.open(collection.path) as index:
        assert index.info().frequent_runs == 0


@pytest.mark.parametrize("way", ["heaviest words", "heaviest words and cells"])
def test_the_heaviest_words_stay_those_of_the_first_build(tmp_path: Path, way: str) -> None:
    """However often a file is updated: words that went and came again count as in the first."""
    collection = Collection(tmp_path, WAYS[way], map(document, range(1, 200)))
    first, chosen = tmp_path / "first.pocket", WAYS[way]
    first.write_bytes(collection.path.read_bytes())
    everything = [f"d{number}" for number in range(2, 200)]
    for new, gone in (
        ([document(number, 1) for number in range(150, 260)], []),
        ([document(number, 2) for number in (300, 301)], everything),
        (list(map(document, range(1, 120))), ["d300"]),
    ):
        expected = collection.expected(new, gone)
        assert collection.update(new, gone) == expected

    source = written([collection.known[id] for id in collection.ids()], tmp_path / "last")
    own = replace(chosen, profile=str(first), scheme_settings=None, format="jsonl")
    build([source], tmp_path / "last.pocket", own)
    assert (tmp_path / "last.pocket").read_bytes() == collection.path.read_bytes()
    with PlainIndex.open(collection.path) as plain, pocketindex.open(collection.path) as index:
        plain.verify()
        index.verify()
        assert plain.words
        assert plain.words.counted == 199
        assert {0, 1} < {len(word.postings) for word in plain.words.every()}
        for question in ("w3x1 w3x2", "w1x5 -w1x6 number", "w2"):
            found = index.search(question, 1000, prefix=True)
            alike = plain.search(question, 1000, True)
            assert alike
            ids = [plain.record(hit.document).id for hit in alike.hits]
            assert [hit.id for hit in found] == ids


def test_the_report_counts_what_changed(tmp_path: Path) -> None:
    collection = Collection(tmp_path, Settings(), map(document, range(1, 50)))
    new = [document(1, 1), document(2, 1), document(100), {**document(3), "text": "short now"}]

    collection.update(new, ["d4", "nobody", "d5", "d4"])

    changed = collection.report.as_dict()["changed"]
    assert changed == {"added": 1, "replaced": 3, "removed": 2, "kept": 44, "missing": ["nobody"]}
    assert "1 added, 3 replaced, 2 removed, 44 kept" in collection.report.text()
    assert "1 id is not in the index: nobody" in collection.report.text()
    with pocketindex.open(collection.path) as index:
        assert [hit.id for hit in index.query("Short now!")] == ["d3"]
        assert index.info().short_documents == 7 + collection.report.short


def test_an_id_that_is_removed_and_new_comes_in(tmp_path: Path) -> None:
    collection = Collection(tmp_path, Settings(), map(document, range(1, 50)))

    collection.update([document(4, 1)], ["d4"])

    with pocketindex.open(collection.path) as index:
        assert index.find("d4") == len(index) - index.info().short_documents - 1


def test_the_output_may_be_another_file(tmp_path: Path) -> None:
    collection = Collection(tmp_path, Settings(), map(document, range(1, 50)))
    before = collection.path.read_bytes()

    update(collection.path, [], ["d1"], tmp_path / "y.pocket")

    assert collection.path.read_bytes() == before
    with pocketindex.open(tmp_path / "y.pocket") as index:
        assert "d1" not in index
        assert len(index) == 48
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "first.jsonl",
        "x.pocket",
        "y.pocket",
    ]


def test_a_file_is_never_left_without_a_document(tmp_path: Path) -> None:
    collection = Collection(tmp_path, Settings(), map(document, range(1, 9)))
    before = collection.path.read_bytes()

    with pytest.raises(NothingLeft, match="no document would be left; nothing is written"):
        collection.update([], collection.ids())
    with pytest.raises(NoDocument):
        collection.update([{"id": "x"}], collection.ids())
    with pytest.raises(ValueError, match="neither a source nor an id to remove is given"):
        collection.update([], [])
    assert collection.path.read_bytes() == before


def test_labels_need_a_field_where_the_file_has_some(tmp_path: Path) -> None:
    collection = Collection(tmp_path, Settings(fields=LABEL), map(document, range(1, 50)))
    source = written([document(99)], tmp_path / "new.jsonl")

    with pytest.raises(ValueError, match="has labels; name the field that has those"):
        update(collection.path, [source])
    with pytest.raises(ValueError, match="has no labels; omit label"):
        (tmp_path / "plain").mkdir()
        plain = Collection(tmp_path / "plain", Settings(), map(document, range(1, 50)))
        update(plain.path, [source], settings=Settings(fields=LABEL))


def test_ids_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "ids.txt"
    path.write_bytes("\ufeffone\r\n\r\n two é\nthree".encode())

    assert read_ids(path) == ["one", " two é", "three"]
    path.write_bytes(b"one\ntw\xe9\n")
    with pytest.raises(ValueError, match=r"ids\.txt: line 2 is no UTF-8; write the ids as UTF-8"):
        read_ids(path)
