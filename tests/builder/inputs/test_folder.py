"""Folders: links, compressed files, names, what is no file, and what a command writes into one."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import re
import socket
import sys
import zipfile
from pathlib import Path

import pocketindex
import pytest
import zstandard
from made_pdf import made_pdf
from made_up import made_up
from pocketindex.builder import Settings, build
from pocketindex.builder.document import Document, Notice, Skip
from pocketindex.builder.inputs import Options, find_all, sparing
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.tally import is_ordinary
from pocketindex.cli import main
from reading import brief, read


def walked(folder: Path, follow_links: bool = False) -> tuple[list[str], list[tuple[str, str]]]:
    """The ids of the documents, and what was left out."""
    skips = list[Skip | Notice]()
    ((path, kind),) = find_all([str(folder)], Options(follow_links=follow_links))
    documents = [document.id for document in kind.documents(path, skips.append)]
    assert all(skip.detail for skip in skips)
    return documents, [
        (skip.place.removeprefix(f"{folder}/"), skip.reason)
        for skip in sorted(skips, key=lambda skip: skip.place)
    ]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """A folder with links of every kind, beside another folder."""
    folder = tmp_path / "folder"
    write(tmp_path / "outside" / "secret.txt", "words outside")
    write(tmp_path / "outside" / "deep" / "more.txt", "more words outside")
    (tmp_path / "outside" / "back").symlink_to(folder)
    write(folder / "a.txt", "words")
    write(folder / "in" / "b.txt", "more words")
    write(folder / ".hidden" / "c.txt", "hidden words")
    (folder / "in" / "again.txt").symlink_to(folder / "a.txt")
    (folder / "out.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    (folder / "relative.txt").symlink_to("../outside/secret.txt")
    (folder / "gone.txt").symlink_to("nothing.txt")
    (folder / "picture.png").symlink_to("/etc/passwd")
    (folder / "loop.txt").symlink_to("loop.txt")
    (folder / "in" / "up").symlink_to("..")
    (folder / "other").symlink_to(tmp_path / "outside")
    (folder / "same").symlink_to(tmp_path / "outside")
    return folder


def test_links_out_of_a_folder_are_not_followed(linked: Path) -> None:
    assert walked(linked) == (
        ["a.txt", "in/again.txt", "in/b.txt"],
        [
            ("gone.txt", "unreadable"),
            ("in/up", "link"),
            ("loop.txt", "unreadable"),
            ("other", "link"),
            ("out.txt", "link"),
            ("picture.png", "other kind: .png"),
            ("relative.txt", "link"),
            ("same", "link"),
        ],
    )
    assert is_ordinary("link")
    (detail,) = (skip.detail for skip in read(linked)[1] if skip.place.endswith("out.txt"))
    secret = (linked.parent / "outside" / "secret.txt").resolve()
    assert detail == f"it leads out of the folder, to {secret}; follow_links=True reads it"


def test_links_that_are_followed_have_an_end(linked: Path) -> None:
    assert walked(linked, follow_links=True) == (
        [
            "a.txt",
            "in/again.txt",
            "in/b.txt",
            "other/deep/more.txt",
            "other/secret.txt",
            "out.txt",
            "relative.txt",
        ],
        [
            ("gone.txt", "unreadable"),
            ("in/up", "link"),
            ("loop.txt", "unreadable"),
            ("other/back", "link"),
            ("picture.png", "other kind: .png"),
            ("same", "link"),
        ],
    )


def test_folders_that_lead_to_each_other(tmp_path: Path) -> None:
    """Ways through them are as many as 2 to the 20th, and without end."""
    folder = tmp_path / "folder"
    folder.mkdir()
    places = [tmp_path / f"{i}" for i in range(20)]
    for place, following in zip(places, [*places[1:], tmp_path], strict=True):
        write(place / "a.txt", "words")
        (place / "one").symlink_to(following)
        (place / "two").symlink_to(following)
    (folder / "begin").symlink_to(places[0])
    documents, _ = walked(folder, follow_links=True)
    assert len(documents) == 20


def test_a_link_that_is_named_is_followed(linked: Path) -> None:
    assert [d.text for d in read(linked / "out.txt")[0]] == ["words outside"]
    assert [d.id for d in read(linked / "other")[0]] == ["deep/more.txt", "secret.txt"]


def test_the_option_of_the_command_and_of_python(linked: Path, tmp_path: Path) -> None:
    for name in ("a.txt", "in/b.txt"):
        write(linked / name, made_up(1)[0]["text"] + name)
    write(tmp_path / "outside" / "secret.txt", made_up(2)[1]["text"])
    target = tmp_path / "x.pocket"
    command = ["build", str(linked), "-o", str(target), "--profile", "en"]
    assert main(command) == 0
    with pocketindex.open(target) as index:
        assert "out.txt" not in [index.record(n).id for n in range(len(index))]
    assert main([*command, "--follow-links"]) == 0
    with pocketindex.open(target) as index:
        assert "out.txt" in [index.record(n).id for n in range(len(index))]
    bytes_of_command = target.read_bytes()
    pocketindex.build(str(linked), target, profile="en", follow_links=True)
    assert target.read_bytes() == bytes_of_command
    build(linked, target, Settings(profile="en"))
    assert main(["update", str(target), str(linked), "--follow-links"]) == 0
    with pocketindex.open(target) as index:
        assert "out.txt" in [index.record(n).id for n in range(len(index))]


def test_compressed_files(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, content in {
        "a.txt": b"words of a",
        "a.txt.gz": gzip.compress(b"words of a.gz") + gzip.compress(b" in two parts"),
        "b.HTML.GZ": gzip.compress(b"<title>B</title><p>words of b"),
        "c.pdf.gz": gzip.compress(made_pdf(["words of c"], "C")),
        "d.md.bz2": bz2.compress(b"# D\n\nwords of d"),
        "e.txt.xz": lzma.compress(b"words of e"),
        "f.txt.zst": zstandard.compress(b"words of f"),
        "g.txt.gz": b"words of g, which are not packed",
        "cut.txt.gz": gzip.compress(os.urandom(500))[:-9],
        "h.gz": gzip.compress(b"of no kind"),
    }.items():
        (folder / name).write_bytes(content)
    documents, skips = read(folder)
    assert [(d.id, d.title) for d in documents] == [
        ("a.txt", "a"),
        ("a.txt.gz", "a"),
        ("b.HTML.GZ", "B"),
        ("c.pdf.gz", "C"),
        ("d.md.bz2", "D"),
        ("e.txt.xz", "e"),
        ("f.txt.zst", "f"),
        ("g.txt.gz", "g"),
    ]
    assert documents[1].text == "words of a.gz in two parts"
    assert brief(skips) == [("h.gz", "other kind: .gz"), ("cut.txt.gz", "unreadable")]
    assert "cut short" in skips[1].detail
    assert read(folder / "e.txt.xz")[0] == [Document("e.txt.xz", "e", "words of e")]


def test_zstd_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "f.txt.zst").write_bytes(zstandard.compress(b"words"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(SourceError, match=r"pip install 'pocketindex\[zst\]'"):
        read(tmp_path)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.txt", "words")
    os.mkfifo(tmp_path / "pipe.txt")
    os.mkfifo(tmp_path / "pipe.tar")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link.txt").symlink_to("pipe.txt")
    (tmp_path / "folder.txt").mkdir()
    with socket.socket(socket.AF_UNIX) as one:
        monkeypatch.chdir(tmp_path)  # the name of a socket may not be long
        one.bind("socket.txt")
        assert walked(tmp_path) == (
            ["a.txt"],
            [
                ("link.txt", "unreadable"),
                ("pipe", "other kind: no suffix"),
                ("pipe.tar", "unreadable"),
                ("pipe.txt", "unreadable"),
                ("socket.txt", "unreadable"),
            ],
        )


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/folder"
    os.mkdir(folder)
    for letter in "üö":
        with open(folder + f"/gr{letter}n.txt".encode("latin-1"), "w") as file:
            file.write(made_up(1)[0]["text"] + letter)
    with open(folder + b"/\xff.jpg", "w"):
        pass
    documents, skips = read(tmp_path / "folder")
    assert [d.id for d in documents] == ["gr%F6n.txt", "gr%FCn.txt"]
    assert [d.title for d in documents] == ["gr%F6n", "gr%FCn"]
    assert [skip.reason for skip in skips] == ["other kind: .jpg"]
    listed = tmp_path / "skipped.jsonl"
    command = ["build", str(tmp_path / "folder"), "-o", str(tmp_path / "x.pocket")]
    assert main([*command, "--profile", "en", "--skipped", str(listed)]) == 0
    assert json.loads(listed.read_text())["reason"] == "other kind: .jpg"
    with pocketindex.open(tmp_path / "x.pocket") as index:
        assert len(index) == 2


def test_what_is_a_source_of_its_own_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a folder"
    write(folder / "a.txt", made_up(1)[0]["text"])
    write(folder / "b.csv", "id,text\n1,words")
    write(folder / "in" / "c.jsonl.gz", "")
    write(folder / "in" / "d.parquet", "")
    write(folder / "e.xcf", "")
    listed = tmp_path / "skipped.jsonl"
    command = ["build", str(folder), "-o", str(tmp_path / "x.pocket"), "--profile", "en"]
    assert main([*command, "--skipped", str(listed)]) == 0
    lines = [json.loads(line) for line in listed.read_text().splitlines()]
    assert {
        line["reason"]: line["detail"].partition("pocketindex build ")[2] for line in lines
    } == {
        "other kind: .csv": f"'{folder}/*.csv'",
        "other kind: .jsonl.gz": f"'{folder}/**/*.jsonl.gz'",
        "other kind: .parquet": f"'{folder}/**/*.parquet'",
        "other kind: .xcf": "",
    }
    said = capsys.readouterr().err
    assert "  1 other kind: .csv\n" in said
    assert "b.csv: its name says that it holds many documents; read such files with: " in said
    pattern = lines[0]["detail"].partition("pocketindex build ")[2].strip("'")
    assert [d.id for d in read(pattern)[0]] == ["1"]


def test_what_a_command_writes_is_no_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "notes"
    for number, document in enumerate(made_up(3)):
        write(folder / f"{number}.txt", document["text"])
    (tmp_path / "way").symlink_to(folder)
    target, listed = folder / "out.pocket", folder / "skipped.jsonl"
    for path in (target, tmp_path / "way" / "out.pocket", target):
        report = build(folder, path, Settings(profile="en"), skipped=listed)
        assert (report.read, report.indexed, report.skipped) == (3, 3, {})
        assert listed.read_text() == ""
    monkeypatch.chdir(folder)
    report = pocketindex.build(".", "out.pocket", profile="en")
    assert (report.read, report.skipped) == (4, {"other kind: .jsonl": 1})
    listed.unlink()
    assert main(["update", "out.pocket", ".", "--skipped", "skipped.jsonl"]) == 0
    assert listed.read_text() == ""
    # What somebody else has put there counts.
    (folder / "other.pocket").write_bytes(b"")
    assert build(folder, target, Settings(profile="en")).skipped == {
        "other kind: .jsonl": 1,
        "other kind: .pocket": 1,
    }
    pairs = folder / "pairs.jsonl"
    write(pairs, "")
    ((source, kind),) = sparing(find_all([str(folder)]), pairs)
    skips = list[Skip | Notice]()
    assert len(list(kind.documents(source, skips.append))) == 3
    assert {Path(skip.place).name for skip in skips} == {
        "skipped.jsonl",
        "other.pocket",
        "out.pocket",
    }


def test_links_are_followed_only_from_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "Lanterns burned beside the harbour while sailors counted barrels of herring."
    records = write(tmp_path / "a.jsonl", json.dumps({"id": "a", "text": words}) + "\n")
    folder = write(tmp_path / "folder" / "a.txt", words).parent
    write(tmp_path / "outside" / "b.txt", words)
    (folder / "b").symlink_to(tmp_path / "outside")
    index = str(tmp_path / "x.pocket")
    command = ["build", str(records), "-o", index, "--profile", "en"]
    assert main([*command, "--follow-links"]) == 2
    assert (
        f"{records}: it is not a folder, and --follow-links is for folders"
        in capsys.readouterr().err
    )
    assert main(command) == 0
    # In a check the option is for the test set, for --source, or for both.
    check = ["check", index, str(records), "--follow-links"]
    assert main(check) == 2
    assert main([*check, "--source", str(folder)]) in (0, 1)
    assert main(["check", index, str(folder), "--follow-links", "--source", str(folder)]) in (0, 1)
    assert "folder/b" not in capsys.readouterr().err


def test_selectors_are_for_what_is_checked_and_asked_in_batches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = "<p>Lanterns burned beside the harbour while {} counted barrels.</p><div>{}</div>"
    for name, words in (("in", "advertisement " * 40), ("asked", "imprint " * 40)):
        write(tmp_path / name / "a.html", page.format("sailors", words))
    index = str(tmp_path / "x.pocket")
    select = ["--select", "p"]
    assert main(["build", str(tmp_path / "in"), "-o", index, "--profile", "en", *select]) == 0
    capsys.readouterr()
    main(["check", index, str(tmp_path / "asked"), *select])
    assert capsys.readouterr().out.startswith("copy")
    main(["check", index, str(tmp_path / "asked")])
    assert not capsys.readouterr().out.startswith("copy")
    assert main(["query", index, "--batch", str(tmp_path / "asked"), *select]) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["similarity"] == 1
    assert main(["query", index, str(tmp_path / "asked" / "a.html"), *select]) == 2
    assert "--select says how a batch is read; give --batch DOCS" in capsys.readouterr().err


def test_archives_without_files_are_counted(tmp_path: Path) -> None:
    """As empty files are: nothing of a folder is passed over in silence."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w"):
        pass
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("folder/", b"")
    (tmp_path / "c.tar").write_bytes(bytes(10_240))
    (tmp_path / "d.mbox").write_bytes(b"\n\n")
    (tmp_path / "e.mbox.gz").write_bytes(gzip.compress(b""))
    (tmp_path / "f.txt").write_bytes(b"words")
    documents, skips = read(tmp_path)
    assert [one.id for one in documents] == ["f.txt"]
    assert [(one.place.rsplit("/", 1)[1], one.reason, one.detail) for one in skips] == [
        *((name, "empty", "there is no file in it") for name in ("a.zip", "b.zip", "c.tar")),
        *((name, "empty", "there is no message in it") for name in ("d.mbox", "e.mbox.gz")),
    ]


def test_each_file_of_a_folder_is_of_the_format_that_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "src"
    (folder / "sub").mkdir(parents=True)
    (folder / "Makefile").write_text("all: words")
    (folder / "page.html").write_text("<p>marks")
    (folder / "sub" / "a.py.gz").write_bytes(gzip.compress(b"import words"))
    (folder / "photo.jpg").write_bytes(bytes(range(256)))
    (folder / ".hidden").write_text("hidden words")

    skipped = list[Skip | Notice]()
    ((path, kind),) = find_all([str(folder)], Options(format="text"))
    found = {document.id: document.text for document in kind.documents(path, skipped.append)}
    assert found == {
        "Makefile": "all: words",
        "page.html": "<p>marks",
        "sub/a.py.gz": "import words",
    }
    assert [(Path(skip.place).name, skip.reason) for skip in skipped] == [
        ("photo.jpg", "unreadable")
    ]
    ((path, kind),) = find_all([str(folder)], Options(format="html"))
    texts = [document.text.strip() for document in kind.documents(path, skipped.append)]
    assert "marks" in texts


def test_a_format_of_many_documents_is_not_that_of_a_folder(tmp_path: Path) -> None:
    remedy = f"{tmp_path}: it is a folder, and jsonl is the format of a file; give the files as a "
    remedy += f"pattern such as '{tmp_path}/*'"
    with pytest.raises(SourceError, match=re.escape(remedy)):
        find_all([str(tmp_path)], Options(format="jsonl"))
