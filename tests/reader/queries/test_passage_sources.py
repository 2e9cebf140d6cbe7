"""Where the passages of a text come from: Index.sources, JointIndex.sources."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pocketindex
import pytest
from pocketindex.builder import Settings, build
from pocketindex.errors import NoPassages

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
        assert one.passages == ((common.start, common.end),)
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
    assert one.passages == ((0, len(" ".join(words))),)
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
        assert not index.sources(text)


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
        f"{path}: expected passages or words, found none; "
        'build it with index=("documents", "passages", "words")'
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


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    index = ("documents", "passages", "words")
    return made(tmp_path_factory.mktemp("words") / "a.pocket", "text", index)


@pytest.mark.parametrize("mark", ['"', "“", "”", "-", "−", "--", "«", "(", "*", "'"])
def test_a_pasted_text_is_text(mark: str, words: Path) -> None:
    """Quotation marks and minus signs are syntax of a search, and of nothing else."""
    plain = TEXTS["d8"].split()[40:70]
    marked = plain.copy()
    for place in range(1, len(plain), 3):
        marked[place] = f"{mark}{plain[place]}"
    own, other = " ".join(plain), " ".join(marked)
    with pocketindex.open(words) as index:
        expected, found = index.sources(own), index.sources(other)
        assert [one.id for one in index.query(other)] == [one.id for one in index.query(own)]
    (checked,) = pocketindex.check(words, [other], progress=False)

    assert [(one.id, one.coverage, one.terms) for one in found] == [
        (one.id, one.coverage, one.terms) for one in expected
    ]
    assert found[0].id == "d8"
    assert (checked.verdict, checked.evidence[0].id) == ("passage", "d8")


def test_what_is_left_out_is_not_looked_for(words: Path) -> None:
    text = essay()
    with pocketindex.open(words) as index:
        all_of_it = {one.id: one for one in index.sources(text)}
        (rest,) = index.sources(text, leave_out=all_of_it["d7"].passages)

    assert rest.id == "d31"
    assert rest.passages == all_of_it["d31"].passages


def test_several_files_tell_the_whole_together(words: Path, tmp_path: Path) -> None:
    """Coverage and number are those of all sources of all files, whatever is listed."""
    with pocketindex.open_many([words, words]) as indexes, pocketindex.open(words) as index:
        found, one = indexes.sources(essay(), 1), index.sources(essay())

    assert (len(found), found.total) == (1, 2 * one.total)
    assert found.coverage == pytest.approx(one.coverage, abs=0.001)


def test_passages_that_other_texts_have() -> None:
    own, draft = prose(1, 40), prose(2, 40)
    text = " ".join(own) + ". " + " ".join(draft) + "."
    ((start, end),) = pocketindex.shared_passages(text, ["Begin. " + " ".join(draft) + ". End."])

    assert text[start:end] == " ".join(draft)
    assert pocketindex.shared_passages(text, ["Nothing of it is here."]) == []
    assert pocketindex.shared_passages("", ["Nothing."]) == []
