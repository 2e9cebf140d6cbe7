"""pocketindex check by the passages and words of a file: what is a passage, and what is none."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Literal

import pocketindex
import pytest
from essays import essays
from near_duplicates import write
from pocketindex.builder import Settings, build
from pocketindex.builder.collections.contamination import Checker
from pocketindex.builder.collections.findings import Finding
from run_command import run

ESSAYS, PAIRS = essays()
ALIKE = {name for pairs in PAIRS.values() for pair in pairs for name in pair}
TEXTS = {
    name[5:7]: text for name, text in ESSAYS.items() if name not in ALIKE and name < "essay55.txt"
}
OWN = [
    sentence
    for text in list(ESSAYS.values())[56:60]
    for sentence in text.replace("\n\n", " ").strip().split(". ")
]
INDEX = ("documents", "passages", "words")


def made(path: Path, keep: Literal["none", "text"], index: tuple[str, ...] = INDEX) -> Path:
    source = write(
        path.with_suffix(".jsonl"), [{"id": key, "text": text} for key, text in TEXTS.items()]
    )
    build([source], path, Settings(index=index, keep=keep, profile="learn"))
    return path


@pytest.fixture(scope="module")
def estimated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("estimated") / "a.pocket", "none")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("kept") / "a.pocket", "text")


def sentences(document: str, first: int, count: int) -> str:
    return ". ".join(TEXTS[document].replace("\n\n", " ").split(". ")[first : first + count]) + "."


def among(*others: str) -> str:
    """Text of nobody's, with others in its midst."""
    return " ".join([". ".join(OWN[:12]) + ".", *others, ". ".join(OWN[12:24]) + "."])


def checked(path: Path, *items: str) -> list[Finding]:
    with pocketindex.open_many([path]) as indexes:
        return Checker(indexes).check(items)


@pytest.mark.parametrize("file", ["estimated", "kept"])
def test_a_paragraph_is_a_passage(file: str, request: pytest.FixtureRequest) -> None:
    item = among(sentences("15", 10, 5))
    (finding,) = checked(request.getfixturevalue(file), item)
    (one,) = finding.evidence

    assert (finding.verdict, one.kind, one.id) == ("passage", "passage", "15")
    assert one.verified == (file == "kept")
    share = len(sentences("15", 10, 5)) / len(item)
    if file == "kept":
        assert finding.coverage == pytest.approx(share, abs=0.03)
    else:
        assert share - 0.05 < (finding.coverage or 0) <= 1
    assert finding.looked == ["sketches", "kept texts" if file == "kept" else "passages"]


def test_one_sentence_is_a_passage_where_texts_are_kept(kept: Path) -> None:
    copied = sentences("17", 20, 1)
    item = among(copied)
    (finding,) = checked(kept, item)
    (own,) = finding.evidence[0].passages

    assert (finding.verdict, finding.evidence[0].id) == ("passage", "17")
    assert copied[:-1] in item[own.start : own.end + 1]
    assert own.document_start is not None
    assert own.document_end is not None
    assert copied[:-1] in TEXTS["17"][own.document_start : own.document_end + 1]


def test_an_edited_paragraph_is_a_passage_that_says_so(kept: Path) -> None:
    words = sentences("14", 5, 5).split()
    chance = random.Random(3)
    for place in range(4, len(words), 9):
        words[place] = chance.choice(OWN[30].split())
    (finding,) = checked(kept, among(" ".join(words)))
    (one,) = finding.evidence

    assert (finding.verdict, one.id) == ("passage", "14")
    assert max(own.edited or 0 for own in one.passages) > 0.05


def test_a_piece_of_fewer_than_nine_words_is_a_phrase(kept: Path) -> None:
    words = max(TEXTS["16"].replace("\n\n", " ").split(". "), key=len).split()
    phrase, passage = " ".join(words[2:9]), " ".join(words[2:14])
    short, long = checked(kept, phrase, passage)

    assert (short.verdict, [one.kind for one in short.evidence]) == ("phrase", ["phrase"])
    assert (short.evidence[0].id, short.evidence[0].verified) == ("16", True)
    assert (long.verdict, long.evidence[0].id) == ("passage", "16")


def test_own_words_are_not_found(estimated: Path, kept: Path) -> None:
    for path in estimated, kept:
        (finding,) = checked(path, among())
        assert (finding.verdict, finding.evidence, finding.coverage) == ("not found", [], 0)


def test_the_same_words_are_a_copy_however_they_are_set(kept: Path) -> None:
    lines = TEXTS["18"].replace("\n\n", "\n").replace(" ", "  ")
    (finding,) = checked(kept, lines)
    one = finding.evidence[0]

    assert (finding.verdict, finding.coverage) == ("copy", 1.0)
    assert (one.id, one.verified, round(one.cosine or 0, 6)) == ("18", True, 1.0)


def test_each_document_of_many_counts(tmp_path: Path) -> None:
    """The number is that of all documents, whatever is named."""
    form = " ".join(f"{sentence}." for sentence in OWN[:6])
    documents = [{"id": key, "text": f"{text}\n\n{form}"} for key, text in TEXTS.items()]
    source = write(tmp_path / "a.jsonl", documents)
    settings = Settings(index=INDEX, keep="text", profile="learn")
    build([source], tmp_path / "a.pocket", settings)
    (finding,) = checked(tmp_path / "a.pocket", form)

    assert (len(finding.evidence), finding.documents) == (3, len(TEXTS))
    assert finding.coverage == 1


@pytest.mark.parametrize("index", [("passages",), INDEX])
@pytest.mark.parametrize("keep", ["none", "text"])
def test_a_passage_that_very_many_documents_have_is_a_passage(
    index: tuple[str, ...], keep: Literal["none", "text"], tmp_path: Path
) -> None:
    form = " ".join(f"{sentence}." for sentence in OWN[:3])
    documents = [{"id": key, "text": f"{text}\n\n{form}"} for key, text in TEXTS.items()]
    source = write(tmp_path / "a.jsonl", documents)
    settings = Settings(index=index, keep=keep, profile="learn", run_documents=5)
    build([source], tmp_path / "a.pocket", settings)
    (finding,) = checked(tmp_path / "a.pocket", form)

    assert finding.verdict == "passage"
    assert len(TEXTS) / 2 < finding.documents <= len(TEXTS)
    assert (finding.coverage or 0) > 0.5
    assert {one.id for one in finding.evidence} <= set(TEXTS)
    assert len(finding.evidence) == 3
    test = write(tmp_path / "t.jsonl", [{"id": "t", "text": form}])
    done = run("check", tmp_path / "a.pocket", test, "--fail-on", "passage")
    assert done.returncode == 1
    assert f"of it in {finding.documents} documents" in done.stdout
    (among_own,) = checked(tmp_path / "a.pocket", " ".join(f"{one}." for one in OWN[20:40]))
    assert among_own.verdict == "not found"


def test_a_file_that_has_all_is_not_to_be_built_again(kept: Path, estimated: Path) -> None:
    for path, is_said in (kept, False), (estimated, True):
        done = run("check", path, "-", stdin='{"id": "1", "text": "too short"}\n')
        assert "not looked for: 1 item of too few terms" in done.stdout
        assert ("build the file with" in done.stdout) == is_said


def test_parts_are_asked_for_in_files_of_sketches_alone(tmp_path: Path, kept: Path) -> None:
    plain = made(tmp_path / "plain.pocket", "none", ("documents",))
    item = "\n\n".join([". ".join(OWN[:12]), TEXTS["13"].strip(), ". ".join(OWN[12:])])
    (by_parts,), (by_texts,) = checked(plain, item), checked(kept, item)

    assert by_parts.looked == ["sketches", "sketches of parts"]
    assert by_texts.looked == ["sketches", "kept texts"]
    assert (by_texts.verdict, by_texts.evidence[0].id) == ("passage", "13")


def test_words_in_another_order_are_said_where_texts_are_not_kept(
    estimated: Path, kept: Path
) -> None:
    """A "no" would be wrong where order is not known; with texts it is known."""
    words = sentences("19", 12, 1)[:-1].split()[:8]
    shuffled = " ".join(random.Random(1).sample(words, 8))
    (unknown,), (known,) = checked(estimated, shuffled), checked(kept, shuffled)

    assert (unknown.verdict, known.verdict) == ("not found", "not found")
    assert unknown.words_only is not None
    assert (unknown.words_only.id, unknown.words_only.documents) == ("19", 1)
    assert known.words_only is None
