"""Lines that the core reads many at a time give what they give one by one, and so do those that it
leaves to Python.
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from compiled import CORE, HARNESSES, core_file
from core_sources import SANITIZE, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from pocketindex.builder import inputs
from pocketindex.builder.document import Notice, Skip
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.rows import jsonl, jsonl_batches
from pocketindex.builder.inputs.source import Place, SourceError, unmeasured
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from pocketindex.builder.spill.threads import Threads
from reading import as_bytes, opened

Seen = list[Any]


def one_by_one(path: Path, fields: Fields = OWN_NAMES, place: Place | None = None) -> Seen:
    seen: Seen = []
    place = place or Place()
    seen += [
        as_bytes(document)
        for document in jsonl.documents(str(path), seen.append, unmeasured, fields, place)
    ]
    return [*seen, place]


def many(
    path: Path, fields: Fields = OWN_NAMES, place: Place | None = None, threads: int = 1
) -> tuple[Seen, int]:
    """The same, and how many of the documents the core has read."""
    seen = list[Any]()
    skips = list[Skip | Notice]()
    plain = 0
    place = place or Place()
    with Threads(threads) as pool:
        for some in jsonl_batches.batches(
            str(path), skips.append, unmeasured, fields, place, pool.map
        ):
            if isinstance(some, DocumentBatch):
                seen += opened(some)
                plain += len(some)
            else:
                seen.append(as_bytes(some))
    return [*skips, *seen, place], plain


PLAIN = [
    '{"id": "1", "title": "A", "text": "some text"}',
    '{"id":"2","text":"no title"}',
    " \t\r",
    '{ "text" : "spaces" , "id" : "3" , "url" : "https://example.org/" , "lang" : "de-CH" }  \r',
    '{"id": 12345678901234567890123456789, "text": "a long number"}',
    '{"id": -1.50e+3, "text": "a number", "title": null, "url": null, "lang": null}',
    (
        '{"id": "4", "text": "escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u00e9 \\u0000 '
        "\\uD83D\\uDE00 "
        '\\ufffd é 😀 \ufffd"}'
    ),
    (
        '{"id": "5", "title": "", "text": "the title is empty", "date": [1], "x": true, "y": '
        "false, "
        '"z": null, "n": [0, -0.5, {"a": []}, {}]}'
    ),
    '{"id": "6", "text": "漢字"}',
    '{"id": "7", "text": "\\u3000x"}',
    '{"id": "8", "text": "\x7f\u2028é"}',
    '{"id": null, "text": "a number for null"}',
    '{"text": "a number for nothing"}',
    '{"id": "1", "text": 5}',
    '{"id": "1", "text": "x", "title": -1.50e+3}',
]
LEFT = [
    "no json",
    "[]",
    "{}",
    '{"id": "1", "text": "cut',
    '{"id": "1", "text": "x"} {"id": "2", "text": "y"}',
    '{"id": "1", "text": "x",}',
    '{"id": "1" "text": "x"}',
    '{"id": "1", "text": "x", "n": 01}',
    '{"id": "1", "text": "x", "n": 1.}',
    '{"id": "1", "text": "x", "n": -}',
    '{"id": "1", "text": "x", "n": 1e}',
    '{"id": "1", "text": "x", "n": NaN}',
    '{"id": "1", "text": "x", "n": [1, ]}',
    '{"id": "1", "text": "x", "n": {"a" 1}}',
    '{"id": "1", "text": "x", "n": tru}',
    '{"id": "1", "text": "a \t tab"}',
    '{"id": "1", "text": "\\x"}',
    '{"id": "1", "text": "\\u12g4"}',
    '{"id": "1", "text": "lone \\ud800 surrogate"}',
    '{"id": "1", "text": "lone \\udc00 surrogate"}',
    '{"id": "1", "text": "turned \\udc00\\ud800"}',
    '{"id": "1", "text": "two \\ud800\\ud800"}',
    '{"i\\u0064": "1", "text": "an escape in a name"}',
    '{"id": "1", "id": "2", "text": "twice"}',
    '{"id": "", "text": "x"}',
    '{"id": "1"}',
    '{"id": "1", "text": null}',
    '{"id": true, "text": "x"}',
    '{"id": ["1"], "text": "x"}',
    '{"id": "1", "text": "x", "title": [5]}',
    '{"id": "1", "text": ""}',
    '{"id": "1", "text": " \\n\u3000\u2003\u00a0\u1680"}',
    '{"id": "' + "i" * 1025 + '", "text": "x"}',
    '{"id": "' + "\\u0041" * 1025 + '", "text": "x"}',
    '{"id": "1", "text": "x", "title": "' + "é" * 5000 + '"}',
    '{"id": "1", "text": "x", "url": "' + "u" * 8193 + '"}',
    '{"id": "1", "text": "x", "lang": "' + "é" * 36 + '"}',
    '{"id": "1", "text": "x", "n": ' + "[" * 40 + "]" * 40 + "}",
    '\ufeff{"id": "1", "text": "a byte order mark"}',
    "\ufeff",
]


LABELS = Fields(label="topics")
LABELLED = [
    '"a"',
    "7",
    "-1.50e+3",
    "null",
    '""',
    "[]",
    "[ ]",
    '["a"]',
    '[ "b" , "a" , "b" ]',
    '["a", null, 3, "", "\\u00e9 \\n"]',
    f'"{"x" * 1024}"',
    f'"{"é" * 512}"',
    json.dumps([f"label {i}" for i in range(255)]),
]
NOT_LABELLED = [
    "true",
    "{}",
    '{"a": 1}',
    '[["a"]]',
    '["a", {}]',
    "[false]",
    f'"{"x" * 1025}"',
    f'["a", "{"é" * 513}"]',
    f'"{"x" * 9000}"',
    json.dumps([f"label {i}" for i in range(256)]),
    json.dumps(["same"] * 256),
    json.dumps([f"{i}" + "x" * 1000 for i in range(80)]),
    '"lone \\ud800 surrogate"',
]


@pytest.mark.parametrize("value", [*LABELLED, *NOT_LABELLED])
def test_labels(value: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"id": "1", "text": "x", "topics": {value}}}')
    found, plain = many(path, LABELS)
    assert found == one_by_one(path, LABELS)
    assert plain == (value in LABELLED)


@pytest.mark.parametrize("line", PLAIN)
def test_plain_lines(line: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(line.encode(errors="surrogatepass"))
    found, plain = many(path)
    assert found == one_by_one(path)
    assert plain == (1 if line.strip() else 0)


@pytest.mark.parametrize("line", LEFT)
def test_lines_that_are_left_to_python(line: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(line.encode())
    found, plain = many(path)
    assert found == one_by_one(path)
    assert plain == 0


@pytest.mark.parametrize("size", [1, 7, 100, 1000, 1 << 20])
@pytest.mark.parametrize("threads", [1, 3])
def test_all_of_them(
    size: int, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    wrong = [b'{"id": "w", "text": "\xff ill \xed\xa0\x80 formed \xf0\x9f"}', b"\xff"]
    rows = [
        row.encode() for pair in zip(itertools.cycle(PLAIN), LEFT, strict=False) for row in pair
    ]
    path.write_bytes(b"\n".join([*rows, *wrong, *rows]))
    monkeypatch.setattr(jsonl_batches, "BYTES", size)
    expected = one_by_one(path)
    assert many(path, threads=threads)[0] == expected

    # From a place in the middle.
    place = Place(sum(len(row) + 1 for row in rows[:20]), 20)
    assert many(path, place=Place(place.offset, place.lines), threads=threads)[0] == one_by_one(
        path, place=place
    )


def test_other_names(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [
        {"n": 1, "t": "x", "when": 1999},
        {"n": 2, "t": "x", "when": [1]},
        {"n": 3, "t": "x", "": 5},
        {"id": 4, "text": "x"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    for fields, count in (
        (Fields(id="n", text="t", title="t", url="t", date="when"), 2),
        (Fields(id="n", text="t", lang=""), 3),
    ):
        found, plain = many(path, fields)
        assert found == one_by_one(path, fields)
        assert plain == count
    (_, kind), *_ = inputs.find_all([str(path)], inputs.Options(fields=Fields(id="n", text="t")))
    assert kind.batches is not None
    (batch,) = kind.batches(str(path), lambda skip: None, unmeasured, each=map)
    assert isinstance(batch, DocumentBatch)
    assert len(batch) == 3


def test_lines_that_are_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    long = json.dumps({"id": "long", "text": "x" * 300_000})
    path.write_text("\n".join([PLAIN[0], long, PLAIN[1], PLAIN[0], long]))
    for module in (jsonl, jsonl_batches):
        monkeypatch.setattr(module, "LINE_BYTES", 1000)
    for size in (10, 100, 1 << 20):
        monkeypatch.setattr(jsonl_batches, "BYTES", size)
        found, plain = many(path)
        assert found == one_by_one(path)
        assert plain == 3


@pytest.mark.parametrize("size", [10, 1000, 1 << 20])
def test_what_is_before_damage(size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All whole lines before it come, and the error says the same."""
    path = tmp_path / "a.jsonl.gz"
    rows = [json.dumps({"id": str(i), "text": os.urandom(50).hex()}) for i in range(3000)]
    path.write_bytes(gzip.compress("\n".join(rows).encode())[:-100_000])
    monkeypatch.setattr(jsonl_batches, "BYTES", size)
    expected, found = list[Any](), list[Any]()
    with pytest.raises(SourceError, match="cut short"):
        expected.extend(as_bytes(d) for d in jsonl.documents(str(path), expected.append))
    with (
        Threads(2) as pool,
        pytest.raises(
            SourceError,
            match=r"cut short: its gzip data has no end mark, it stops after [\d,]+ lines",
        ),
    ):
        for some in jsonl_batches.batches(str(path), found.append, each=pool.map):
            found.extend(opened(some) if isinstance(some, DocumentBatch) else [as_bytes(some)])
    assert found == expected
    assert len(found) > 500


def test_texts_do_not_hold_what_stood_around_them(tmp_path: Path) -> None:
    """Many batches are kept until a chunk is full."""
    path, held = tmp_path / "a.jsonl", 0
    path.write_text(
        "".join(
            json.dumps({"id": i, "x": "y" * 100_000, "text": "words"}) + "\n" for i in range(50)
        )
    )
    for some in jsonl_batches.batches(str(path), lambda skip: None):
        assert isinstance(some, DocumentBatch)
        held += memoryview(some.texts.obj).nbytes

    assert 50 * len("words") <= held < 1000


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)
RECORDS = st.fixed_dictionaries(
    {"id": st.text(max_size=5) | st.integers() | VALUES, "text": st.text(max_size=20) | VALUES},
    optional={
        "title": st.text(max_size=5) | VALUES,
        "url": st.text(max_size=5),
        "lang": st.text(max_size=40),
        "x": VALUES,
    },
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.tuples(
            RECORDS,
            st.booleans(),
            st.none() | st.tuples(st.integers(0, 200), st.binary(max_size=2)),
        ),
        max_size=6,
    ),
    st.sampled_from([1, 30, 1000]),
)
def test_any_lines(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Any, bool, Any]], size: int
) -> None:
    """Records, some with bytes put in somewhere.

    A plain one is the first, so that no bytes make the file a compressed one.
    """
    out = [b'{"text": "plain"}']
    for record, ascii, damage in rows:
        line = json.dumps(record, ensure_ascii=ascii).encode(errors="surrogatepass")
        if damage:
            at, put = damage
            line = line[:at] + put + line[at:]
        out.append(line)
    path = tmp_path_factory.mktemp("any") / "a.jsonl"
    path.write_bytes(b"\n".join(out))
    before, jsonl_batches.BYTES = jsonl_batches.BYTES, size
    try:
        assert many(path)[0] == one_by_one(path)
    finally:
        jsonl_batches.BYTES = before


def test_no_byte_beyond(tmp_path: Path) -> None:
    """Changed lines under the sanitizers."""
    program = tmp_path / "mutate"
    sources = [HARNESSES / "mutate_json_lines.c", core_file("json_lines.c"), core_file("hash.c")]
    flags = ["-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", *SANITIZE, f"-I{CORE}"]
    subprocess.run([tool("gcc"), *flags, "-o", str(program), *map(str, sources)], check=True)
    lines = "\n".join(line for line in [*PLAIN, *LEFT] if len(line) < 500).encode(
        errors="surrogatepass"
    )
    done = subprocess.run([program, "100000"], input=lines, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    read, left = map(int, done.stdout.split())
    assert read > 20_000
    assert left > 100_000
