"""Parquet is not read ahead: memory does not grow with a row group."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pyarrow
import pyarrow.parquet
from pocketindex.builder.inputs.rows.parquet import opened


class _Counted:
    """A file that knows the most bytes that were asked for at once."""

    closed = False

    def __init__(self, path: Path) -> None:
        self._file, self.most = path.open("rb"), 0

    def read(self, size: int = -1) -> bytes:
        self.most = max(self.most, size)
        return self._file.read(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def test_a_row_group_is_read_a_few_rows_at_a_time(tmp_path: Path) -> None:
    random = Random(1)
    texts = [random.randbytes(4_000).hex() for _ in range(2_000)]
    path = tmp_path / "in.parquet"
    table = pyarrow.table({"text": texts})
    # Pages, the least that can be read, get a megabyte.
    pyarrow.parquet.write_table(table, path, use_dictionary=False, write_batch_size=64)
    file: Any = _Counted(path)
    reader = opened(pyarrow, str(path), file)

    found = [text for batch, _ in reader.batches(["text"]) for text in batch["text"].to_pylist()]
    assert found == texts
    assert path.stat().st_size > 8_000_000
    assert file.most < 3_000_000
