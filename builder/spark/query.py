"""Ask pocket files with the rows of a DataFrame."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pocketindex.joint_index import JointIndex
from pocketindex.queries.options import QueryOptions
from pocketindex.spark.frames import check_frame
from pocketindex.spark.stages import arrow_batch, schema_of

if TYPE_CHECKING:
    from pocketindex.queries.options import Choices
    from typing_extensions import Unpack

_HITS = {
    "id": "string",
    "rank": "int",
    "hit": "string",
    "title": "string",
    "url": "string",
    "similarity": "double",
    "file": "string",
}


def query(
    frame: Any,
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    id: str = "id",
    text: str = "text",
    allow_missing: bool = False,
    **choices: Unpack[Choices],
) -> Any:
    """Return the documents of pocket files that are most similar to each text, best first: a
    DataFrame with id (of the row), rank (from 1), hit (the id of the document), title, url,
    similarity (0..1) and file (its name).

    frame: a DataFrame; id, text: the names of its columns. files: a pocket file, several, or a
    manifest of shards or its folder, which every executor finds at this path. allow_missing: go
    without shards that are not there. choices: the fields of QueryOptions, as top.

    A text that is too short, or has no hit, has no row. Nothing is shuffled: a task opens the files
    and asks them all. Raises ValueError, and what [open_many][pocketindex.open_many] does, for the
    files are opened here first.

    >>> import pocketindex.spark
    >>> hits = pocketindex.spark.query(frame, "shards/manifest.json", top=3)  # doctest: +SKIP
    """
    check_frame(frame)
    options = QueryOptions.of(None, choices)
    given = [files] if isinstance(files, str | os.PathLike) else files
    paths = [os.path.abspath(os.fspath(path)) for path in given]
    JointIndex(paths, allow_missing=allow_missing).close()
    for name in (id, text):
        if name not in frame.columns:
            raise ValueError(f"the DataFrame has no column {name!r}; it has {frame.columns}")
    rows = frame.select(frame[id].cast("string"), frame[text].cast("string"))
    return rows.mapInArrow(partial(_ask, paths, allow_missing, options), schema_of(_HITS))


def _ask(
    paths: list[str], allow_missing: bool, options: QueryOptions, batches: Iterable[Any]
) -> Iterator[Any]:
    with JointIndex(paths, allow_missing=allow_missing) as indexes:
        for batch in batches:
            ids, texts = (column.to_pylist() for column in batch.columns)
            answers = indexes.query_many([text or "" for text in texts], options)
            hits = (
                (id, rank, hit.id, hit.title, hit.url, hit.similarity, os.path.basename(hit.file))
                for id, found in zip(ids, answers, strict=True)
                for rank, hit in enumerate(found, 1)
            )
            yield arrow_batch(hits, _HITS)
