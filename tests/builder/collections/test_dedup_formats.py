"""dedup from JSON Lines to tables and back, and the row groups that a table gets."""

from __future__ import annotations

import datetime
import gzip
import io
import json
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from near_duplicates import collection, write
from pocketindex.builder.collections.passing.rewritten import Rewritten
from pocketindex.builder.inputs.rows.arrow_codec import codec_of
from pocketindex.cli import main
from run_command import run

DOCUMENTS = collection()
TEXT = made_up(1)[0]["text"]


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def codec_of_table(path: Path) -> str:
    return str(pyarrow.parquet.read_metadata(path).row_group(0).column(0).compression)


@pytest.mark.parametrize("name", ["o.parquet", "o.arrow", "o.arrows"])
def test_lines_become_the_rows_that_they_would_be(name: str, tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [{**d, "date": str(d.get("date"))} for d in DOCUMENTS])
    assert run("dedup", source, "-o", tmp_path / "o.jsonl").returncode == 0
    done = run("dedup", source, "-o", tmp_path / name)
    assert done.returncode == 0, done.stderr
    if name == "o.parquet":
        table = pyarrow.parquet.read_table(tmp_path / name)
    elif name == "o.arrow":
        table = pyarrow.ipc.open_file(tmp_path / name).read_all()
    else:
        table = pyarrow.ipc.open_stream(tmp_path / name).read_all()
    expected = lines_of(tmp_path / "o.jsonl")
    assert table.schema.names == ["id", "title", "text", "date"]
    assert table.to_pylist() == [{"title": None, **one} for one in expected]


def test_fields_become_columns_of_their_types(tmp_path: Path) -> None:
    documents: list[dict[str, Any]] = [
        {"text": TEXT, "n": None, "x": 1, "tags": [], "in": {"b": 1}},
        {"text": "one of other words", "n": None, "x": 2.5, "tags": ["a", None], "ok": True},
        {"text": "two of other words", "x": 3, "in": {"a": [{"c": "d"}], "b": None}},
    ]
    source = write(tmp_path / "in.jsonl", documents)
    done = run("dedup", source, "-o", tmp_path / "o.parquet")
    assert done.returncode == 0, done.stderr
    schema = pyarrow.parquet.read_schema(tmp_path / "o.parquet")
    assert {field.name: str(field.type) for field in schema} == {
        "text": "string",
        "n": "null",
        "x": "double",
        "tags": "list<element: string>",
        "in": "struct<b: int64, a: list<element: struct<c: string>>>",
        "ok": "bool",
    }
    done = run("dedup", tmp_path / "o.parquet", "-o", tmp_path / "o.jsonl")
    assert done.returncode == 0, done.stderr
    assert lines_of(tmp_path / "o.jsonl") == [
        {"text": TEXT, "n": None, "x": 1.0, "tags": [], "in": {"b": 1, "a": None}, "ok": None},
        {"text": "one of other words", "n": None, "x": 2.5, "tags": ["a", None], "in": None,
         "ok": True},
        {"text": "two of other words", "n": None, "x": 3.0, "tags": None,
         "in": {"b": None, "a": [{"c": "d"}]}, "ok": None},
    ]  # fmt: skip


def test_what_json_has_no_type_for_becomes_a_string(tmp_path: Path) -> None:
    zone = datetime.timezone(datetime.timedelta(hours=1))
    moment = datetime.datetime(2024, 5, 1, 12, 30, 15, 250_000)
    columns = {
        "text": pyarrow.array([TEXT.encode()], pyarrow.binary()),
        "day": pyarrow.array([moment.date()]),
        "at": pyarrow.array([moment], pyarrow.timestamp("ms")),
        "ns": pyarrow.array([1], pyarrow.timestamp("ns")),
        "utc": pyarrow.array([moment.replace(tzinfo=zone)], pyarrow.timestamp("s", "UTC")),
        "time": pyarrow.array([moment.time()], pyarrow.time64("us")),
        "took": pyarrow.array([1500], pyarrow.duration("ms")),
        "price": pyarrow.array([Decimal("12.50")], pyarrow.decimal128(20, 2)),
        "raw": pyarrow.array([b"\xff\x00"], pyarrow.binary()),
        "kind": pyarrow.array(["a"]).dictionary_encode(),
        "by": pyarrow.array([[("a", 1)]], pyarrow.map_(pyarrow.string(), pyarrow.int32())),
        "days": pyarrow.array([[{"d": moment.date(), "x": float("nan")}]]),
        "big": pyarrow.array([2**64 - 1], pyarrow.uint64()),
        "far": pyarrow.array([float("inf")]),
        "large": pyarrow.array([["é"]], pyarrow.large_list(pyarrow.large_string())),
    }
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "in.parquet")
    done = run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "o.jsonl")
    assert done.returncode == 0, done.stderr
    assert lines_of(tmp_path / "o.jsonl") == [
        {
            "text": TEXT,
            "day": "2024-05-01",
            "at": "2024-05-01 12:30:15.250",
            "ns": "1970-01-01 00:00:00.000000001",
            "utc": "2024-05-01 11:30:15.000Z",
            "time": "12:30:15.250000",
            "took": 1500,
            "price": "12.50",
            "raw": "/wA=",
            "kind": "a",
            "by": {"a": 1},
            "days": [{"d": "2024-05-01", "x": None}],
            "big": 2**64 - 1,
            "far": None,
            "large": ["é"],
        }
    ]
    said = "2 numbers became null, as JSON has no word for what is infinite or no number"
    assert f"{tmp_path / 'in.parquet'}: {said}" in done.stderr


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"x": "1"}, 'the field "x" is a string here and a number before'),
        ({"x": [1]}, 'the field "x" is a list here and a number before'),
        ({"y": {"a": [True, 1]}}, 'the field "y.a[]" is a number here and true or false before'),
        ({"x": 2**63}, 'the number in "x" has more than 64 bits'),
    ],
)
def test_values_of_two_types_are_refused_with_their_line(
    second: dict[str, Any], message: str, tmp_path: Path
) -> None:
    source = write(tmp_path / "in.jsonl", [{"text": TEXT, "x": 1}, {"text": "b", **second}])
    done = run("dedup", source, "-o", tmp_path / "o.parquet")
    assert (done.returncode, (tmp_path / "o.parquet").exists()) == (2, False)
    assert done.stderr.startswith(f"pocketindex: {source}: line 2: {message}")
    assert "give the output a name that ends in .jsonl" in done.stderr.replace("\n ", "")
    assert run("dedup", source, "-o", tmp_path / "o.jsonl").returncode == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("o.parquet.zst", "the output is plain JSON Lines, and the name is that of a file of the"),
        ("o.csv", "the output is plain JSON Lines, and the name is that of a file of the format"),
    ],
)
def test_names_of_no_format_are_refused(name: str, message: str, tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", DOCUMENTS[:3])
    done = run("dedup", source, "-o", tmp_path / name)
    assert (done.returncode, (tmp_path / name).exists()) == (2, False)
    assert message in done.stderr


def test_an_object_that_is_always_empty_fits_no_parquet(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [{"text": TEXT, "x": {}}])
    done = run("dedup", source, "-o", tmp_path / "o.parquet")
    assert (done.returncode, (tmp_path / "o.parquet").exists()) == (2, False)
    assert "cannot have its columns" in done.stderr


def test_codecs_go_along(tmp_path: Path) -> None:
    content = write(tmp_path / "a.jsonl", DOCUMENTS).read_bytes()
    content = content.replace(b"1800000000", b'"2027"')
    (tmp_path / "a.jsonl").write_bytes(content)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(content))
    (tmp_path / "a.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(content))
    for name, codec in (("a.jsonl", "SNAPPY"), ("a.jsonl.gz", "GZIP"), ("a.jsonl.zst", "ZSTD")):
        done = run("dedup", tmp_path / name, "-o", tmp_path / "o.parquet")
        assert done.returncode == 0, done.stderr
        assert codec_of_table(tmp_path / "o.parquet") == codec
    back = run("dedup", tmp_path / "o.parquet", "-o", tmp_path / "o.jsonl.zst")
    assert back.returncode == 0, back.stderr
    unpack = zstandard.ZstdDecompressor().decompressobj().decompress
    rows = list(map(json.loads, unpack((tmp_path / "o.jsonl.zst").read_bytes()).splitlines()))
    assert rows == pyarrow.parquet.read_table(tmp_path / "o.parquet").to_pylist()


def test_tables_and_lines_become_one_file_of_lines(tmp_path: Path) -> None:
    source = write(tmp_path / "a.jsonl", DOCUMENTS[:40])
    rows = [{"id": one["id"], "text": one["text"]} for one in DOCUMENTS[40:]]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "b.parquet")
    done = run("dedup", source, tmp_path / "b.parquet", "-o", tmp_path / "o.jsonl")
    assert "67 read, 62 kept" in done.stderr
    assert [one["id"] for one in lines_of(tmp_path / "o.jsonl")] == [
        *(f"doc-{i}" for i in range(60)),
        "short",
        "short-too",
    ]


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=2)
    ),
    max_leaves=5,
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from("xyz"), _VALUES, max_size=3), min_size=1))
def test_lines_that_become_rows_become_the_same_lines(given_fields: list[dict[str, Any]]) -> None:
    """Whatever is in them: what a line lacks is null then, and nothing else is added or lost."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        documents = [{"text": f"t{i}", **fields} for i, fields in enumerate(given_fields)]
        source = folder / "in.jsonl"
        source.write_text("".join(json.dumps(one) + "\n" for one in documents))
        table, back = folder / "o.arrow", folder / "o.jsonl"
        if main(["dedup", str(source), "-o", str(table), "--progress", "none"]) == 2:
            assert not table.exists()
            return
        assert main(["dedup", str(table), "-o", str(back), "--progress", "none"]) == 0
        assert without_nulls(lines_of(back)) == without_nulls(_scrubbed(documents))


def without_nulls(value: Any) -> Any:
    """A value without the fields that are null, as a column gives them to all rows."""
    if isinstance(value, list):
        return list(map(without_nulls, value))
    if isinstance(value, dict):
        return {name: without_nulls(one) for name, one in value.items() if one is not None}
    return value


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode() if value.isascii() else "".join(
            "\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value
        )  # fmt: skip
    if isinstance(value, list):
        return list(map(_scrubbed, value))
    return {n: _scrubbed(v) for n, v in value.items()} if isinstance(value, dict) else value


def test_row_groups_have_the_rows_of_those_of_the_source(tmp_path: Path) -> None:
    rows = [{"id": str(i), "text": f"text {i} of other words"} for i in range(1_000)]
    rows += rows[:100]
    table = pyarrow.Table.from_pylist(rows)
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet", row_group_size=300)
    done = run("dedup", tmp_path / "in.parquet", "-o", tmp_path / "o.parquet")
    assert "1,100 read, 1,000 kept" in done.stderr
    made = pyarrow.parquet.read_metadata(tmp_path / "o.parquet")
    assert [made.row_group(n).num_rows for n in range(made.num_row_groups)] == [300, 300, 300, 100]
    assert pyarrow.parquet.read_table(tmp_path / "o.parquet").to_pylist() == rows[:1_000]


def test_row_groups_that_memory_cannot_hold_are_split_and_said(tmp_path: Path) -> None:
    batch = pyarrow.RecordBatch.from_pylist([{"text": "x" * 1_000}] * 100)
    with (
        (tmp_path / "o.parquet").open("wb") as out,
        Rewritten(out, "o.parquet", "parquet", 8 * 250_000) as table,
    ):
        table.begin("in.parquet", batch.schema, {"parquet": "zstd"}, 1_000)
        for _ in range(10):
            table.add(batch)
    made = pyarrow.parquet.read_metadata(tmp_path / "o.parquet")
    assert [made.row_group(n).num_rows for n in range(made.num_row_groups)] == [300, 300, 300, 100]
    assert table.notes == [
        "o.parquet: row groups have fewer rows than the 1,000 of the source, to stay within "
        "max_memory"
    ]


@pytest.mark.parametrize("name", ["out.jsonl.lz4", "out.jsonl.br", "out.lzma"])
def test_a_packing_that_is_not_written_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"id": "1", "text": "some words of a document"}\n')
    done = run("dedup", source, "-o", tmp_path / name)
    assert (done.returncode, (tmp_path / name).exists()) == (2, False)
    assert f"the name is that of a file of another kind ({Path(name).suffix})" in done.stderr


@pytest.mark.parametrize("from_stdin", [False, True])
def test_lines_of_another_encoding_are_read_as_it_is_named_and_written_in_utf_8(
    from_stdin: bool, tmp_path: Path
) -> None:
    line = '{"id": "1", "text": "Müller ist größer als Łukasz"}\n'
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(line.encode("iso8859-2"))
    given = ("-", source.read_bytes()) if from_stdin else (source, b"")
    done = run("dedup", given[0], "-o", out, "--encoding", "iso8859-2", stdin=given[1])
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == line.encode()
    out.unlink()
    done = run(
        "check", source, "--encoding", "iso8859-2", "--clean", source, "-o", out,
        "--source-encoding", "iso8859-2", "--mark", "items",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert '"items": ["1"]' in out.read_text()


@pytest.mark.parametrize("command", ["dedup", "pairs", "profile", "check"])
def test_strict_stops_at_the_first_bad_line(command: str, tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    source.write_text('{"id": "1", "text": "some words of a document"}\n{"id": "2"}\nno\n')
    more = {
        "dedup": (source, "-o", out.with_suffix(".jsonl")),
        "pairs": (source, "-o", out.with_suffix(".jsonl")),
        "profile": (source, "-o", out.with_suffix(".profile")),
        "check": (source, "--clean", source, "-o", out.with_suffix(".jsonl")),
    }[command]
    done = run(command, *more, "--strict")
    assert done.returncode == 2
    assert f'{source}:2: no text: no field "text"' in done.stderr
    assert "; correct it, or run without strict" in done.stderr
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("end", ["", ".gz", ".bz2", ".xz", ".zst"])
def test_an_output_is_replaced_by_the_same_command(end: str, tmp_path: Path) -> None:
    def written(name: str, *options: str) -> int:
        code = main(["dedup", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / name), *options])
        assert code in (0, 2)
        return code

    named = [{"id": "1", "title": "a title and no text"}, {"id": "2", "text": TEXT}]
    write(tmp_path / "in.jsonl", named)
    assert [written(f"out.jsonl{end}") for _ in range(2)] == [0, 0]
    own = str(write(tmp_path / "in.jsonl", named[1:]))
    assert [written(f"none.jsonl{end}", "--against", own) for _ in range(2)] == [0, 0]
    write(tmp_path / "in.jsonl", [{"id": "1", "doc": {"body": TEXT}}])
    text = ("--text", "doc.body")
    assert [written(f"nested.jsonl{end}", *text) for _ in range(2)] == [0, 0]
    assert [written("nested.parquet", *text) for _ in range(2)] == [0, 0]
    before = (tmp_path / f"out.jsonl{end}").read_bytes()
    assert written(f"out.jsonl{end}", *text) == 2  # it has other documents
    assert (tmp_path / f"out.jsonl{end}").read_bytes() == before


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
@pytest.mark.parametrize("name", ["in.arrow", "in.arrows"])
def test_arrow_keeps_its_codec(name: str, codec: str | None, tmp_path: Path) -> None:
    rows = [{"id": str(i), "text": f"{i} {TEXT}", "kind": "ab"[i % 2]} for i in range(50)]
    table = pyarrow.Table.from_pylist(rows)
    table = table.set_column(2, "kind", table["kind"].dictionary_encode())
    made = pyarrow.ipc.new_file if name == "in.arrow" else pyarrow.ipc.new_stream
    options = pyarrow.ipc.IpcWriteOptions(compression=codec)
    with made(tmp_path / name, table.schema, options=options) as out:
        out.write_table(table)
    for output in ("out.arrow", "out.arrows", "out.parquet"):
        assert main(["dedup", str(tmp_path / name), "-o", str(tmp_path / output)]) == 0
    for output, start in ("out.arrow", 8), ("out.arrows", 0):
        with (tmp_path / output).open("rb") as file:
            assert codec_of(file, start) == codec
    assert codec_of_table(tmp_path / "out.parquet") == (codec or "snappy").upper()


@given(st.data())
def test_the_codec_of_a_damaged_file_is_no_error(data: st.DataObject) -> None:
    table, out = pyarrow.table({"text": [TEXT] * 9}), io.BytesIO()
    options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
    with pyarrow.ipc.new_stream(out, table.schema, options=options) as writer:
        writer.write_table(table)
    whole = bytearray(out.getvalue())
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=4)):
        whole[place] = data.draw(st.integers(0, 255))
    cut = whole[: data.draw(st.integers(0, len(whole)))]
    assert codec_of(io.BytesIO(cut), 0) in (None, "lz4", "zstd")
