"""Tables of a few kilobytes whose rows share a text of megabytes: they are read a few rows at a
time.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.rows import parquet, sharing
from pocketindex.builder.inputs.rows.sharing import ROWS
from pocketindex.builder.inputs.source import unmeasured
from reading import read

SIZE, COUNT = 6_000_000, 400  # more than two gigabytes
MEMORY = 700_000_000  # bytes beside what the libraries have taken
READS = f"""
import resource, sys
import pyarrow.parquet, pyarrow.compute
from pocketindex.builder.inputs.rows import parquet
taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + {MEMORY},) * 2)
found = getattr(parquet, sys.argv[2])(sys.argv[1], print)
print(sum(len(one) if hasattr(one, "text_ends") else 1 for one in found))
"""


def shared(text: str, count: int, type: Any) -> Any:
    places = pyarrow.array([number % 2 for number in range(count)], pyarrow.int32())
    return pyarrow.DictionaryArray.from_arrays(places, pyarrow.array([text, f"a {text}"], type))


def table(texts: Any, name: str = "text") -> pyarrow.Table:
    return pyarrow.table({"id": [f"d{number}" for number in range(len(texts))], name: texts})


def as_parquet(path: Path, of: pyarrow.Table, **options: Any) -> None:
    pyarrow.parquet.write_table(of, path, compression="zstd", store_schema=False, **options)


def as_arrow(path: Path, of: pyarrow.Table) -> None:
    with pyarrow.ipc.new_file(path, of.schema) as out:
        out.write_table(of)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("how", ["documents", "batches"])
@pytest.mark.parametrize("write", [as_parquet, as_arrow])
def test_what_rows_share_is_not_in_memory_once_for_each(
    how: str, write: Callable[..., None], tmp_path: Path
) -> None:
    path = tmp_path / "t.parquet"
    write(path, table(shared("word " * (SIZE // 5), COUNT, pyarrow.string())))
    done = subprocess.run(
        [sys.executable, "-c", READS, str(path), how], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{COUNT}\n", "")


def views(text: str, count: int) -> Any:
    """An array of views of one text."""
    one = pyarrow.array([text], pyarrow.string_view())
    _, view, content = one.buffers()
    return pyarrow.Array.from_buffers(
        one.type, count, [None, pyarrow.py_buffer(view.to_pybytes() * count), content]
    )


TEXT = "some words " * 300
STRINGS = pyarrow.string()
WAYS: dict[str, Callable[[Path], None]] = {
    "parquet": lambda path: as_parquet(path, table(shared(TEXT, 50, STRINGS))),
    "large strings": lambda path: as_parquet(
        path, table(shared(TEXT, 50, pyarrow.large_string()).cast(pyarrow.large_string()))
    ),
    "what is like the text before": lambda path: as_parquet(
        path,
        table([TEXT] * 50),
        use_dictionary=False,
        column_encoding={"text": "DELTA_BYTE_ARRAY"},
    ),
    "a field within": lambda path: as_parquet(
        path, table(pyarrow.array([{"text": TEXT}] * 50), "doc")
    ),
    "arrow": lambda path: as_arrow(path, table(shared(TEXT, 50, STRINGS))),
    "binary": lambda path: as_arrow(path, table(shared(TEXT, 50, pyarrow.binary()))),
    "views": lambda path: as_arrow(path, table(views(TEXT, 50))),
}


@pytest.mark.parametrize("way", WAYS)
def test_few_rows_are_read_at_once_where_they_share_long_texts(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.parquet"
    WAYS[way](path)
    fields = Fields(text="doc.text" if way == "a field within" else None)

    def sizes() -> list[int]:
        rows = parquet._rows(pyarrow, str(path), unmeasured, fields)
        return [batch.num_rows for _, batch in rows]

    assert sizes() == [50]
    monkeypatch.setattr(sharing, "_BYTES", 4 * len(TEXT))
    assert max(sizes()) <= 4
    assert sum(sizes()) == 50
    documents, skips = read(path, fields=fields)
    assert {document.text[-len(TEXT) :] for document in documents} == {TEXT}
    assert (len(documents), skips) == (50, [])


def test_texts_of_their_own_are_read_many_at_once(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    as_parquet(path, table([f"{number} {TEXT}" for number in range(2 * ROWS)]))
    rows = parquet._rows(pyarrow, str(path), unmeasured, Fields())
    assert [batch.num_rows for _, batch in rows] == [ROWS, ROWS]


def test_rows_of_a_table_in_memory_share_texts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_BYTES", 4 * len(TEXT))
    (batch,) = table(shared(TEXT, 50, STRINGS)).to_batches()
    assert [some.num_rows for some in sharing.slices("a table", batch)] == [*[3] * 16, 2]
    (batch,) = table([TEXT] * 50).to_batches()
    assert [some.num_rows for some in sharing.slices("a table", batch)] == [50]
