"""Labels of documents, from the sources to the file: what goes in comes out, by both readers."""

from __future__ import annotations

import json
import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from optional_sections import labels as plainly
from plain import PlainIndex
from plain_layout import Settings as PlainSettings
from plain_layout import Text
from pocketindex.builder import Settings, build
from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.spill.chunks.document_batch import packed_label
from pocketindex.builder.write import labels
from pocketindex.builder.write.container import Section
from pocketindex.constants import SectionKind
from pocketindex.errors import NeedsLabels, PocketError

CHOSEN = Settings(fields=Fields(label="topics"))
WORDS = "alpha beta gamma delta epsilon zeta eta theta"


def source(path: Path, values: Sequence[Any]) -> Path:
    rows = [
        {"id": f"d{i}", "text": f"{WORDS} number{i}", "topics": value}
        for i, value in enumerate(values)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def made(folder: Path, values: Sequence[Any], chosen: Settings = CHOSEN) -> Path:
    build(source(folder / "a.jsonl", values), folder / "a.pocket", chosen)
    return folder / "a.pocket"


def by_id(path: Path) -> dict[str, tuple[str, ...]]:
    """The labels of each document, in which both readers agree."""
    plain = PlainIndex.open(str(path))
    plain.verify()
    with pocketindex.open(path) as index:
        index.verify()
        for number in range(len(index)):
            assert list(index.labels(number)) == plain.labels(number)
        return {index.record(i).id: index.labels(i) for i in range(len(index))}


def test_one_several_or_none(tmp_path: Path) -> None:
    path = made(tmp_path, ["b", ["b", "a", "b"], [], None, "", 7, [1.50, "東京"], ["", None]])
    found = [("b",), ("a", "b"), (), (), (), ("7",), ("1.5", "東京"), ()]
    assert by_id(path) == {f"d{i}": own for i, own in enumerate(found)}


label = st.text(max_size=12) | st.sampled_from(["a", "b", "c"])


@given(st.lists(st.lists(label, max_size=9), min_size=1, max_size=30), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_blocks_are_those_of_the_definition(had: list[list[str]], together: int) -> None:
    """As the tests' own writer lays them out."""
    had = [[one for one in own if one] for own in had]
    texts = [Text(f"d{i}", "x", labels=tuple(own)) for i, own in enumerate(had)]
    with tempfile.TemporaryDirectory() as folder:
        section = Section(SectionKind.LABELS, Path(folder), flags=0)
        labels.write_labels(
            section,
            lambda: (b"".join(map(packed_label, own)) for own in had),
            len(had),
            "topics",
            room=1 << 16,
            together=together,
        )
        with section:
            parameters, size = section.parameters, len(section)
            section._blocks.seek(0)
            data, head = section._blocks.read(), section.head()
    expected = plainly(texts, PlainSettings(labels=(1 << 16, together)))
    assert parameters == expected.parameters
    documents = [block for first, block in expected.blocks if first >= labels.OF_DOCUMENTS]
    assert size == len(head) + len(data)
    assert data.endswith(b"".join(documents))


def test_a_label_on_every_document_takes_its_bits_alone(tmp_path: Path) -> None:
    path = made(tmp_path, [f"topic {i % 16}" for i in range(1000)])
    with pocketindex.open(path) as index:
        assert index.info().labels == 16
        # 24 bytes of parameters, two blocks with 20 of directory each, four bits a document
        assert index.info().sections["labels"] < 24 + 2 * 20 + 500 + 100
    assert by_id(path)["d17"] == ("topic 1",)


def test_documents_in_the_order_of_cells(tmp_path: Path) -> None:
    scheme = RffSettings(cells=4, tables=1)
    chosen = Settings(fields=CHOSEN.fields, scheme_settings=scheme)
    path = made(tmp_path, [[f"t{i % 7}", f"d{i}"] for i in range(200)], chosen)
    assert by_id(path) == {f"d{i}": tuple(sorted([f"t{i % 7}", f"d{i}"])) for i in range(200)}


def test_labels_of_repeated_ids_are_not_kept(tmp_path: Path) -> None:
    path = source(tmp_path / "a.jsonl", ["kept", "also"])
    path.write_text(path.read_text() + json.dumps({"id": "d0", "text": WORDS, "topics": "gone"}))
    build(path, tmp_path / "a.pocket", CHOSEN)
    assert by_id(tmp_path / "a.pocket") == {"d0": ("kept",), "d1": ("also",)}
    with pocketindex.open(tmp_path / "a.pocket") as index:
        assert index.info().labels == 2


def test_nobody_has_one(tmp_path: Path) -> None:
    report = build(source(tmp_path / "a.jsonl", [None, []]), tmp_path / "a.pocket", CHOSEN)
    assert by_id(tmp_path / "a.pocket") == {"d0": (), "d1": ()}
    assert "too many labels" not in report.text()


def test_a_field_that_no_record_has_is_said(tmp_path: Path) -> None:
    path = source(tmp_path / "a.jsonl", ["a", "b"])
    report = build(path, tmp_path / "a.pocket", Settings(fields=Fields(label="topic")))
    assert 'no record has a field "topic" for the label; correct label' in report.text()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"a": 1}, 'expected a string, a number or a list of them as "topics", found an object'),
        (["a", True], 'expected strings or numbers in the list as "topics", found true or false'),
        ("x" * 1025, "a label has 1,025 bytes, expected at most 1,024"),
        ([str(i) for i in range(256)], "the document has 256 labels, expected at most 255"),
        (
            [f"{i} {'x' * 1000}" for i in range(70)],
            "the labels have 70,340 bytes, expected",
        ),
    ],
)
def test_what_is_left_out(values: Any, said: str, tmp_path: Path) -> None:
    report = build(source(tmp_path / "a.jsonl", ["a", values]), tmp_path / "a.pocket", CHOSEN)
    assert report.indexed == 1
    assert said in report.text()


def test_too_many_different_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "MOST_LABELS", 2)
    with pytest.raises(PocketError, match='"topics" has more than 2 different labels, which is'):
        made(tmp_path, ["a", "b", "c"])
    assert not (tmp_path / "a.pocket").exists()


def test_without_the_option(tmp_path: Path) -> None:
    path = made(tmp_path, ["a"], Settings())
    with pocketindex.open(path) as index:
        assert not index.has_labels
        assert index.info().labels == 0
        assert index.query(f"{WORDS} number0")[0].labels == ()
        with pytest.raises(NeedsLabels, match='found none; build it with label="FIELD"'):
            index.labels(0)
    assert PlainIndex.open(str(path)).labels(0) is None


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"id,text,topic\n1,{WORDS},a\n2,{WORDS} two,\n")
    build(path, tmp_path / "a.pocket", Settings(fields=Fields(label="topic")))
    assert by_id(tmp_path / "a.pocket") == {"1": ("a",), "2": ()}


def test_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows: dict[str, Any] = {
        "id": ["1", "2", "3"],
        "text": [f"{WORDS} {i}" for i in range(3)],
        "list": [["b", "a"], None, [None, "c"]],
        "number": [1, 2, None],
        "word": ["x", None, "y"],
    }
    parquet.write_table(arrow.table(rows), tmp_path / "a.parquet")
    for field, expected in (
        ("list", [("a", "b"), (), ("c",)]),
        ("number", [("1",), ("2",), ()]),
        ("word", [("x",), (), ("y",)]),
    ):
        chosen = Settings(fields=Fields(label=field))
        build(tmp_path / "a.parquet", tmp_path / "a.pocket", chosen)
        found = by_id(tmp_path / "a.pocket")
        assert found == dict(zip("123", expected, strict=True))


def test_threads_and_memory_decide_no_byte(tmp_path: Path) -> None:
    values = [[f"t{i % 5}", "all"][: 1 + i % 2] for i in range(300)]
    path = source(tmp_path / "a.jsonl", values)
    found = set()
    for threads, memory in ((1, 1 << 27), (3, 1 << 30)):
        chosen = Settings(fields=CHOSEN.fields, threads=threads, max_memory=memory)
        build(path, tmp_path / "a.pocket", chosen)
        found.add((tmp_path / "a.pocket").read_bytes())
    assert len(found) == 1


def test_a_document_has_each_label_once() -> None:
    own = Document("1", "t", "text", labels=("b", "a", "", "b", "\ud800"))
    assert own.labels == ("b", "a", "\ufffd")
    with pytest.raises(Unfit, match="a label has 1,026 bytes"):
        Document("1", "t", "text", labels=("é" * 513,))


def test_labels_in_the_spool_have_their_sizes() -> None:
    packed = b"".join(map(packed_label, ["é", "b"]))
    assert packed == struct.pack("<H", 2) + "é".encode() + struct.pack("<H", 1) + b"b"
    assert labels.unpacked_labels(packed) == ["é".encode(), b"b"]


def test_a_language_is_no_label_beyond_those_that_a_document_can_have() -> None:
    packed = [b"".join(packed_label(str(i)) for i in range(count)) for count in (254, 255)]
    told = [labels.with_language(one, b"de") for one in packed]

    assert labels.unpacked_labels(told[0])[-1] == b"lang:de"
    assert told[1] == packed[1]
