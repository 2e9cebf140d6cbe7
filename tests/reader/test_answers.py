"""Every answer of a public function, in the libraries that programs hand it to."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import pickle
import typing
from collections.abc import Iterator
from dataclasses import asdict, fields, is_dataclass, replace
from pathlib import Path
from types import FunctionType
from typing import Any

import pocketindex
import pyarrow
import pytest
from made_up import made_up
from pocketindex.answers.results import Result, Results

DOCUMENTS = [
    {**one, "topic": f"topic {number % 3}", "url": f"https://example.org/{number}?a=<b>"}
    for number, one in enumerate(made_up(40))
]
TEXT = DOCUMENTS[3]["text"]
COPIES = [*DOCUMENTS[:6], {**DOCUMENTS[3], "id": "copy"}, {"id": "no text"}]
BUILT: dict[str, Any] = {
    "keep": "text",
    "index": ("documents", "passages", "words"),
    "titles": True,
    "progress": False,
}


def answers(folder: Path) -> Iterator[tuple[str, Any]]:
    """Yield each public answer with a name. None is empty."""
    path, other = folder / "a.pocket", folder / "b.pocket"
    yield "Report", pocketindex.build([*DOCUMENTS, {"id": 1}], path, label="topic", **BUILT)
    pocketindex.build(DOCUMENTS[:20], other, label="topic", **BUILT)
    changed = {**DOCUMENTS[0], "text": "wholly different words", "topic": "topic 0"}
    updated = pocketindex.update(
        other, [changed, {"id": "none"}], [DOCUMENTS[1]["id"]], label="topic", progress=False
    )
    yield "updated", updated
    yield "Differences", pocketindex.diff(path, other)
    with pocketindex.open(path) as index, pocketindex.open_many([path, other]) as files:
        yield "Hits", index.query(TEXT)
        yield "Hits, exact", index.query(TEXT, exact=True, min_similarity=0)
        yield "Hits, like", index.like(3, min_similarity=0)
        yield "FileHits", files.query(TEXT)
        yield "WordHits", index.search(" ".join(TEXT.split()[:3]))
        yield "WordHits, grouped", index.search(TEXT.split()[5], group=True)
        yield "WordHits, files", files.search(" ".join(TEXT.split()[:3]))
        yield "Sources", index.sources(TEXT)
        yield "Sources, files", files.sources(TEXT + DOCUMENTS[30]["text"])
        for way in ("words", "texts", "sketches"):
            yield f"Classification by {way}", index.classify(TEXT, by=way)
        yield "Classification, files", files.classify(TEXT, by="texts")
        yield "Explanation", index.explain(TEXT, 3)
        yield "Records", index.titles("")
        yield "Info", index.info()
        yield "Hit", index.query(TEXT)[0]
        yield "Record", index.record(3)
    yield "Pairs", pocketindex.pairs(COPIES)
    yield "Pairs of records", pocketindex.pairs(COPIES, measure="records")
    yield "Deduplicated", pocketindex.dedup(COPIES)
    yield "Findings", pocketindex.check(path, COPIES, each_other=True)
    found = pocketindex.check(None, [*COPIES, {"id": "short", "text": "a word"}], clean=DOCUMENTS)
    yield "Findings of clean", found
    yield "Cleaned", found.cleaned
    site, page = folder / "site", "<html><title>{0}</title><main>{0}</main></html>"
    site.mkdir()
    for number, one in enumerate(DOCUMENTS[:5]):
        (site / f"{number}.html").write_text(page.format(one["text"]), encoding="utf-8")
    (site / "404.html").write_text(page.format("nothing"), encoding="utf-8")
    yield "SiteReport", pocketindex.site(site)


NAMES = [
    "Report", "updated", "Differences", "Hits", "Hits, exact", "Hits, like", "FileHits", "WordHits",
    "WordHits, grouped", "WordHits, files", "Sources", "Sources, files", "Classification by words",
    "Classification by texts", "Classification by sketches", "Classification, files",
    "Explanation", "Records", "Info", "Hit", "Record", "Pairs", "Pairs of records", "Deduplicated",
    "Findings", "Findings of clean", "Cleaned",
    "SiteReport",
]  # fmt: skip


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("answers")
    return dict(answers(folder))


@pytest.fixture(params=NAMES)
def answer(request: pytest.FixtureRequest, every: dict[str, Any]) -> Any:
    return every[request.param]


def library(name: str) -> Any:
    if importlib.util.find_spec(name) is None:
        if "POCKETINDEX_RECIPES" in os.environ:  # make test-recipes has installed it
            pytest.fail(f"not installed: {name}")
        pytest.skip(f"needs {name}")
    return importlib.import_module(name)


def has_items(answer: Any) -> bool:
    return isinstance(answer, Results)


def rows_of(answer: Any) -> list[Any]:
    return list(answer) if has_items(answer) else [answer]


def parts_of(answer: Any) -> Iterator[Any]:
    """Yield the dataclasses of an answer: itself, its rows, and what these consist of."""
    if is_dataclass(answer):
        yield answer
        for field in fields(answer):
            yield from parts_of(getattr(answer, field.name))
    elif isinstance(answer, tuple | list):
        for one in answer:
            yield from parts_of(one)


def test_all_answers_are_here(every: dict[str, Any]) -> None:
    assert list(every) == NAMES


def test_an_answer_is_a_frozen_dataclass_that_has_its_items_in_a_tuple(answer: Any) -> None:
    assert Result in type(answer).__mro__
    name = fields(answer)[0].name
    with pytest.raises(AttributeError):
        setattr(answer, name, ())
    if has_items(answer):
        items = getattr(answer, name)
        assert isinstance(items, tuple)
        assert list(answer) == list(items)
        assert len(answer) == len(items) > 0
        assert answer
        assert answer[0] == items[0]
        assert answer[:2] == items[:2]
        assert answer[-1] in answer
        assert not replace(answer, **{name: ()})
        assert replace(answer, **{name: ()}) != answer


def test_asdict_has_every_field(answer: Any) -> None:
    plain = asdict(answer)

    assert list(plain) == [field.name for field in fields(answer)]
    assert answer.to_dicts() == [asdict(row) for row in rows_of(answer)]


def test_json_keeps_every_field(answer: Any) -> None:
    plain = asdict(answer)

    assert list(json.loads(json.dumps(plain))) == list(plain)
    assert len(json.loads(json.dumps(answer.to_dicts()))) == len(rows_of(answer))


def test_pickled_it_is_equal(answer: Any) -> None:
    again = pickle.loads(pickle.dumps(answer))

    assert again == answer
    assert repr(again) == repr(answer)
    assert asdict(again) == asdict(answer)


def test_it_is_a_short_line(answer: Any) -> None:
    for one in parts_of(answer):
        assert len(repr(one)) < 200, repr(one)
        assert len(repr(one).splitlines()) == 1
        assert type(one).__name__ in repr(one)


def test_a_long_value_stays_a_short_line() -> None:
    record = pocketindex.Record(1, "\n" * 10_000, "title" * 10_000, "\x1b[31m" * 10_000)
    pairs = pocketindex.Pairs((), pocketindex.Report(notes=("a\n" * 9_999,)), 0, "said " * 9_999)

    for one in (record, pairs):
        assert len(repr(one)) < 200
        assert len(repr(one).splitlines()) == 1


def test_in_a_notebook_it_is_a_table(answer: Any) -> None:
    shown = answer._repr_html_()

    assert shown.count("<tr>") == 1 + min(10, len(rows_of(answer)))
    assert "<b>" not in shown


def test_a_table_of_arrow(answer: Any) -> None:
    table = answer.to_arrow()

    assert isinstance(table, pyarrow.Table)
    assert table.num_rows == len(rows_of(answer))
    assert table.column_names == [field.name for field in fields(rows_of(answer)[0])]
    assert pyarrow.table(answer) == table
    if has_items(answer):  # the types are known without a row
        empty = replace(answer, **{fields(answer)[0].name: ()})
        assert empty.to_arrow().num_rows == 0
        if not isinstance(answer, pocketindex.Classification):
            assert empty.to_arrow().schema == table.schema


def test_a_table_has_what_the_rows_have(answer: Any) -> None:
    plain, rows = answer.to_arrow().to_pylist(), json.loads(json.dumps(answer.to_dicts()))

    for own, row in zip(plain, rows, strict=True):
        for name, value in row.items():
            if isinstance(value, str | int | float | bool | None):
                assert own[name] == value


def test_a_frame_of_pandas(answer: Any) -> None:
    pandas = library("pandas")
    frame = answer.to_pandas()

    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == answer.to_arrow().column_names
    assert len(frame) == len(rows_of(answer))


def test_a_frame_of_polars(answer: Any) -> None:
    polars = library("polars")

    for frame in (polars.DataFrame(answer.to_arrow()), polars.from_arrow(answer.to_arrow())):
        assert frame.height == len(rows_of(answer))
    if has_items(answer):
        frame = polars.DataFrame(answer)
        assert frame.height == len(answer)
        assert frame.columns == answer.to_arrow().column_names


def test_a_table_of_duckdb(answer: Any) -> None:
    duckdb = library("duckdb")
    with duckdb.connect() as connection:
        found = connection.sql("select * from answer").fetchall()

    assert len(found) == len(rows_of(answer))


def test_an_endpoint_of_fastapi_answers_with_every_field(answer: Any) -> None:
    fastapi = library("fastapi")
    library("httpx")
    client = importlib.import_module("fastapi.testclient").TestClient
    application = fastapi.FastAPI()
    application.get("/typed", response_model=type(answer))(lambda: answer)
    application.get("/plain")(lambda: answer)
    expected = json.loads(json.dumps(asdict(answer)))

    for way in ("/typed", "/plain"):
        response = client(application).get(way)
        assert response.status_code == 200
        assert response.json() == expected


def test_pydantic_validates_what_it_has_written(answer: Any) -> None:
    adapter = library("pydantic").TypeAdapter(type(answer))

    assert adapter.validate_json(adapter.dump_json(answer)) == answer


def test_what_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, every: dict[str, Any]
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("pocketindex.answers.results.importlib.import_module", missing)
    for name, extra, way in (
        ("pyarrow", "parquet", "to_arrow"),
        ("pyarrow", "parquet", "__arrow_c_stream__"),
        ("pandas", "pandas", "to_pandas"),
    ):
        with pytest.raises(ImportError) as error:
            getattr(every["Hits"], way)()
        shown = "to_pandas" if way == "to_pandas" else "to_arrow"
        assert str(error.value) == (
            f"Hits.{shown} needs {name}, which is not installed: pip install 'pocketindex[{extra}]'"
        )


def reached(hint: Any) -> Iterator[type]:
    """Yield the classes of the project that an annotation names."""
    for inner in typing.get_args(hint):
        yield from reached(inner)
    if isinstance(hint, type) and hint.__module__.startswith("pocketindex"):
        yield hint


def test_every_class_of_an_answer_is_a_name_of_the_package(every: dict[str, Any]) -> None:
    public = {getattr(pocketindex, name) for name in pocketindex.__all__}
    waiting, seen = {type(answer) for answer in every.values()}, set[type]()
    while waiting:
        kind = waiting.pop()
        seen.add(kind)
        hints = typing.get_type_hints(kind) if is_dataclass(kind) else {}
        waiting |= {one for hint in hints.values() for one in reached(hint)} - seen

    assert len(seen) > 25
    assert seen <= public


def returned(call: FunctionType) -> Any:
    """Return the type that a function returns; its module may not have loaded the public name."""
    hint = call.__annotations__["return"]
    public = {name: getattr(pocketindex, name) for name in pocketindex.__all__}
    return eval(hint, {**public, **call.__globals__}) if isinstance(hint, str) else hint


def test_what_any_function_gives_is_among_these_answers(every: dict[str, Any]) -> None:
    given = (pocketindex.Index, pocketindex.JointIndex)
    calls = [getattr(pocketindex, name) for name in pocketindex.__all__]
    calls += [call for kind in given for name, call in vars(kind).items() if name[0] != "_"]
    found = {
        kind for call in calls if isinstance(call, FunctionType) for kind in reached(returned(call))
    } - set(given)
    arrays = {pocketindex.Numbers, pocketindex.FileNumbers}

    assert len(found) > 10
    assert found - arrays == {type(answer) for answer in every.values()} & found


def test_what_the_builder_gives_is_a_name_of_the_package() -> None:
    from pocketindex import builder

    functions = {
        name for name in builder.__all__ if isinstance(getattr(builder, name), FunctionType)
    }
    assert functions == {"build"}  # the package has its own, for documents
    for name in set(builder.__all__) - functions:
        assert getattr(pocketindex, name) is getattr(builder, name)
