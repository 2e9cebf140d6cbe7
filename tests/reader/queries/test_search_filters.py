"""Filters of a search by label and language, in Python and on the command line: what they leave,
what the answer says, and what builds keep for them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from pocketindex.cli import main
from pocketindex.commands.search import summary
from pocketindex.queries.filters import filters_text

DOCUMENTS: list[dict[str, Any]] = [
    {"id": "a", "text": "alpha oil price", "topics": ["earn", "crude oil"], "lang": "en"},
    {"id": "b", "text": "alpha oil", "topics": ["acq"], "lang": "en_GB"},
    {"id": "c", "text": "der preis alpha", "topics": [], "lang": "de"},
    {"id": "d", "text": "alpha alpha", "topics": ["earn"]},
]


def built(
    folder: Path, name: str = "own", documents: Any = None, label: str | None = "topics"
) -> str:
    source, target = folder / f"{name}.jsonl", folder / f"{name}.pocket"
    source.write_text("".join(f"{json.dumps(own)}\n" for own in documents or DOCUMENTS))
    pocketindex.build(source, target, index="documents,words", label=label)
    return str(target)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return built(tmp_path_factory.mktemp("filters"))


def ids(found: pocketindex.WordHits) -> list[str]:
    return sorted(hit.id for hit in found)


def test_filters_of_the_text_and_of_arguments_leave_the_same(file: str) -> None:
    with pocketindex.open(file) as index:
        for text, how in (
            ("alpha label:earn", {"label": "earn"}),
            ("alpha lang:en", {"lang": "en"}),
            ('alpha label:"crude oil" label:acq', {"label": ["crude oil", "acq"]}),
            ("alpha label:earn lang:en", {"label": "earn", "lang": "en"}),
        ):
            typed, given = index.search(text), index.search("alpha", **how)
            assert ids(typed) == ids(given) != []
            assert [str(one) for one in typed.filters] == [str(one) for one in given.filters]
        assert ids(index.search("-label:earn")) == ["b", "c"]
        assert ids(index.search("", lang=("de", "en-gb"))) == ["b", "c"]
        assert ids(index.search("a b c d e f g alpha", label="acq")) == ["b"]


def test_a_language_is_no_label_but_is_kept_with_them(file: str) -> None:
    with pocketindex.open(file) as index:
        assert index.labels("a") == ("crude oil", "earn")
        assert [index.language(id) for id in "abcd"] == ["en", "en-gb", "de", ""]
        assert index.info().labels == 3
        assert index.search("price", lang="en")[0].labels == ("crude oil", "earn")


def test_the_answer_counts_what_passes_and_names_near_labels(file: str) -> None:
    with pocketindex.open(file) as index:
        found = index.search("oil label:earn")
        unknown = index.search("oil label:earns lang:fr")

    assert (found.allowed, found.any, found.filters[0].documents) == (2, 1, 2)
    assert found.notes == []
    assert summary(found).endswith("; 2 documents match the filters")
    assert summary(unknown).startswith("no document matches the filters; no document has the label")
    assert unknown.notes == [
        "no document has the label earns; similar labels: earn",
        "no document has the language fr",
    ]
    assert unknown.as_dict()["filters"][0]["near"] == ("earn",)


def test_a_file_without_labels_says_how_they_are_kept(tmp_path: Path) -> None:
    with pocketindex.open(built(tmp_path, label=None)) as index:
        found = index.search("alpha label:earn")

    assert not found
    assert found.as_dict()["unlabelled"]
    assert summary(found) == (
        "no document matches the filters; own.pocket keeps no labels of documents; build with "
        'label="FIELD" to keep them'
    )


def test_several_files_are_filtered_as_one(file: str, tmp_path: Path) -> None:
    other = built(tmp_path, "other", [{"id": "e", "text": "alpha oil", "topics": ["acq"]}])
    plain = built(tmp_path, "plain", [{"id": "f", "text": "alpha oil"}], label=None)
    with pocketindex.open_many([file, other, plain]) as index:
        found = index.search("oil label:acq")
        assert ids(found) == ids(index.search("oil", label="acq")) == ["b", "e"]

    assert (found.allowed, found.filters[0].documents) == (2, 2)
    assert found.unlabelled == ((plain, ("label",)),)


def test_an_update_keeps_languages(tmp_path: Path) -> None:
    path, more = built(tmp_path), tmp_path / "more.jsonl"
    more.write_text('{"id": "e", "text": "das alpha", "topics": [], "lang": "de-AT"}\n')
    pocketindex.update(path, more, label="topics")
    with pocketindex.open(path) as index:
        assert ids(index.search("alpha lang:de")) == ["c", "e"]
        assert ids(index.search("alpha lang:en")) == ["a", "b"]


@pytest.mark.parametrize("wrong", [{"label": ""}, {"lang": ["de", ""]}])
def test_an_empty_filter_is_refused(file: str, wrong: Any) -> None:
    with (
        pocketindex.open(file) as index,
        pytest.raises(ValueError, match="an empty str; omit it"),
    ):
        index.search("alpha", **wrong)


def test_a_filter_that_is_no_string_is_refused() -> None:
    with pytest.raises(TypeError, match="label: expected a str or several, found 7"):
        filters_text([7], ())  # type: ignore[list-item]


def test_the_command_lists_what_filters_alone_find(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", file, "lang:en", "--json"]) == 0
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert sorted(line["id"] for line in lines[:-1]) == ["a", "b"]
    assert lines[-1]["allowed"] == 2
    assert err == "2 documents match the filters\n"
    assert main(["search", file, "lang:en -price"]) == 0
    assert capsys.readouterr().err == (
        "1 document matches the filters; documents with price are left out\n"
    )
    assert main(["search", file, "label:acq price"]) == 1
    assert "no document that matches the filters has" in capsys.readouterr().err
    assert main(["search", file, "alpha", "lang:fr"]) == 1
    assert "no document has the language fr" in capsys.readouterr().err
