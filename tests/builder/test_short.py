"""Documents that are too short for a sketch: what goes in comes out, by both readers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from plain import PlainIndex
from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.pipeline import build
from pocketindex.builder.schemes.minhash import MinHashSettings
from pocketindex.builder.schemes.plsh import PlshSettings
from pocketindex.builder.schemes.rff import RffSettings
from pocketindex.builder.schemes.simhash import SimHashSettings
from pocketindex.builder.settings import Settings
from pocketindex.cli import main
from pocketindex.errors import HasNoSketch, TextTooShort
from pocketindex.joint_index import JointIndex

LONG = [document["text"] for document in made_up(12)]
# Copies, other writing, other order, no word, numbers, stop words, one code point, nothing.
SHORT = [
    "Keel",
    "keel!",
    "KEEL",
    "a keel",
    "keel a",
    "?!",
    "¿",
    "1984",
    "the of",
    "小",
    "",
    "\n x ",
]
SCHEMES: dict[str, Any] = {
    "rff": RffSettings(tables=2, bits=9, components=44),
    "rff with cells": RffSettings(tables=1, bits=9, components=44, cells=3),
    "plsh": PlshSettings(tables=2, functions=6),
    "minhash": MinHashSettings(bands=4, rows=2),
    "simhash": SimHashSettings(),
}
ALL = Settings(
    profile="learn",
    keep="text",
    titles=True,
    index=("documents", "words", "passages"),
    run_terms=2,
)


def write(path: Path, documents: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")
    return path


def records(texts: Sequence[str]) -> list[dict[str, Any]]:
    return [{"id": f"d{i}", "title": f"Title {i}", "text": text} for i, text in enumerate(texts)]


def made(folder: Path, texts: Sequence[str], chosen: Settings) -> Path:
    build([write(folder / "d.jsonl", records(texts))], folder / "d.pocket", chosen)
    return folder / "d.pocket"


def check(path: Path, texts: Sequence[str]) -> None:
    """Every document is there, and every text is found as its copy, by both readers alike."""
    with pocketindex.open(path) as index, PlainIndex.open(str(path)) as plain:
        index.verify()
        plain.verify()
        assert len(index) == len(texts)
        for i, text in enumerate(texts):
            record = index.document(f"d{i}")
            assert index.text(record) == (text if text.strip() else "")
            assert [one.id for one in index.titles(f"title {i}", 1)] == [f"d{i}"]
            (hits,) = index.query_many([text], top=5, min_similarity=0)
            try:
                found = plain.query(text, 5)
            except TextTooShort:
                assert hits.too_short
                assert not text.strip()
                continue
            assert [(hit.number, round(10_000 * hit.similarity)) for hit in hits] == [
                (hit.document, hit.similarity) for hit in found
            ]
            if hits.short:
                assert hits[0].similarity == 1
                assert index.text(hits[0]).strip() == text.strip()  # type: ignore[union-attr]


@given(st.lists(st.sampled_from([*SHORT, *LONG[:4]]), min_size=1, max_size=24))
@settings(max_examples=12, deadline=None)
def test_any_mixture(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    check(made(tmp_path_factory.mktemp("short"), texts, ALL), texts)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("texts", [["Keel"], SHORT, [*LONG, *SHORT, *SHORT]], ids=len)
def test_every_scheme(tmp_path: Path, scheme: str, texts: list[str]) -> None:
    """Also a file in which no document has a sketch."""
    chosen = Settings(
        scheme=scheme.split()[0],
        profile="learn",
        scheme_settings=SCHEMES[scheme],
        keep="text",
        titles=True,
        index=("documents", "words"),
    )
    path = made(tmp_path, texts, chosen)
    check(path, texts)
    with pocketindex.open(path) as index:
        having = {f"d{i}" for i, text in enumerate(texts) if "keel" in text.lower()}
        assert {hit.id for hit in index.search("keel", 100)} == having


def test_a_copy_and_the_same_words(tmp_path: Path) -> None:
    path = made(tmp_path, [*SHORT, *LONG], ALL)
    with pocketindex.open(path) as index:
        first, *others = index.query("keel!")
        assert (first.id, first.similarity) == ("d1", 1.0)
        assert {(hit.id, hit.similarity) for hit in others} == {("d0", 0.9999), ("d2", 0.9999)}
        assert {hit.id for hit in index.like(index.document("d1"))} == {"d0", "d2"}
        assert not index.like(index.document("d7"))
        assert not index.like(index.document("d10"))
        with pytest.raises(TextTooShort, match="2 terms besides stop words; with fewer than 5"):
            index.query("keel keel")
        with pytest.raises(HasNoSketch):
            index.explain(LONG[0], index.document("d0"))
        assert index.info().short_documents == 12


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(made(tmp_path, [*SHORT, *LONG], ALL))
    asked = tmp_path / "asked.txt"

    asked.write_text("1984\n")
    assert main(["query", path, str(asked), "--explain"]) == 0
    out, said = capsys.readouterr()
    assert out.startswith("  1  1.000  Title 7  <d7>\n")
    assert "too few terms to find similar documents; these are its copies" in said
    asked.write_text("1985")
    assert main(["query", path, str(asked)]) == 1
    out, said = capsys.readouterr()
    assert out == ""
    assert said == (
        "pocketindex: the text has 0 terms besides stop words; with fewer than 5, it is compared "
        "by its words alone, and no document is similar; `pocketindex search` finds documents that "
        "have some of them\n"
    )
    assert main(["info", path]) == 0
    assert "  documents   24, of which 12 are too short for a sketch" in capsys.readouterr().out


def test_what_is_a_document() -> None:
    assert Document("a", "A title", " \n").text == ""
    assert Document("a", "", "words", name="file").title == "file"
    for title, text, name in (("", "", "file"), (" ", "\u2003", ""), ("", " ", "a")):
        with pytest.raises(Unfit, match="empty: it has neither a text nor a title of its own"):
            Document("a", title, text, name=name)


def test_a_name_is_no_title(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, content in (
        ("empty.txt", " "),
        ("one.txt", "word"),
        ("title.md", "# Title alone\n"),
        ("nothing.html", "<body></body>"),
        ("page.html", "<title>A page</title><body></body>"),
    ):
        (folder / name).write_text(content)
    report = build([folder], tmp_path / "d.pocket", ALL)
    assert report.skipped == {"empty": 2}
    assert (report.indexed, report.short) == (3, 3)
    with pocketindex.open(tmp_path / "d.pocket") as index:
        titles = sorted(index.record(number).title for number in range(3))
    assert titles == ["A page", "Title alone", "one"]


def test_more_words_than_the_core_collects_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bytes are the same, however many pieces a chunk makes."""
    texts = [*SHORT, *LONG] * 3
    whole = made(tmp_path, texts, ALL).read_bytes()
    monkeypatch.setattr("pocketindex.builder.passes.words.BATCH", 5)
    monkeypatch.setattr("pocketindex.builder.passes.words.PLACES", 12)
    assert made(tmp_path, texts, ALL).read_bytes() == whole


def test_a_document_of_a_diff(tmp_path: Path) -> None:
    """That a text changed is seen where it was short, or is, and where it is written otherwise."""
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old = made(tmp_path / "old", ["Keel", "a keel", LONG[0], "?!", "", LONG[1], "same"], ALL)
    chosen = Settings(profile=str(old), keep="text", titles=True, index=ALL.index, run_terms=2)
    new = made(tmp_path / "new", ["keel", LONG[2], "a keel", "?", "now", LONG[1], "same"], chosen)
    found = {one.id: one.what for one in pocketindex.diff(old, new)}
    assert found == dict.fromkeys(("d0", "d1", "d2", "d3", "d4"), ("text",))


def test_files_that_are_asked_as_one(tmp_path: Path) -> None:
    """Each file gives the copies that it has, and a copy ranks like any other."""
    texts = [*SHORT, *LONG]
    paths = []
    for name, own in (("a", texts), ("b", texts[::-1]), ("c", LONG)):
        (tmp_path / name).mkdir()
        paths.append(made(tmp_path / name, own, Settings(profile="en")))
    with JointIndex(paths) as joint:
        for text, count in (("Keel", 6), ("a keel", 2), ("1984", 2), ("小", 2), ("Mast", 0)):
            (hits,) = joint.query_many([text], top=20)
            assert hits.short
            assert [round(hit.similarity, 3) for hit in hits] == [1] * count, text
            assert {hit.file_number for hit in hits} == ({0, 1} if count else set())
        (hits,) = joint.query_many([LONG[3]], top=3, min_similarity=0.9)
        assert len(hits) == 3


def test_short_documents_are_merged_and_updated_as_they_are_built(tmp_path: Path) -> None:
    """The bytes are the same, and nothing is said to differ."""
    rows = records([*SHORT, *LONG, *SHORT[:4]])
    chosen = Settings(profile="en", titles=True)
    first, second = rows[::2], rows[1::2]
    for name, own in (("all", [*first, *second]), ("first", first), ("second", second)):
        build([write(tmp_path / f"{name}.jsonl", own)], tmp_path / f"{name}.pocket", chosen)
    whole = (tmp_path / "all.pocket").read_bytes()
    merged = tmp_path / "merged.pocket"
    pocketindex.merge([tmp_path / "first.pocket", tmp_path / "second.pocket"], merged)
    assert merged.read_bytes() == whole
    pocketindex.update(tmp_path / "first.pocket", tmp_path / "second.jsonl")
    assert (tmp_path / "first.pocket").read_bytes() == whole
    assert list(pocketindex.diff(tmp_path / "all.pocket", merged)) == []
    pocketindex.update(merged, [], remove=["d0", "d2", "d25"])
    with pocketindex.open(merged) as index:
        assert len(index) == len(rows) - 3
        (hits,) = index.query_many(["Keel"])
        # The same writing comes before other writing of the same word.
        assert (hits[0].id, sorted(hit.id for hit in hits)) == ("d24", ["d1", "d24", "d26"])


@pytest.mark.parametrize(
    ("measure", "near"),
    [
        ("jaccard", {("k0", "k2"), ("k1", "k2"), ("p0", "p1")}),
        ("containment", {("k0", "k2"), ("k1", "k2"), ("p0", "p1")}),
        ("cosine", set[tuple[str, str]]()),
    ],
)
def test_pairs_and_dedup_compare_all_their_words_at_once(
    measure: str, near: set[tuple[str, str]], tmp_path: Path
) -> None:
    """They are near where all words are the same, in the same order, and by cosine not at all.

    Other words, a part of the words, and titles without a text make no pair.
    """
    rows = [
        *({"id": f"k{i}", "text": text} for i, text in enumerate(["Keel", "Keel", "keel", "Mast"])),
        *(
            {"id": f"p{i}", "text": text}
            for i, text in enumerate(
                [
                    "Mast, boom, keel, bow",
                    "mast boom keel bow",
                    "bow boom keel mast",
                    "mast boom keel",
                ]
            )
        ),
        *({"id": f"t{i}", "title": "The same title", "text": ""} for i in range(3)),
        *({"id": f"l{i}", "text": text} for i, text in enumerate([LONG[0], LONG[0], LONG[1]])),
    ]
    kinds = {("k0", "k1"): "exact", ("l0", "l1"): "exact", **dict.fromkeys(near, "near")}
    path = write(tmp_path / "d.jsonl", rows)
    build([path], tmp_path / "d.pocket", ALL)
    for asked in (path, rows, tmp_path / "d.pocket"):
        found = list(pocketindex.pairs(asked, measure=measure, progress=False))
        # A file has short documents in the order of their keys.
        assert {tuple(sorted((pair.a, pair.b))): pair.kind for pair in found} == kinds
        assert len(found) == len(kinds)
        assert {pair.similarity for pair in found} == {1.0}
    asked_for = ["dedup", str(path), "-o", str(tmp_path / "o.jsonl"), "--measure", measure]
    assert main(asked_for) == 0
    kept = [json.loads(line)["id"] for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    assert kept == [row["id"] for row in rows if row["id"] not in {b for _, b in kinds}]
