"""A value of another type than a function takes is an error that names the argument."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pocketindex
import pocketindex.builder
import pytest

# As what has no types calls them.
ours: Any = pocketindex
builder: Any = pocketindex.builder

TEXTS = ["a text of some other words"]
PATH = "it must be a path: a str or an os.PathLike"
FILE = "it must be a path, bytes, a binary file object or an address"
WHOLE = "it must be a whole number"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: ours.open(None), f"file is None; {FILE}"),
        (lambda _: ours.open_many(None), "files is None; it must be a file, or a list of them"),
        (lambda _: ours.open_many([5]), f"file is 5; {FILE}"),
        (
            lambda _: ours.JointIndex.of([1]),
            "one of indexes is 1; it must be an open file; open_many",
        ),
        (lambda _: ours.JointIndex.of(None), "indexes is None; it must be a list of open files"),
        (lambda index: list(index.query_many(5)), "texts is 5; it must be an iterable of texts"),
        (lambda index: index.titles("a", "3"), f"top is '3'; {WHOLE}"),
        (lambda index: index.search("a", None), f"top is None; {WHOLE}"),
        (lambda index: index.sources("a", "3"), f"top is '3'; {WHOLE}"),
        (lambda index: index.explain("a", b"doc-1"), "expected the number of a document, a record"),
        (
            lambda index: ours.JointIndex.of([index]).explain("a", index.record(0)),
            "hit is Record(number=0, id='doc-0'",
        ),
        (lambda _: ours.build(TEXTS, None), f"path is None; {PATH}"),
        (lambda _: ours.build(TEXTS, "x", skipped=5), f"skipped is 5; {PATH}"),
        (lambda _: ours.build(TEXTS, "x", threads="2"), f"threads is '2'; {WHOLE} or None"),
        (lambda _: ours.build(TEXTS, "x", threads=2.5), f"threads is 2.5; {WHOLE} or None"),
        (lambda _: ours.build(TEXTS, "x", max_memory="1G"), f"max_memory is '1G'; {WHOLE}"),
        (lambda _: ours.build(TEXTS, "x", tables="2"), f"tables is '2'; {WHOLE} or None"),
        (lambda _: ours.build(TEXTS, "x", index=5), "index is 5; it must be a list of str"),
        (lambda _: ours.build(TEXTS, "x", index=[None]), "one of index is None; it must be"),
        (lambda _: ours.build(TEXTS, "x", scheme=[]), "scheme is []; it must be a string"),
        (
            lambda _: ours.build(TEXTS, "x", url_template=Path("{id}")),
            "it must be a string",
        ),
        (lambda _: ours.build(TEXTS, "x", text=5), "text is 5; it must be a string or None"),
        (lambda _: ours.build(TEXTS, "x", profile=None), f"profile is None; {PATH}"),
        (lambda _: ours.pairs(TEXTS, probes="x"), f"probes is 'x'; {WHOLE}"),
        (
            lambda _: ours.dedup(TEXTS, min_similarity="x"),
            "min_similarity is 'x'; it must be a number",
        ),
        (lambda index: ours.check(index, TEXTS, window="x"), f"window is 'x'; {WHOLE}"),
        (
            lambda index: ours.check(index, TEXTS, min_similarity=None),
            "min_similarity is None; it must be a number",
        ),
        (lambda _: ours.update(None, TEXTS), f"path is None; {PATH}"),
        (lambda _: ours.update("x", TEXTS, 5), "remove is 5; it must be a list of ids"),
        (lambda _: ours.merge("x", "y"), "paths is 'x'; it must be a list of paths"),
        (lambda _: ours.merge(["x"], None), f"output is None; {PATH}"),
        (lambda _: list(ours.diff(None, "x")), f"old is None; {PATH}"),
        (lambda _: ours.Document("a", None, "x"), "title is None; it must be a string"),
        (lambda _: ours.Document("a", "t", "x", labels="ab"), "labels is 'ab'; it must be a tuple"),
        (lambda _: builder.build(None, "x"), "sources is None; it must be the path of a source"),
        (lambda _: builder.build(["x"], None), f"target is None; {PATH}"),
        (lambda _: builder.build(["x"], "y", None), "settings is None; it must be Settings"),
        (lambda _: builder.Settings(keys_per_part="5"), f"keys_per_part is '5'; {WHOLE}"),
    ],
)
def test_the_argument_is_named(call: Callable[[Any], Any], message: str, pocket: Path) -> None:
    with ours.open(pocket) as index, pytest.raises(TypeError) as raised:
        call(index)
    assert message in str(raised.value)


def test_no_file_is_no_index() -> None:
    with pytest.raises(ValueError, match="no open file is given"):
        ours.JointIndex.of([])


def test_terms_are_weighed_in_a_document_at_least() -> None:
    with pytest.raises(ValueError, match="sample is 0; it must be at least 1"):
        builder.Settings(sample=0)
