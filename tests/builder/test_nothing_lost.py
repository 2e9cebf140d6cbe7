"""What is read is in the file, or said: empty and shrunken builds, files of other kinds, lists of
what was skipped, encodings, fields.
"""

from __future__ import annotations

import gzip
import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import forked
import pytest
from archived import tarred, zipped
from killed import killed
from made_up import made_up
from pocketindex.builder import Settings, build
from pocketindex.builder.inputs.fields import Fields
from pocketindex.builder.spill.shrinking import Shrunk
from pocketindex.builder.tally import NoDocument, Refused
from pocketindex.cli import main
from reading import brief, read
from run_command import run


def write(path: Path, documents: list[dict[str, Any]]) -> Path:
    path.write_text(
        "".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8"
    )
    return path


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A file worth keeping."""
    build([write(tmp_path / "good.jsonl", made_up(10))], tmp_path / "good.pocket")
    return tmp_path / "good.pocket"


# Empty and shrunken builds


def empty_folder(folder: Path) -> Path:
    (folder / "nothing").mkdir()
    return folder / "nothing"


NOTHING: dict[str, tuple[Callable[[Path], Path], str]] = {
    "a folder": (
        empty_folder,
        "nothing: there is no record in it; nothing is written: give sources with documents",
    ),
    "no line": (
        lambda f: write(f / "x.jsonl", []),
        "x.jsonl: there is no record in it; nothing is written: give sources with documents",
    ),
    "empty": (
        lambda f: write(f / "x.jsonl", [{"id": "a", "text": " "}, {"id": "b", "text": ""}]),
        "x.jsonl: none of the 2 records is a document: 2 empty ({folder}/x.jsonl:1: it has "
        "neither a text nor a title of its own); nothing is written: give sources with texts",
    ),
}


@pytest.mark.parametrize("kind", NOTHING)
def test_nothing_replaces_nothing(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    make, message = NOTHING[kind]
    source, message = str(make(tmp_path)), message.format(folder=tmp_path)
    before = good.read_bytes()
    names = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(NoDocument) as error:
        build([source], good)
    assert str(error.value).endswith(message)
    assert error.value.sources == [source]
    assert main(["build", source, "-o", str(good)]) == 2
    assert capsys.readouterr().err.endswith(message + "\n")
    assert good.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    with pytest.raises(NoDocument):
        build([source], tmp_path / "other.pocket")
    assert not (tmp_path / "other.pocket").exists()


def test_a_generator_of_sources_is_read(good: Path, tmp_path: Path) -> None:
    sources = [write(tmp_path / f"{i}.jsonl", [made_up(6)[i]]) for i in range(6)]
    assert build((path for path in sources), good).indexed == 6
    assert build(sources[0], tmp_path / "one.pocket").indexed == 1
    before = good.read_bytes()
    with pytest.raises(ValueError, match="no source is given"):
        build((path for path in sources if path.name == "x"), good)
    with pytest.raises(
        TypeError,
        match=r"a source is of type dict; expected the path .* write documents to a file of JSON "
        r"Lines",
    ):
        build((document for document in made_up(3)), good)  # type: ignore[misc]
    assert good.read_bytes() == before


def test_a_file_that_shrinks_is_said_or_refused(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    four, five = (write(tmp_path / f"{n}.jsonl", made_up(n)) for n in (4, 5))
    said = f"{good}: the new file has 4 documents, less than half of the 10 of the old one"
    before = good.read_bytes()
    with pytest.raises(Shrunk) as error:
        build([four], good, Settings(refuse_shrink=True))
    assert (
        str(error.value) == f"{said}; nothing is written: check the sources, or omit refuse_shrink"
    )
    assert main(["build", str(four), "-o", str(good), "--refuse-shrink"]) == 2
    assert good.read_bytes() == before

    assert build([five], good, Settings(refuse_shrink=True)).notes == ()
    build([tmp_path / "good.jsonl"], good)
    capsys.readouterr()
    assert main(["build", str(four), "-o", str(good)]) == 0
    assert f"{said}; --refuse-shrink makes this an error" in capsys.readouterr().err.splitlines()
    good.write_bytes(b"no pocket file")
    assert build([four], good, Settings(refuse_shrink=True, force=True)).notes == ()


@pytest.mark.parametrize("command", ["profile", "dedup"])
def test_other_outputs_stay_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    empty = write(tmp_path / "x.jsonl", [])
    output = tmp_path / ("output.profile" if command == "profile" else "output")
    good = write(tmp_path / "good.jsonl", made_up(30))
    assert main([command, str(good), "-o", str(output)]) == 0
    before = output.read_bytes()
    assert main([command, str(empty), "-o", str(output)]) == 2
    assert "there is no record in it; nothing is written" in capsys.readouterr().err
    assert output.read_bytes() == before


# Folders


FOLDER = {
    "a.txt": b"words of a",
    "b.xlsm": b"PK",
    "c.jpg": b"\xff\xd8",
    "d.jpg": b"\xff\xd8",
    "README": b"words of no suffix",
    "more/e.zip": zipped(
        {"in/e.txt": b"words of e", "in/e.xlsx": b"PK", ".hidden.doc": b"", "in/empty.txt": b""}
    ),
    "more/f.tar.gz": gzip.compress(tarred({"f.md": b"# F\n\nwords of f", "f.png": b"\x89PNG"})),
    "more/g.zip": b"PK\3\4 cut short",
    "more/h.jsonl": b"{}",
    ".hidden": b"",
}
OTHERS = {
    "other kind: .xlsm": ["b.xlsm"],
    "other kind: .jpg": ["c.jpg", "d.jpg"],
    "other kind: no suffix": ["README"],
    "other kind: .jsonl": ["more/h.jsonl"],
    "other kind: .xlsx": ["more/e.zip:in/e.xlsx"],
    "other kind: .png": ["more/f.tar.gz:f.png"],
    "empty": ["more/e.zip:in/empty.txt"],
    "unreadable": ["more/g.zip"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FOLDER.items():
        path = tmp_path / "folder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "folder"


def test_archives_in_a_folder_are_read_and_all_else_is_counted(folder: Path) -> None:
    documents, skips = read(folder)

    assert [(d.id, d.title, d.text.split()[-1]) for d in documents] == [
        ("a.txt", "a", "a"),
        ("more/e.zip/in/e.txt", "e", "e"),
        ("more/f.tar.gz/f.md", "F", "f"),
    ]
    found: dict[str, list[str]] = {}
    for skip in skips:
        found.setdefault(skip.reason, []).append(skip.place.removeprefix(f"{folder}/"))
    assert found == OTHERS
    assert next(skip for skip in skips if skip.reason == "other kind: .jsonl").detail == (
        "its name says that it holds many documents; read such files with: "
        f"pocketindex build '{folder}/**/*.jsonl'"
    )


def test_a_strict_build_takes_files_of_other_kinds_for_ordinary(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.txt").write_text(made_up(1)[0]["text"])
    (tmp_path / "folder" / "b.jpg").write_bytes(b"\xff\xd8")
    report = build(tmp_path / "folder", tmp_path / "x.pocket", Settings(strict=True))
    assert (report.read, report.indexed, report.skipped) == (2, 1, {"other kind: .jpg": 1})
    assert "  1 other kind: .jpg" in report.text().splitlines()


# The list


def bad_lines(path: Path, count: int) -> Path:
    """Every third is no document, the last two have ids that were there."""
    lines = [json.dumps(document) if i % 3 else "{" for i, document in enumerate(made_up(count))]
    lines += [
        json.dumps(made_up(3)[1]),
        json.dumps(made_up(3)[2]),
        json.dumps({"id": "short", "text": "two words"}),
    ]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def listed(path: Path) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(list(line) == ["place", "reason", "detail"] and line["detail"] for line in lines)
    return [(line["place"].rsplit("/", 1)[-1], line["reason"]) for line in lines]


def test_every_record_that_was_left_out_is_listed(tmp_path: Path) -> None:
    source, out = bad_lines(tmp_path / "x.jsonl", 30), tmp_path / "skipped.jsonl"
    assert (
        main(["build", str(source), "-o", str(tmp_path / "x.pocket"), "--skipped", str(out)]) == 0
    )
    expected = [(f"x.jsonl:{i + 1}", "bad line") for i in range(0, 30, 3)]
    expected += [("doc-1", "duplicate id"), ("doc-2", "duplicate id")]
    assert listed(out) == expected

    duplicates = write(tmp_path / "twice.jsonl", made_up(20) + made_up(20))
    build([duplicates], tmp_path / "y.pocket", skipped=out)
    assert listed(out) == [(f"doc-{i}", "duplicate id") for i in range(20)]


def test_a_build_that_fails_leaves_the_list(tmp_path: Path) -> None:
    source, out = tmp_path / "x.jsonl", tmp_path / "skipped.jsonl"
    source.write_text("{\n" * 7)
    with pytest.raises(NoDocument):
        build([source], tmp_path / "x.pocket", skipped=out)
    assert listed(out) == [(f"x.jsonl:{i}", "bad line") for i in range(1, 8)]
    with pytest.raises(Refused):
        build([source], tmp_path / "x.pocket", Settings(strict=True), skipped=out)
    assert listed(out) == [("x.jsonl:1", "bad line")]


def test_names_that_no_list_has(tmp_path: Path) -> None:
    source = write(tmp_path / "x.jsonl", made_up(3))
    for name, message in (
        (
            "x.csv",
            "x.csv: the list of what was skipped is plain JSON Lines, and the name is that of a "
            "file of the format csv; give a name",
        ),
        ("x.jsonl.gz", "of a file of another kind"),
        (
            "x.jsonl",
            "the list of what was skipped would replace .*x.jsonl, which the command also uses; "
            "give it another name",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            build([source], tmp_path / "x.pocket", skipped=tmp_path / name)
    with pytest.raises(
        FileNotFoundError, match="the folder of the list of what was skipped does not exist"
    ):
        build([source], tmp_path / "x.pocket", skipped=tmp_path / "nowhere" / "x.jsonl")


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("x.csv", "the format csv"),
        ("x.pocket", "another kind (.pocket)"),
    ],
)
def test_dedup_writes_no_lines_under_the_name_of_another_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, format: str
) -> None:
    source, out = write(tmp_path / "x.jsonl", made_up(3)), tmp_path / name
    assert main(["dedup", str(source), "-o", str(out)]) == 2
    assert capsys.readouterr().err == (
        f"pocketindex: {out}: the output is plain JSON Lines, and the name is that of a file of "
        f"{format}; give a name that ends in .jsonl\n"
    )
    assert not out.exists()


@pytest.mark.parametrize("moment", [9, 21, 34])
def test_a_killed_build_goes_on_in_text_and_list(tmp_path: Path, moment: int) -> None:
    """In the middle of a plain file whose bytes are not those that are counted."""
    source = tmp_path / "x.jsonl"
    out = tmp_path / "skipped.jsonl"
    target = tmp_path / "x.pocket"
    text = bad_lines(source, 150).read_text(encoding="utf-8")
    source.write_bytes(text.encode("utf-16"))
    arguments = [
        str(source),
        "-o",
        str(target),
        "--encoding",
        "utf-16",
        "--skipped",
        str(out),
        "--profile",
        "learn",
    ]

    def run(moment: int, *more: str) -> int:
        return forked.run(killed, 20, moment, ["build", *arguments, *more]).returncode

    assert run(0) == 0
    whole, expected = target.read_bytes(), listed(out)
    assert len(expected) == 52
    out.unlink()
    assert run(moment) == -signal.SIGKILL
    assert not out.exists()
    assert run(0, "--resume") == 0
    assert (target.read_bytes(), listed(out)) == (whole, expected)


# Fields


def test_a_field_that_no_record_has_is_said(tmp_path: Path) -> None:
    rows = [
        {**document, "headline": None, "link": "u" if i == 7 else None}
        for i, document in enumerate(made_up(9))
    ]
    source = write(tmp_path / "x.jsonl", rows)
    settings = Settings(fields=Fields(title="headline", url="link", lang="language"))
    report = build([source], tmp_path / "x.pocket", settings)

    assert report.noticed == {"no such field": 2}
    assert [(one.place, one.detail) for one in report.examples["no such field"]] == [
        (
            str(source),
            'no record has a field "language" for the lang; correct lang, or omit it',
        ),
        (
            str(source),
            'no record has a field "headline" for the title; correct title, or omit it',
        ),
    ]
    assert brief(read(source, fields=settings.fields)[1]) == [("x.jsonl", "no such field")] * 2
    source.write_text(
        source.read_text() + '{"id": "odd", "headline": "a", "text": "w", "language": "\\ud800"}\n'
    )
    assert build([source], tmp_path / "x.pocket", settings).noticed == {}
    done = run("build", source, "-o", tmp_path / "x.pocket", "--url", "href")
    assert 'no record has a field "href" for the url; correct --url, or omit it' in done.stderr
