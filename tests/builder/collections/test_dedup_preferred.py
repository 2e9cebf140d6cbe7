"""Which of several near-duplicates dedup keeps."""

from __future__ import annotations

import datetime
import json
import random
from pathlib import Path
from typing import Any

import pocketindex
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import made_up
from near_duplicates import collection, write
from pocketindex.builder.collections.keep import Preferences, moment
from pocketindex.options import OptionError
from run_command import run

TEXT = made_up(1)[0]["text"]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("preferred") / "docs.jsonl", collection())


def kept(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_bytes().splitlines()]


def preferred(values: list[Any], prefer: str = "n") -> list[int]:
    """The documents with these values of the field n, the most preferred first."""
    preferences = Preferences("first", prefer)
    for value in values:
        preferences.add("", value)
    ranks = preferences.ranks()
    return sorted(range(len(values)), key=ranks.__getitem__)


def test_longest_and_newest_are_kept(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert run("dedup", source, "-o", out, "--keep", "longest").returncode == 0
    assert {"7-b", "3-spaced", "doc-11"} < set(kept(out))
    assert not {"doc-7", "7-a", "doc-3", "11-copy"} & set(kept(out))

    done = run("dedup", source, "-o", out, "--keep", "newest", "--date", "date")
    assert {"7-b", "3-spaced", "doc-11"} < set(kept(out))
    assert "4 documents have no date in the field 'date': they count as the oldest" in done.stderr


@pytest.mark.parametrize(
    ("values", "prefer", "stays"),
    [
        ([9, 10, 2.5, None], "n", 1),
        ([9, 10, -2.5, None], "n:least", 2),
        (["9", "10", "2"], "n", 1),
        (["2024-05-01", "2024-11-30", "2023-12-31"], "n", 1),
        (["b", "a", None], "n:least", 1),
        ([None, [1], {"a": 1}, True, "x"], "n", 4),
        ([2**60 + 1, 2**60 + 2, 2**60], "n", 1),  # as floats they are equal
        ([5, 5, 5], "n", 0),
    ],
)
def test_the_value_of_a_field_says_which_stays(
    values: list[Any], prefer: str, stays: int, tmp_path: Path
) -> None:
    documents = [
        {"id": str(number), "text": TEXT, **({} if value is None else {"n": value})}
        for number, value in enumerate(values)
    ]
    source = write(tmp_path / "in.jsonl", documents)
    done = run("dedup", source, "-o", tmp_path / "out.jsonl", "--prefer", prefer)
    assert done.returncode == 0, done.stderr
    assert kept(tmp_path / "out.jsonl") == [str(stays)]
    if all(isinstance(value, str | int | float | None) for value in values):
        assert pocketindex.dedup(documents, prefer=prefer).kept == [stays]
        assert pocketindex.dedup(str(source), prefer=prefer).kept == [stays]


def test_a_field_within_a_field_and_one_with_a_colon_are_preferred(tmp_path: Path) -> None:
    documents = [{"text": TEXT, "a": {"b": n}, "x:y": -n} for n in range(3)]
    source = write(tmp_path / "in.jsonl", documents)
    for prefer, stays in (("a.b", 2), ("x:y", 0), ("x:y:least", 2)):
        run("dedup", source, "-o", tmp_path / "out.jsonl", "--prefer", prefer)
        (line,) = (tmp_path / "out.jsonl").read_text().splitlines()
        assert json.loads(line) == documents[stays]


@pytest.mark.parametrize(
    "values",
    [
        [9, 10, 8],
        [0.5, 1e3, None],
        [datetime.date(2024, 9, 30), datetime.date(2024, 10, 1), None],
        [datetime.datetime(2024, 9, 30), datetime.datetime(2024, 10, 1), None],
        ["b", "c", "a"],
    ],
)
def test_columns_of_every_type_are_preferred(values: list[Any], tmp_path: Path) -> None:
    rows = [{"text": TEXT, "n": value} for value in values]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "in.parquet")
    done = run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "o.parquet", "--prefer", "n")
    assert done.returncode == 0, done.stderr
    (row,) = pyarrow.parquet.read_table(tmp_path / "o.parquet").to_pylist()
    assert row["n"] == values[1]


def test_a_field_that_no_record_has_is_refused(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [{"text": TEXT, "score": 1}, {"text": TEXT}])
    table = tmp_path / "in.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([{"text": TEXT, "score": 1}]), table)
    for given_source, name, message in (
        (source, "o.jsonl", "--prefer is 'scor', and no record has a value in that field; the "
         'fields are "text", "score"'),
        (table, "o.parquet", f'{table}: no field "scor" among "text", "score"; did you mean '
         "--prefer score?"),
    ):  # fmt: skip
        done = run("dedup", given_source, "-o", tmp_path / name, "--prefer", "scor")
        assert (done.returncode, (tmp_path / name).exists()) == (2, False)
        assert message in done.stderr
    with pytest.raises(OptionError, match="prefer is 'scor', and no record has a value"):
        pocketindex.dedup([{"text": TEXT, "score": 1}], prefer="scor")


def test_dates_that_no_record_has_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"id": "1", "text": "some words", "day": "2024-01-01"}\n')
    out = tmp_path / "out.jsonl"
    done = run("dedup", source, "-o", out, "--keep", "newest", "--date", "date")
    assert (done.returncode, out.exists()) == (2, False)
    assert 'no document has a date in the field "date"; name the field with --date' in done.stderr
    assert 'the fields are "id", "text", "day"' in done.stderr


def test_values_that_are_missing_or_mixed_are_said(tmp_path: Path) -> None:
    values: list[dict[str, Any]] = [{"n": 9}, {"n": "10"}, {"n": "none"}, {}]
    source = write(tmp_path / "in.jsonl", [{"text": TEXT, **value} for value in values])
    done = run("dedup", source, "-o", tmp_path / "out.jsonl", "--prefer", "n")
    assert (
        'the values of "n" are compared as strings, since some are numbers and some are not, as '
        '"none"'
    ) in done.stderr
    assert "1 document has no value in the field of --prefer 'n': they come last" in done.stderr


@given(st.lists(st.one_of(st.none(), st.integers(), st.floats(allow_nan=False, width=32))))
def test_numbers_are_preferred_as_python_orders_them(values: list[float | None]) -> None:
    known = [n for n, value in enumerate(values) if value is not None and abs(value) < 1e99]
    own = [values[n] for n in known]
    assert preferred(own) == sorted(range(len(own)), key=lambda n: -(own[n] or 0))


def test_the_order_does_not_depend_on_what_else_came_before() -> None:
    values = [random.Random(1).randrange(50) for _ in range(200)]
    order = preferred(values)
    mixed = random.Random(2).sample(range(200), 200)
    other = preferred([values[place] for place in mixed])
    assert [values[n] for n in order] == [values[mixed[n]] for n in other]


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("1970-01-02", 86_400.0),
        ("1970-01-01T00:00:10Z", 10.0),
        ("1970-01-01T01:00:00+01:00", 0.0),
        ("19700102", 86_400.0),
        ("1971", 31_536_000.0),
        (10, 10.0),
        ("12.5", 12.5),
        *(
            (no_date, float("-inf"))
            for no_date in ("yesterday", None, "", True, "nan", "1e999", "0000", "99999999")
        ),
    ],
)
def test_dates(date: object, expected: float) -> None:
    assert moment(date) == expected
