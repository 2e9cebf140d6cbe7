"""Texts that are not UTF-8, and encodings that are named: what is wrong is said with its place."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import pocketindex
import pytest
from archived import tarred, zipped
from made_up import made_up
from pocketindex.builder import Settings, build
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.inputs.rows import csv as csv_input
from pocketindex.builder.inputs.source import Place, SourceError
from pocketindex.builder.tally import Refused
from pocketindex.cli import main
from reading import brief, read
from test_nothing_lost import write

# Encodings

TABLE = [("key", "body"), ("a", "Café au lait"), ("b", "plain words"), ("c", "süß, größer")]


def table(encoding: str, given: list[tuple[str, str]] = TABLE, separator: str = ",") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(given)
    return out.getvalue().encode(encoding)


def lines(encoding: str, given: list[tuple[str, str]] = TABLE) -> bytes:
    rows = [dict(zip(given[0], row, strict=True)) for row in given[1:]]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode(encoding)


@pytest.mark.parametrize(("name", "make", "first"), [("x.csv", table, 2), ("x.jsonl", lines, 1)])
@pytest.mark.parametrize("packed", [False, True])
def test_bytes_that_are_no_utf_8_are_said(
    tmp_path: Path, name: str, make: Callable[[str], bytes], first: int, packed: bool
) -> None:
    path, fields = tmp_path / (name + ".gz" * packed), Fields(id="key", text="body")
    pack: Callable[[bytes], bytes] = gzip.compress if packed else bytes
    path.write_bytes(pack(make("latin-1")))
    documents, notices = read(path, fields=fields)

    assert [d.text for d in documents] == [
        "Caf\ufffd au lait",
        "plain words",
        "s\ufffd\ufffd, gr\ufffd\ufffder",
    ]
    assert brief(notices) == [
        (f"{path.name}:{first}", "wrong encoding"),
        (f"{path.name}:{first + 2}", "wrong encoding"),
    ]
    assert notices[0].detail.endswith(
        "is 0xe9: U+FFFD stands for what cannot be read; name the encoding, such as "
        'encoding="cp1252"'
    )
    for encoding in ("latin-1", "utf-16", "cp1252"):
        path.write_bytes(pack(make(encoding)))
        documents, notices = read(path, fields=fields, encoding=encoding)
        assert ([d.text for d in documents], notices) == ([body for _, body in TABLE[1:]], [])
    path.write_bytes(pack(make("latin-1")))
    with pytest.raises(
        SourceError,
        match=r"not in the encoding ascii \(.*\), behind .*; name the right one, such as enc",
    ):
        read(path, fields=fields, encoding="ascii")


WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
ROWS = [("key", "body"), ("a", "Фонарь горел всю ночь"), ("b", "пока матросы считали бочки")]


RECORDS: dict[str, Callable[[list[tuple[str, str]]], bytes]] = {
    "x.csv": lambda rows: table("utf-8", rows),
    "x.tsv": lambda rows: table("utf-8", rows, "\t"),
    "x.jsonl": lambda rows: lines("utf-8", rows),
    "x.json": lambda rows: b"[%b]" % b",".join(lines("utf-8", rows).splitlines()),
    "x.csv.gz": lambda rows: table("utf-8", rows),
}


@pytest.mark.parametrize("rows", [TABLE, ROWS])
@pytest.mark.parametrize("encoding", WIDE)
@pytest.mark.parametrize("name", RECORDS)
def test_records_of_wide_characters(
    tmp_path: Path, name: str, encoding: str, rows: list[tuple[str, str]]
) -> None:
    """The encoding is taken from a byte order mark. If there is none, it is guessed from the zero
    bytes, and a notice says so.
    """
    path, pack = tmp_path / name, gzip.compress if name.endswith(".gz") else bytes
    for mark in ("\ufeff", ""):
        path.write_bytes(pack((mark + RECORDS[name](rows).decode()).encode(encoding)))
        documents, notices = read(path, fields=Fields(id="key", text="body"))
        assert [(d.id, d.text) for d in documents] == rows[1:]
        if not mark:
            (notice,) = notices
            assert (notice.place, notice.reason) == (str(path), "wrong encoding")
            assert f"{encoding.upper()} is a guess; name the encoding" in notice.detail
    assert not read(path, fields=Fields(id="key", text="body"), encoding=encoding)[1]
    report = pocketindex.build(path, tmp_path / "x.pocket", id="key", text="body", progress=False)
    assert (report.indexed, report.noticed) == (len(rows) - 1, {"wrong encoding": 1})


def test_a_build_that_goes_on_says_the_guess_once(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(table("utf-16-le"))
    place, fields = Place(), Fields(id="key", text="body")
    documents = csv_input.documents(str(path), lambda one: None, fields=fields, place=place)
    assert next(documents).id == "a"
    said = list[str]()
    rest = csv_input.documents(
        str(path),
        lambda one: said.append(one.reason),
        fields=fields,
        place=Place(place.offset, place.lines),
    )
    assert ([one.id for one in rest], said) == (["b", "c"], [])


def test_texts_that_are_no_utf_8_are_said(tmp_path: Path) -> None:
    files = {
        "a.txt": "Café".encode("latin-1"),
        "b.md": "# Café\n\nwörds".encode("latin-1"),
        "c.txt": "Café".encode(),
    }
    (tmp_path / "d").mkdir()
    for name, content in files.items():
        (tmp_path / "d" / name).write_bytes(content)
    (tmp_path / "x.zip").write_bytes(zipped(files))
    (tmp_path / "x.tar").write_bytes(tarred(files))
    for source, behind in (
        (tmp_path / "d", "/"),
        (tmp_path / "x.zip", ":"),
        (tmp_path / "x.tar", ":"),
    ):
        documents, notices = read(source)
        assert [d.text for d in documents][::2] == ["Caf\ufffd", "Café"]
        places = [(f"{source}{behind}{name}", "wrong encoding") for name in ("a.txt", "b.md")]
        assert [(notice.place, notice.reason) for notice in notices] == places
        (first, second, _), notices = read(source, encoding="cp1252")
        assert (first.text, second.title, notices) == ("Café", "Café", [])


def test_a_build_counts_them_and_a_strict_one_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "x.csv"
    source.write_bytes(
        b"id,text\n"
        + "".join(f'{d["id"]},"Caf\u00e9 {d["text"][-90:]}"\n' for d in made_up(5)).encode(
            "latin-1"
        )
    )
    assert main(["build", str(source), "-o", str(tmp_path / "x.pocket")]) == 0
    shown = capsys.readouterr().err.splitlines()
    at = shown.index("read, but not as it stands there:")
    assert shown[at - 1 : at + 2] == [
        "5 read, 5 indexed, 0 skipped",
        "read, but not as it stands there:",
        "  5 wrong encoding",
    ]
    assert shown[at + 2].startswith(f"      {source}:2: expected UTF-8, byte ")
    assert main(["build", str(source), "-o", str(tmp_path / "x.pocket"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["noticed"], told["examples"]["wrong encoding"][0]["place"]) == (
        {"wrong encoding": 5},
        f"{source}:2",
    )
    with pytest.raises(
        Refused,
        match=r"x\.csv:2: wrong encoding: expected UTF-8, .*; correct it, or run without strict",
    ):
        build([source], tmp_path / "x.pocket", Settings(strict=True))
    assert (
        main(
            [
                "build",
                str(source),
                "-o",
                str(tmp_path / "x.pocket"),
                "--keep",
                "text",
                "--encoding",
                "latin-1",
            ]
        )
        == 0
    )
    with pocketindex.open(tmp_path / "x.pocket") as index:
        assert str(index.text(index.document("doc-0"))).startswith("Café ")


def test_encodings_that_are_none(tmp_path: Path) -> None:
    source = write(tmp_path / "x.jsonl", made_up(3))
    for name in ("klingon", "undefined", "idna", "punycode", "unicode_escape", "base64"):
        with pytest.raises(
            ValueError,
            match=f"encoding is '{name}'; there is no text encoding of this name; expected one as "
            "utf-16, cp1252",
        ):
            build([source], tmp_path / "x.pocket", Settings(encoding=name))
    with pytest.raises(
        SourceError,
        match=r"a\.pdf: its format says or fixes the encoding; omit encoding$",
    ):
        (tmp_path / "a.pdf").touch()
        build(tmp_path / "a.pdf", tmp_path / "x.pocket", Settings(encoding="latin-1"))
