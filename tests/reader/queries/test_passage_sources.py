"""Where the passages of a text come from: Index.sources, JointIndex.sources."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pocketindex
import pytest
from pocketindex.builder import Settings, build
from pocketindex.errors import NoPassages
from pocketindex.queries import sources
from pocketindex.wording.common_passages import common_passages

WORDS = [f"{a}{b}" for a in "bdfgklmnprstvz" for b in ("ale", "ine", "orm", "ust", "ack", "ile")]


def prose(seed: int, words: int) -> list[str]:
    """Words of a language with 84 of them, never twice in the same order."""
    chance = random.Random(seed)
    return [chance.choice(WORDS) for _ in range(words)]


TEXTS = {f"d{i}": " ".join(prose(i, 200)) for i in range(60)}


def made(
    path: Path, keep: str = "none", index: tuple[str, ...] = ("documents", "passages")
) -> Path:
    source = path.with_suffix(".jsonl")
    rows = [{"id": key, "title": f"Title {key}", "text": text} for key, text in TEXTS.items()]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    build([source], path, Settings(keep=keep, index=index))
    return path


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("passages") / "a.pocket")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("kept") / "a.pocket", "text")


def essay() -> str:
    """80 words of d7, 20 of nobody, 80 of d31."""
    one, other = TEXTS["d7"].split(), TEXTS["d31"].split()
    return " ".join(one[40:120] + prose(999, 20) + other[100:180])


def test_both_sources_of_an_essay(passages: Path) -> None:
    with pocketindex.open(passages) as index:
        found = index.sources(essay())

    assert {one.id for one in found} == {"d7", "d31"}
    assert found.terms == 180
    assert 0.8 < found.coverage < 1
    assert found.coverage == pytest.approx(sum(one.added for one in found), abs=0.001)
    for one in found:
        assert one.title == f"Title {one.id}"
        assert 0.38 < one.coverage < 0.55
        ((start, end),) = one.passages
        assert set(essay()[start:end].split()[10:-10]) <= set(TEXTS[one.id].split())


@pytest.mark.parametrize("file", ["passages", "kept"])
def test_a_passage_that_stands_twice_in_a_text(file: str, request: pytest.FixtureRequest) -> None:
    once = TEXTS["d7"].split()[40:120]
    text = " ".join([*prose(999, 20), *once, *prose(998, 100), *once])
    with pocketindex.open(request.getfixturevalue(file)) as index:
        (found,) = index.sources(text)

    assert found.id == "d7"
    assert [len(text[start:end].split()) for start, end in found.passages] == [
        pytest.approx(80, abs=8),
        pytest.approx(80, abs=8),
    ]


def test_kept_texts_give_exact_places(kept: Path) -> None:
    with pocketindex.open(kept) as index:
        found = index.sources(essay())
        texts = {one.id: index.text(index.document(one.id)) for one in found}

    assert {one.id for one in found} == {"d7", "d31"}
    for one in found:
        (common,) = one.common
        assert one.passages == [(common.start, common.end)]
        own, text = essay()[common.start : common.end], texts[one.id]
        assert text is not None
        assert own == text[common.document_start : common.document_end]
        assert common.edited == 0
        assert len(own.split()) >= 80


def test_an_edited_passage_says_how_much(kept: Path) -> None:
    words = TEXTS["d12"].split()[50:130]
    words[20] = words[45] = words[61] = "zebra"
    with pocketindex.open(kept) as index:
        (one,) = index.sources(" ".join(words))

    assert one.id == "d12"
    assert [common.edited for common in one.common] == [pytest.approx(3 / 80)]
    assert one.passages == [(0, len(" ".join(words)))]
    assert one.coverage == 1


def test_places_are_code_points(passages: Path) -> None:
    before = "Größe 東京 😀 "
    with pocketindex.open(passages) as index:
        plain, moved = index.sources(essay()), index.sources(before + essay())

    assert [one.id for one in moved] == [one.id for one in plain]
    for one, other in zip(plain, moved, strict=True):
        # A passage may reach half a window back, where now there is something.
        assert [end for _, end in other.passages] == [end + len(before) for _, end in one.passages]


def test_a_text_of_nobody_has_no_source(passages: Path) -> None:
    with pocketindex.open(passages) as index:
        found = index.sources(" ".join(prose(12345, 300)))

    assert (list(found), found.coverage, found.capped) == ([], 0, False)


@pytest.mark.parametrize("text", ["", " ", "one two", "\ufffd\n"])
def test_short_texts_have_no_source(passages: Path, text: str) -> None:
    with pocketindex.open(passages) as index:
        assert index.sources(text) == []


def test_of_equal_documents_both_are_named(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    rows = [{"id": key, "text": TEXTS["d1"]} for key in ("first", "second")]
    rows += [{"id": f"x{i}", "text": TEXTS[f"d{i}"]} for i in range(2, 40)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    build([source], tmp_path / "a.pocket", Settings(index=("documents", "passages")))
    with pocketindex.open(tmp_path / "a.pocket") as index:
        found = index.sources(" ".join(TEXTS["d1"].split()[:90]))

    assert [(one.id, one.added > 0) for one in found] == [("first", True), ("second", False)]


def test_several_files(passages: Path, tmp_path: Path) -> None:
    source, other = tmp_path / "b.jsonl", tmp_path / "b.pocket"
    more = {f"e{i}": " ".join(prose(500 + i, 200)) for i in range(40)}
    source.write_text(
        "".join(json.dumps({"id": key, "text": text}) + "\n" for key, text in more.items())
    )
    build([source], other, Settings(index=("documents", "passages")))
    text = " ".join(TEXTS["d7"].split()[:60] + more["e5"].split()[:100])
    with pocketindex.open_many([passages, other]) as indexes:
        found = indexes.sources(text)

    assert [(one.id, one.file) for one in found] == [("e5", str(other)), ("d7", str(passages))]
    assert found.coverage > 0.9


def test_a_file_without_passages_says_what_to_do(tmp_path: Path) -> None:
    path = made(tmp_path / "plain.pocket", index=("documents",))
    with pocketindex.open(path) as index, pytest.raises(NoPassages) as caught:
        index.sources(essay())

    assert str(caught.value) == (
        f'{path}: expected passages, found none; build it with index=("documents", "passages")'
    )


def test_files_without_passages_are_passed_over(passages: Path, tmp_path: Path) -> None:
    plain = made(tmp_path / "plain.pocket", index=("documents",))
    with pocketindex.open_many([plain, passages]) as indexes:
        assert {one.id for one in indexes.sources(essay())} == {"d7", "d31"}
    with pocketindex.open_many([plain]) as indexes, pytest.raises(NoPassages):
        indexes.sources(essay())


@pytest.mark.parametrize("top", [0, -1, 1001])
def test_top_out_of_range(passages: Path, top: int) -> None:
    with (
        pocketindex.open(passages) as index,
        pytest.raises(ValueError, match=r"must be between 1 and 1000"),
    ):
        index.sources(essay(), top)


def test_a_first_answer_finds_what_was_copied(passages: Path) -> None:
    with pocketindex.open(passages, cold=True) as index:
        assert {one.id for one in index.sources(essay())} == {"d7", "d31"}


def test_info_says_what_shingles_there_are(passages: Path) -> None:
    with pocketindex.open(passages) as index:
        info = index.info()

    assert (info.run_terms, info.run_window, info.frequent_runs) == (4, 12, 0)
    assert info.sections["passages"] > 0
    assert info.bytes_per_document["passages"] > 0


def test_common_passages_of_a_text_with_itself() -> None:
    text = " ".join(prose(1, 100))
    (one,) = common_passages(text, text)

    assert (one.start, one.end, one.document_start, one.document_end, one.edited) == (
        0,
        len(text),
        0,
        len(text),
        0,
    )


def test_common_passages_that_change_places() -> None:
    first, second = prose(1, 40), prose(2, 40)
    found = common_passages(" ".join(first + second), " ".join(second + first))

    assert [(one.edited, one.document_start > 0) for one in found] == [(0, True), (0, False)]


def test_what_was_not_looked_at_of_a_long_text_is_said(passages: Path) -> None:
    most, text = 1_048_576, essay()
    filled = text + " a" * (most - len(text.split()))
    with pocketindex.open(passages) as index:
        whole, cut = index.sources(filled), index.sources(filled + " a")

    assert (whole.terms, whole.capped) == (most, False)
    assert (cut.terms, cut.capped) == (most, True)


@pytest.mark.parametrize("capped", [False, True])
def test_it_is_said_where_the_texts_are_kept_too(
    capped: bool, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To compare a text of a million terms with what is kept would take seconds."""

    def found(index: pocketindex.Index, text: str, top: int) -> sources.Sources:
        one = by_shingles(index, text, top)
        return sources.Sources(one, one.coverage, one.terms, capped)

    by_shingles = sources.by_shingles
    monkeypatch.setattr(sources, "by_shingles", found)
    with pocketindex.open(kept) as index:
        answer = index.sources(essay())

    assert all(one.common for one in answer)
    assert (answer.capped, answer.terms) == (capped, 180)
