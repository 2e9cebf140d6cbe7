"""What very many documents have is said with their number and a few of them, and never denied."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from pocketindex.builder import Settings, build
from pocketindex.queries.frequent_passages import ExampleDocument, FrequentPassage, about, of_files
from pocketindex.queries.sources import Sources

NOTICE = " ".join(f"notice{i}" for i in range(30))
FOOTER = " ".join(f"footer{i}" for i in range(30))
BOTH = 60, 80  # documents that have the notice, and the footer: others


def is_about(documents: int, expected: int) -> bool:
    """Winnowing keeps a shingle at the end of a passage in fewer documents."""
    return 0.8 * expected < documents <= expected


def own(number: int) -> str:
    return " ".join(f"own{number}x{i}" for i in range(40))


def documents() -> list[dict[str, str]]:
    notices, footers = BOTH
    return [
        {"id": f"n{n}", "title": f"Notice {n}", "text": f"{own(n)} {NOTICE}"}
        for n in range(notices)
    ] + [{"id": f"f{n}", "text": f"{own(100 + n)} {FOOTER}"} for n in range(footers)]


@pytest.fixture(scope="module", params=["none", "text"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("frequent")
    source = folder / "docs.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in documents()))
    keep: Any = request.param
    build([source], folder / "x.pocket", Settings(index=("documents", "passages"), keep=keep))
    return folder / "x.pocket"


def found(path: Path, text: str) -> Sources:
    with pocketindex.open(path) as index:
        assert index.info().frequent_runs > 0
        return index.sources(text)


def test_a_passage_of_sixty_documents_is_in_about_sixty(path: Path) -> None:
    text = f"Somebody wrote this é. {NOTICE} And this as well."
    answer = found(path, text)

    (passage,) = answer.frequent
    assert list(answer) == []
    assert is_about(passage.documents, BOTH[0])
    assert [one.id for one in passage.examples] == ["n0", "n1", "n2"]
    assert len(text[passage.start : passage.end].split()) >= 9
    assert text[passage.start : passage.end] in NOTICE
    assert str(passage).startswith("in about ")
    assert str(passage).endswith(" documents, for instance Notice 0, Notice 1, Notice 2")
    with pocketindex.open(path) as index:
        assert passage.verified == (index.info().texts != "none")
    assert passage.as_dict() == {
        "frequent": [passage.start, passage.end],
        "documents": passage.documents,
        "examples": [
            {"id": f"n{n}", "title": f"Notice {n}", "url": "", "file": str(path)} for n in range(3)
        ],
        "verified": passage.verified,
    }


def test_two_that_follow_each_other_are_two(path: Path) -> None:
    """No document has both."""
    notice, footer = found(path, f"{NOTICE} {FOOTER}").frequent

    assert is_about(notice.documents, BOTH[0])
    assert is_about(footer.documents, BOTH[1])
    assert {one.id[0] for one in footer.examples} == {"f"}
    assert notice.end <= footer.start


def test_one_in_a_copied_document_is_explained_by_it(path: Path) -> None:
    answer = found(path, documents()[7]["text"])

    assert answer[0].id == "n7"
    # What is left of the notice beyond the margin of the passage is still said.
    assert all(is_about(one.documents, BOTH[0]) for one in answer.frequent)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one two three",
        " ".join(NOTICE.split()[:6]),
        " ".join(NOTICE.split()[::-1]),
        " ".join(f"other{i}" for i in range(200)),
    ],
)
def test_other_texts_have_none(path: Path, text: str) -> None:
    assert found(path, text).frequent == ()


def test_a_long_text_has_all_of_them(path: Path) -> None:
    """Segments are asked one after the other; places count from the beginning of the text."""
    between = " ".join(f"between{i}." for i in range(6_000))
    text = f"{NOTICE} {between} {FOOTER}"
    answer = found(path, text)

    assert list(map(is_about, (one.documents for one in answer.frequent), BOTH)) == [True] * 2
    assert text[answer.frequent[1].start :].startswith("footer")


def test_files_that_have_the_same_passage_have_it_together() -> None:
    one = FrequentPassage(3, 90, 60, (ExampleDocument("a", "", "", "f"),), True)
    others = tuple(ExampleDocument(f"b{n}", "", "", "g") for n in range(3))
    other = FrequentPassage(3, 90, 1_040, others, False)
    later = FrequentPassage(100, 190, 70, (ExampleDocument("c", "", "", "f"),), True)

    together, alone = of_files([[one, later], [other]])
    assert alone == later
    assert (together.documents, together.verified) == (1_100, False)
    assert [own.id for own in together.examples] == ["a", "b0", "b1"]


@pytest.mark.parametrize(
    ("documents", "said"), [(51, 51), (99, 99), (104, 100), (3_049, 3_000), (126_049, 130_000)]
)
def test_about_has_two_digits(documents: int, said: int) -> None:
    assert about(documents) == said
