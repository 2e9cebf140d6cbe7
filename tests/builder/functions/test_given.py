"""What Python functions take as documents: each form gives the bytes that the command gives."""

from __future__ import annotations

import dataclasses
import datetime
import inspect
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pocketindex
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest
from made_up import made_up
from pocketindex.builder import NoDocument, Refused, Settings
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.fields import PARTS
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.schemes import SCHEMES
from pocketindex.options import options_of
from run_command import run

DOCUMENTS = made_up(80)
TEXTS = [one["text"] for one in DOCUMENTS]


@dataclasses.dataclass
class Article:
    id: str
    title: str
    text: str


class Row(NamedTuple):
    id: str
    title: str
    text: str


def table() -> pyarrow.Table:
    return pyarrow.Table.from_pylist(DOCUMENTS)


FORMS: dict[str, Callable[[], Any]] = {
    "dicts": lambda: DOCUMENTS,
    "generator": lambda: (dict(one) for one in DOCUMENTS),
    "dataclasses": lambda: [Article(**one) for one in DOCUMENTS],
    "named tuples": lambda: (Row(**one) for one in DOCUMENTS),
    "Documents": lambda: (Document(one["id"], one["title"], one["text"]) for one in DOCUMENTS),
    "table": table,
    "record batch": lambda: table().to_batches()[0],
    "reader": lambda: table().to_reader(max_chunksize=7),
    "large strings": lambda: table().cast(
        pyarrow.schema([(name, pyarrow.large_string()) for name in table().column_names])
    ),
    "bytes": lambda: table().cast(
        pyarrow.schema([(name, pyarrow.binary()) for name in table().column_names])
    ),
    "views": lambda: table().cast(
        pyarrow.schema([(name, pyarrow.string_view()) for name in table().column_names])
    ),
    "a slice": lambda: pyarrow.concat_tables([table(), table()]).combine_chunks().slice(80),
}


def built(given: Any, path: Path, **choices: Any) -> bytes:
    pocketindex.build(given, path, progress=False, **choices)
    return path.read_bytes()


def commanded(folder: Path, *options: str) -> bytes:
    """The file that the command makes of the documents."""
    (folder / "d.jsonl").write_text("".join(json.dumps(one) + "\n" for one in DOCUMENTS))
    done = run("build", folder / "d.jsonl", "-o", folder / "d.pocket", *options)
    assert done.returncode == 0, done.stderr
    return (folder / "d.pocket").read_bytes()


@pytest.fixture(scope="module")
def by_command(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("command")
    return commanded(folder)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_bytes_of_the_command(
    form: str, by_command: bytes, tmp_path: Path
) -> None:
    assert built(FORMS[form](), tmp_path / "d.pocket") == by_command


@pytest.mark.parametrize("how", [str, Path, lambda path: [Path(path)], lambda path: iter([path])])
def test_paths_are_sources(how: Any, by_command: bytes, tmp_path: Path) -> None:
    path = tmp_path / "d.parquet"
    pyarrow.parquet.write_table(table(), path)

    assert built(how(path), tmp_path / "d.pocket") == by_command
    assert built(str(tmp_path / "*.parquet"), tmp_path / "e.pocket") == by_command


def test_settings_are_the_options_of_the_command(tmp_path: Path) -> None:
    options = ["--shape", "small", "--keep", "text", "--titles", "--index", "documents,passages"]
    expected = commanded(tmp_path, *options)

    choices = {"shape": "small", "keep": "text", "titles": True, "index": ["documents", "passages"]}
    assert built(table(), tmp_path / "e.pocket", **choices) == expected


@pytest.mark.parametrize(
    "given",
    [
        TEXTS,
        iter(TEXTS),
        np.array(TEXTS),
        list(enumerate(TEXTS)),
        [{"text": text} for text in TEXTS],
        pyarrow.table({"text": TEXTS}),
        pyarrow.table({"text": TEXTS, "id": pyarrow.array(range(80), pyarrow.int16())}),
        pyarrow.array(TEXTS),
        pyarrow.chunked_array([TEXTS[:9], TEXTS[9:]]),
    ],
    ids=lambda given: type(given).__name__,
)
def test_missing_ids_are_numbers(given: Any, tmp_path: Path) -> None:
    pocketindex.build(given, tmp_path / "d.pocket", progress=False)

    with pocketindex.open(tmp_path / "d.pocket") as index:
        assert [index.record(number).id for number in range(80)] == list(map(str, range(80)))
        assert index.query(TEXTS[7])[0].id == "7"


def test_fields_of_other_names(by_command: bytes, tmp_path: Path) -> None:
    renamed = [{"key": one["id"], "head": one["title"], "body": one["text"]} for one in DOCUMENTS]
    names = {"id": "key", "title": "head", "text": "body"}

    assert built(renamed, tmp_path / "d.pocket", **names) == by_command
    assert built(pyarrow.Table.from_pylist(renamed), tmp_path / "d.pocket", **names) == by_command


def test_what_is_no_document_is_left_out_with_its_number(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    given = [*DOCUMENTS, {"id": "x"}, {"id": "y", "text": [7]}, None, "", {"id": [1], "text": "t"}]
    with caplog.at_level(logging.INFO, "pocketindex"):
        report = pocketindex.build(given, tmp_path / "d.pocket", progress=False)

    assert (report.read, report.indexed) == (85, 80)
    assert report.skipped == {"no text": 2, "bad record": 2, "empty": 1}
    places = {reason: [one.place for one in some] for reason, some in report.examples.items()}
    assert places["no text"] == ["<documents>:80", "<documents>:82"]
    assert report.examples["bad record"][0].detail == (
        'expected a string or a number as "text", found a value of type list'
    )
    assert "2 bad record" in caplog.text
    with pytest.raises(
        Refused, match=r"<documents>:80: no text: no field .text. among .id.; name .* text=.FIELD."
    ):
        pocketindex.build(given, tmp_path / "d.pocket", strict=True)


def test_rows_that_are_not_plain_are_told_of(tmp_path: Path) -> None:
    rows = pyarrow.table(
        {
            "id": pyarrow.array(["a", None, "c", "d", ""]),
            "text": pyarrow.array(["\N{EM SPACE}", TEXTS[1], None, TEXTS[3], TEXTS[4]]),
            "title": pyarrow.array([b"", b"B", b"", b"\xff", b"E"]),
        }
    )
    report = pocketindex.build(rows, tmp_path / "d.pocket", progress=False)

    assert report.skipped == {"empty": 1, "no text": 1, "no id": 1}
    assert report.examples["wrong encoding"][0].place == "<table>:3"
    with pocketindex.open(tmp_path / "d.pocket") as index:
        assert [index.record(number).id for number in range(2)] == ["#1", "d"]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (7, TypeError, "documents are of type int; expected an iterable of texts"),
        ({"text": "a"}, TypeError, "documents are of type dict"),
        (b"text", TypeError, "documents are of type bytes"),
        (["a text", 7], TypeError, "document 1 is of type int, and has no attribute 'text'"),
        ([("a", "b", "c")], TypeError, "document 0 is a tuple of 3; expected a text, a pair"),
        ([Path("a"), "b"], TypeError, "source 1 is of type str; expected a path"),
        ([__file__], ValueError, "which is the path of a file; strings in an iterable are texts"),
        (pyarrow.table({"a": [1]}), SourceError, '<table>: no field "text" among "a"'),
        ([], NoDocument, "there is no record in it"),
        ("no such.jsonl", SourceError, "there is no such file or folder"),
    ],
)
def test_what_is_none(given: Any, error: type[Exception], message: str, tmp_path: Path) -> None:
    with pytest.raises(error, match=message):
        pocketindex.build(given, tmp_path / "d.pocket", progress=False)

    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("choices", "error", "message"),
    [
        ({"shpe": "small"}, TypeError, "there is no choice 'shpe'; is 'shape' meant?"),
        ({"scheme": "ff", "shape": "small"}, ValueError, "shape is not an option of scheme ff"),
        ({"keep": "all"}, ValueError, "keep is 'all'; it must be one of none"),
        ({"format": "csv"}, ValueError, "format is 'csv'; it is for sources"),
    ],
)
def test_choices_that_are_none(
    choices: Any, error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        pocketindex.build(DOCUMENTS, tmp_path / "d.pocket", **choices)


def test_every_setting_is_a_keyword() -> None:
    settings = {field.name for field in dataclasses.fields(Settings)}
    of_schemes = {name for one in SCHEMES.values() for name in options_of(one.settings)}
    expected = settings - {"fields", "scheme_settings"} | of_schemes | set(PARTS)
    of_the_call = {"documents", "path", "resume", "skipped", "progress"}

    assert set(inspect.signature(pocketindex.build).parameters) == expected | of_the_call


def test_an_option_is_one_thing_for_python_the_command_and_the_journal(tmp_path: Path) -> None:
    """Also for mypy, which reads this file: it knows the type of each keyword."""
    target = tmp_path / "x.pocket"

    assert "- run_window: keep one shingle in N" in (pocketindex.build.__doc__ or "")
    assert "--run-window N" in run("build", "--help-all").stdout
    assert Settings(run_window=4).deciding()["the setting run_window"] == "4"
    assert Settings(threads=4).deciding() == Settings().deciding()
    with pytest.raises(ValueError, match=r"^run_window is 0; it must be between 1 and 256$"):
        pocketindex.build(TEXTS, target, index=["documents", "passages"], run_window=0)
    with pytest.raises(TypeError, match="run_window is '4'; it must be a whole number"):
        pocketindex.build(TEXTS, target, run_window="4")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^run_window has no effect unless index has passages"):
        pocketindex.build(TEXTS, path=target, run_window=4)
    done = run("build", "x.jsonl", "-o", target, "--run-window", "0")
    assert done.stderr == "pocketindex: --run-window is 0; it must be between 1 and 256\n"


def test_a_generator_is_read_once_and_no_further_than_memory_allows(tmp_path: Path) -> None:
    ahead = 0

    def documents() -> Iterator[str]:
        nonlocal ahead
        for one in TEXTS:
            ahead += 1
            yield one

    given = documents()
    pocketindex.build(given, tmp_path / "d.pocket", progress=False)

    assert ahead == 80
    assert next(given, None) is None


def test_an_error_of_the_generator_leaves_nothing(tmp_path: Path) -> None:
    def documents() -> Iterator[str]:
        yield from TEXTS
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        pocketindex.build(documents(), tmp_path / "d.pocket", progress=False)

    assert not list(tmp_path.iterdir())


def test_nothing_is_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pocketindex.build(TEXTS, tmp_path / "d.pocket")

    assert capfd.readouterr() == ("", "")


def test_dates_of_every_kind() -> None:
    day = datetime.date(2020, 2, 1)
    for dates in ["2019", "2020-02-01"], [1, 2.5], [day - datetime.timedelta(1), day]:
        given = [{"text": TEXTS[0], "when": date} for date in dates]
        assert pocketindex.dedup(given, keep="newest", date="when").kept == [1]


def test_the_names_come_when_they_are_asked_for() -> None:
    script = (
        "import sys, pocketindex; print('pocketindex.builder' in sys.modules); "
        "print('dedup' in dir(pocketindex)); pocketindex.pairs; "
        "print('pocketindex.builder' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)

    assert ran.stdout.split() == ["False", "True", "True"]
    with pytest.raises(AttributeError, match="module 'pocketindex' has no attribute 'biuld'"):
        pocketindex.biuld  # noqa: B018


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("b", ("b",)),
        (3, ("3",)),
        (["b", "a"], ("a", "b")),
        ((1, None, 2.5), ("1", "2.5")),
        (np.array(["b", "a"]), ("a", "b")),
        (np.int64(7), ("7",)),
        (float("nan"), ()),
        ([], ()),
    ],
)
def test_labels_are_what_json_lines_may_have(
    value: Any, expected: tuple[str, ...], tmp_path: Path
) -> None:
    target = tmp_path / "x.pocket"
    report = pocketindex.build(
        [one | {"topics": value if n else "z"} for n, one in enumerate(DOCUMENTS)],
        target,
        label="topics",
    )
    assert report.indexed == len(DOCUMENTS)
    with pocketindex.open(target) as index:
        assert index.labels(5) == expected


@pytest.mark.parametrize(("value", "kind"), [(True, "bool"), ({"a": 1}, "dict"), ([b"a"], "bytes")])
def test_what_is_no_label_is_said(value: Any, kind: str, tmp_path: Path) -> None:
    skipped = tmp_path / "skipped.jsonl"
    documents = [*DOCUMENTS[1:], DOCUMENTS[0] | {"topics": value}]
    pocketindex.build(documents, tmp_path / "x.pocket", label="topics", skipped=skipped)
    (line,) = map(json.loads, skipped.read_text().splitlines())
    assert (line["reason"], line["detail"]) == (
        "bad record",
        'expected a string, a number or a list of them as "topics", found a value of type ' + kind,
    )
