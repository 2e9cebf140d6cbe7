"""dedup passes columns of all types of Arrow through, or says which one it cannot write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.ipc
import pytest
from made_up import made_up
from pocketindex.cli import main

ONE, OTHER = (made_up(2)[i]["text"] for i in (0, 1))
TEXTS = [ONE, ONE, OTHER]  # of which dedup keeps the first and the last one
Column = Any

COLUMNS: dict[str, Column] = {
    "views": pyarrow.array(["a", "b", None], pyarrow.string_view()),
    "bytes": pyarrow.array([b"a", b"b", b"more than twelve bytes"], pyarrow.binary_view()),
    "within": pyarrow.array([["a"], [], ["c", None]], pyarrow.list_(pyarrow.string_view())),
    "lists": pyarrow.array([[1], [2, 3], [4, 5]], pyarrow.list_view(pyarrow.int64())),
    "maps": pyarrow.array([[("k", 1)], None, []], pyarrow.map_(pyarrow.string(), pyarrow.int8())),
    "runs": pyarrow.RunEndEncodedArray.from_arrays([2, 3], ["x", "y"]),
    "union": pyarrow.UnionArray.from_dense(
        pyarrow.array([0, 1, 0], pyarrow.int8()),
        pyarrow.array([0, 0, 1], pyarrow.int32()),
        [pyarrow.array([1, 2]), pyarrow.array(["a"])],
    ),
    "months": pyarrow.array([(1, 2, 3), None, None], pyarrow.month_day_nano_interval()),
    "uuid": pyarrow.ExtensionArray.from_storage(
        pyarrow.uuid(), pyarrow.array([bytes(16)] * 3, pyarrow.binary(16))
    ),
}
NOT_JSON = {"runs", "union", "months"}


def dedup(folder: Path, columns: list[Column], names: list[str], output: str) -> int:
    table = pyarrow.Table.from_arrays([pyarrow.array(TEXTS), *columns], ["text", *names])
    with pyarrow.ipc.new_file(str(folder / "d.arrow"), table.schema) as out:
        out.write_table(table)
    return main(["dedup", str(folder / "d.arrow"), "-o", str(folder / output)])


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_arrow_stay(name: str, tmp_path: Path) -> None:
    column = COLUMNS[name]
    assert dedup(tmp_path, [column], [name], "o.arrow") == 0
    with pyarrow.ipc.open_file(str(tmp_path / "o.arrow")) as file:
        found = file.read_all()
    assert found.schema.field(name).type == column.type
    values = column.to_pylist()
    assert found[name].to_pylist() == [values[0], values[2]]


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_become_json_or_are_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = dedup(tmp_path, [COLUMNS[name]], [name], "o.jsonl")
    if name in NOT_JSON:
        assert code == 2
        message = f'd.arrow: the column "{name}" ({COLUMNS[name].type}'
        assert message[:40] in capsys.readouterr().err
        assert not (tmp_path / "o.jsonl").exists()
        return
    assert code == 0
    lines = [json.loads(line)[name] for line in (tmp_path / "o.jsonl").open()]
    values = COLUMNS[name].to_pylist()
    expected = {
        "bytes": ["YQ==", "bW9yZSB0aGFuIHR3ZWx2ZSBieXRlcw=="],
        "maps": [{"k": 1}, {}],
        "uuid": ["AAAAAAAAAAAAAAAAAAAAAA=="] * 2,
    }
    assert lines == expected.get(name, [values[0], values[2]])


def test_columns_of_one_name_stay_in_a_table_and_are_refused_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns, names = [pyarrow.array([1, 2, 3]), pyarrow.array([4, 5, 6])], ["x", "x"]
    assert dedup(tmp_path, columns, names, "o.arrow") == 0
    with pyarrow.ipc.open_file(str(tmp_path / "o.arrow")) as file:
        assert [one.to_pylist() for one in file.read_all().columns[1:]] == [[1, 3], [4, 6]]
    assert dedup(tmp_path, columns, names, "o.jsonl") == 2
    said = 'the column "x" (int64) cannot be written as JSON: another column has the same name'
    assert said in capsys.readouterr().err


def test_a_map_with_one_key_twice_is_refused_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = pyarrow.array([[("k", 1), ("k", 2)], [], []], COLUMNS["maps"].type)
    assert dedup(tmp_path, [twice], ["m"], "o.jsonl") == 2
    assert "a map has the same key twice" in capsys.readouterr().err
