"""Calls from Python as people write them: what is not right is said with what was meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pocketindex
import pytest
from made_up import made_up
from pocketindex.errors import as_typed
from run_command import run


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("called") / "a.pocket"
    pocketindex.build(made_up(40), path, titles=True, progress=False)
    return path


def open_two(path: Path) -> None:
    pocketindex.open(path, path)


def open_number(path: Path) -> None:
    pocketindex.open(12)  # type: ignore[arg-type]


def query_n(path: Path) -> None:
    pocketindex.open(path).query("a text", n=5)  # type: ignore[call-arg]


def query_threshold(path: Path) -> None:
    pocketindex.open_many([path]).query("a text", threshold=0.5)  # type: ignore[call-arg]


def no_id(path: Path) -> None:
    pocketindex.open(path).like("nobody")


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            open_two,
            TypeError,
            "open takes one file, and options by name; for several files use open_many([...])",
        ),
        (
            open_number,
            TypeError,
            "file is 12; it must be a path, bytes, a binary file object or an address",
        ),
        (query_n, TypeError, "query() has no option 'n'; did you mean 'top'?"),
        (
            query_threshold,
            TypeError,
            "query() has no option 'threshold'; did you mean 'min_similarity'?",
        ),
        (no_id, KeyError, "no document has the id 'nobody'"),
    ],
)
def test_what_is_wrong_is_said(
    call: Any, kind: type[BaseException], message: str, path: Path
) -> None:
    with pytest.raises(kind) as caught:
        call(path)

    assert str(caught.value.args[0]).endswith(message)
    assert len(str(caught.value)) < 400


def test_a_long_value_is_cut_in_a_message(path: Path) -> None:
    with pytest.raises(TypeError) as caught:
        pocketindex.QueryOptions(top="9" * 500)  # type: ignore[arg-type]

    assert str(caught.value) == f"top is '{'9' * 58}…; it must be a whole number"


def test_a_str_is_an_id_and_an_int_a_place(path: Path) -> None:
    with pocketindex.open(path) as index:
        number = index.find("doc-18")
        assert number is not None
        text = made_up(40)[18]["text"]

        assert index.record("doc-18") == index.record(number) == index.document("doc-18")
        assert index.like("doc-18", min_similarity=0) == index.like(number, min_similarity=0)
        assert index.explain(text, "doc-18") == index.explain(text, number)
        assert index.text("doc-18") is None


def test_names_are_shown_as_they_were_given(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    index = pocketindex.open("a.pocket")

    assert repr(index) == "<pocketindex.Index 'a.pocket', 40 documents>"
    assert index.info().path == "a.pocket"
    with pytest.raises(pocketindex.NoWords) as caught:
        index.search("word")
    assert str(caught.value) == (
        'a.pocket: expected words, found none; build it with index=("documents", "words")'
    )
    with as_typed():
        assert str(caught.value).endswith("build it with --index documents,words")
    index.close()
    assert repr(index) == "<pocketindex.Index 'a.pocket', closed>"


@pytest.mark.parametrize(
    ("error", "python", "command"),
    [
        (pocketindex.NeedsTitles("a"), "titles=True", "--titles"),
        (pocketindex.NeedsLabels("a"), 'label="FIELD"', "--label FIELD"),
        (
            pocketindex.NoPassages("a"),
            'index=("documents", "passages", "words")',
            "--index documents,passages,words",
        ),
        (pocketindex.NeedsTexts("a", "none"), 'keep="text"', "--keep text"),
    ],
)
def test_what_a_file_lacks_is_said_in_the_words_of_who_asks(
    error: pocketindex.PocketError, python: str, command: str
) -> None:
    assert str(error).endswith(f"build it with {python}")
    with as_typed():
        assert str(error).endswith(f"build it with {command}")


def test_a_hit_gives_the_object_that_the_command_prints(path: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text(made_up(40)[7]["text"], encoding="utf-8")
    printed = [json.loads(one) for one in run("query", path, draft, "--json").stdout.splitlines()]
    with pocketindex.open(path) as index:
        hits = index.query(draft.read_text(encoding="utf-8"))

        assert [{"rank": rank, **hit.as_dict()} for rank, hit in enumerate(hits, 1)] == printed
    with pocketindex.open_many([path]) as indexes:
        joint = indexes.query(draft.read_text(encoding="utf-8"))
        assert [hit.as_dict()["file"] for hit in joint] == [str(path)] * len(joint)


def test_every_title_begins_with_nothing(path: Path) -> None:
    printed = run("titles", path, "", "--top", "100").stdout.splitlines()

    assert len(printed) == len(pocketindex.open(path).titles("", top=100)) == 40


def test_a_report_says_what_it_counted(tmp_path: Path) -> None:
    report = pocketindex.build(made_up(9), tmp_path / "b.pocket", progress=False)

    assert repr(report) == "<Report: 9 read, 9 indexed, 0 skipped>"


def test_a_profile_of_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="profile is None; it must be"):
        pocketindex.build(made_up(9), tmp_path / "b.pocket", profile=None, progress=False)  # type: ignore[arg-type]


def test_dir_has_the_names_that_are_given_out() -> None:
    assert dir(pocketindex) == sorted(pocketindex.__all__)
