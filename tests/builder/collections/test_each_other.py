"""pocketindex check of a folder of essays: against a file, and each against every other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from essays import essays
from near_duplicates import write
from pocketindex.builder.collections.findings import Finding
from pocketindex.builder.commands.findings import Counts
from run_command import run

TEXTS, PAIRS = essays()
FORM = "Every student writes a declaration on the last page and signs it by hand before noon."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty essays, three of which have the sentence of a form."""
    path = tmp_path_factory.mktemp("folder") / "essays"
    path.mkdir()
    for number, (name, text) in enumerate(TEXTS.items()):
        form = f"\n{FORM}\n" if number in (30, 31, 41) else ""
        (path / name).write_text(text + form)
    return path


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One document, which has a paragraph of an essay."""
    path = tmp_path_factory.mktemp("file")
    other = " ".join(f"other{i} word{i}." for i in range(200))
    paragraph = TEXTS["essay40.txt"].split("\n\n")[3]
    source = write(path / "d.jsonl", [{"id": "web", "text": f"{other}\n\n{paragraph}"}])
    index = ("documents", "passages", "words")
    pocketindex.build(str(source), path / "a.pocket", index=index, keep="text")
    return path / "a.pocket"


def wanted(*kinds: str) -> set[tuple[str, str]]:
    return {pair for kind in kinds for pair in PAIRS[kind]}


def rows(*arguments: str | Path) -> tuple[list[Any], list[Any], str]:
    """Return the rows of items and those of pairs, and what is said."""
    done = run("check", *arguments, "--json", "--each-other")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    pairs = [row for row in found if row["looked"] == ["each other"]]
    return [row for row in found if row not in pairs], pairs, done.stderr


def names(pairs: list[Any]) -> list[tuple[str, str]]:
    return [(Path(row["id"]).name, Path(row["evidence"][0]["id"]).name) for row in pairs]


def test_each_pair_is_named_once(file: Path, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "form.txt").write_text(FORM)
    items, pairs, said = rows(file, folder, "--ignore", tmp_path / "form.txt")

    assert len(items) == 60
    assert [Path(row["id"]).name for row in items if row["verdict"] != "not found"] == [
        "essay40.txt"
    ]
    assert names(pairs) == sorted(wanted("copied", "edited", "sentence", "quoted"))
    for row in pairs:
        first, second = ((folder / name).read_text() for name in names([row])[0])
        (one,) = row["evidence"]
        assert one["verified"]
        assert one["file"] == str(folder)
        (own,) = one["passages"]
        same = (
            first[own["start"] : own["end"]].split()
            == second[own["document_start"] : own["document_end"]].split()
        )
        assert same == (names([row])[0] not in wanted("edited"))
        assert one["coverage"] == pytest.approx((own["end"] - own["start"]) / len(first), abs=0.03)
        assert one["document_coverage"] > 0.02
    assert "5 pairs of items have something in common: 5 passage" in said


def test_the_sentence_of_a_form_counts_unless_it_is_ignored(file: Path, folder: Path) -> None:
    form = {("essay30.txt", "essay31.txt"), ("essay30.txt", "essay41.txt")}
    form.add(("essay31.txt", "essay41.txt"))

    assert set(names(rows(file, folder)[1])) == form | wanted(*PAIRS)


def test_quotations_are_left_out(file: Path, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "form.txt").write_text(FORM)
    ignored = ("--ignore", tmp_path / "form.txt")
    found = names(rows(file, folder, "--exclude-quotes", *ignored)[1])

    assert set(found) == wanted("copied", "edited", "sentence")


def test_a_draft_of_the_author_is_left_out(file: Path, folder: Path, tmp_path: Path) -> None:
    first, second = PAIRS["copied"][0]
    (tmp_path / "draft.txt").write_text(TEXTS[first].split("\n\n")[2])
    found = names(rows(file, folder, "--ignore", tmp_path / "draft.txt")[1])

    assert (first, second) not in found
    assert set(found) >= wanted("edited", "sentence")


def test_it_is_the_same_from_python(file: Path, folder: Path) -> None:
    found = pocketindex.check(
        file, folder, each_other=True, exclude_quotes=True, ignore=[FORM], progress=False
    )
    pairs = {(Path(one.first).name, Path(one.second).name) for one in found.pairs}

    assert pairs == wanted("copied", "edited", "sentence")
    assert all(one.verdict == "passage" for one in found.pairs)
    assert all(one.numbers[0] < one.numbers[1] for one in found.pairs)
    assert [Path(one.id).name for one in found if one.verdict == "passage"] == ["essay40.txt"]


def test_for_people(file: Path, folder: Path) -> None:
    done = run("check", file, folder, "--each-other", "--fail-on", "passage")
    first, second = PAIRS["sentence"][0]
    heads = [line for line in done.stdout.splitlines() if line.startswith("passage")]

    assert done.returncode == 1
    (head,) = [line for line in heads if first in line and second in line]
    assert "% of the first, " in head
    (edited,) = [
        line
        for line in done.stdout.splitlines()
        if line.startswith("  ") and "% edited" in line and " at " in line
    ]
    assert edited.split(", ")[1].split("%")[0].strip() in {"11", "12", "13", "14"}


def test_copies_and_empty_texts_among_the_items(file: Path, tmp_path: Path) -> None:
    text = TEXTS["essay01.txt"]
    others = [TEXTS[f"essay{number}.txt"] for number in range(12, 22)]
    documents = [text, ".", text.replace("\n\n", "\n"), "?!", "one two", *others]
    given = [{"id": str(i), "text": text} for i, text in enumerate(documents)]
    given += [{"id": title, "title": title} for title in ("no text", "none either")]
    items = write(tmp_path / "t.jsonl", given)
    _, pairs, _ = rows(file, items)

    assert [(row["id"], row["evidence"][0]["id"], row["verdict"]) for row in pairs] == [
        ("0", "2", "copy")
    ]


def test_an_item_of_several_pairs_is_counted_once() -> None:
    counts = Counts()
    capped = Finding("passage", 0.5, ["each other"], [], 1, True)
    for number in (1, 1, 2):
        counts.add_pair(number, capped)

    assert any(line.startswith("2 items have more") for line in counts.limits([]))
