"""Office files among other sources: how they are known, what is refused and why, titles, and what
can be added.
"""

from __future__ import annotations

import contextlib
import io
import re
import struct
import sys
import tarfile
import zipfile
from pathlib import Path

import pocketindex
import pytest
from archived import zipped
from hypothesis import given, settings
from hypothesis import strategies as st
from made_office import OLE, XML, made_docx, made_odf, made_pptx, paragraph, shape
from pocketindex.builder import Settings, build
from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs import INPUTS, Options, find, find_all
from pocketindex.builder.inputs.pages.office import docx, odt, office, package, pptx
from pocketindex.builder.inputs.pages.office.package import Package, PartError, parse
from pocketindex.builder.inputs.source import SourceError
from reading import brief, read
from run_command import run

WORD = made_docx(paragraph("words of a document"), title="Of words", lang="en-GB")
SLIDES = made_pptx([shape("words of a slide")])
TEXT = made_odf("<text:p>words of a text</text:p>")
FLAT = (
    b'<?xml version="1.0"?><office:document '
    b'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    b'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>'
    b"<text:p>words</text:p></office:text></office:body></office:document>"
)
RICH = rb"{\rtf1 words of RTF}"
FILES = {"a.docx": WORD, "b.pptx": SLIDES, "c.odt": TEXT, "d.rtf": RICH}
READ = [
    Document("a.docx", "Of words", "words of a document", lang="en-GB"),
    Document("b.pptx", "b", "words of a slide"),
    Document("c.odt", "c", "words of a text"),
    Document("d.rtf", "d", "words of RTF"),
]


def compound(*streams: str) -> bytes:
    """As much of a compound file as tells what it is."""
    return (
        OLE + bytes(504) + b"".join(name.encode("utf-16-le").ljust(128, b"\0") for name in streams)
    )


def stored(parts: dict[str, bytes]) -> bytes:
    """A zip archive whose files are not compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


# ---- known by name and by content ----


def test_alone_in_a_folder_and_in_archives(tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    with zipfile.ZipFile(tmp_path / "e.zip", "w") as archive:
        for name, content in FILES.items():
            archive.writestr(f"in/{name}", content)
    with tarfile.open(tmp_path / "f.tgz", "w:gz") as archive:
        for name, content in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    documents, skips = read(tmp_path)
    assert skips == []
    assert documents[:4] == READ
    assert [one.id for one in documents[4:]] == [
        *(f"e.zip/in/{name}" for name in FILES),
        *(f"f.tgz/{name}" for name in FILES),
    ]
    assert read(tmp_path / "a.docx")[0] == READ[:1]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (WORD, "docx"),
        (SLIDES, "pptx"),
        (TEXT, "odt"),
        (FLAT, "odt"),
        (made_odf("<draw:page/>", "presentation"), "odt"),
        (RICH, "rtf"),
        (b"\xef\xbb\xbf \n{\\rtf1 words}", "rtf"),
        (compound("WordDocument"), "docx"),
        (zipped({"word.txt": "words", "ppt.txt": "words"}), "zip"),
        (zipped({"notes.txt": "words about word/document.xml"}), "zip"),
        (stored({"a.docx": stored({"word/document.xml": b"<x/>"})}), "zip"),
    ],
)
def test_known_by_first_bytes(tmp_path: Path, content: bytes, kind: str) -> None:
    (tmp_path / "file").write_bytes(content)
    assert find(str(tmp_path / "file")) is INPUTS[kind]


def test_the_content_wins_over_the_suffix(tmp_path: Path) -> None:
    """Programs have saved RTF, and newer files, under the names of older ones."""
    for name, content in (("a.doc", RICH), ("b.doc", WORD), ("c.rtf", WORD), ("d.docx", TEXT)):
        (tmp_path / name).write_bytes(content)
    (tmp_path / "e.doc").write_text("only words")
    (tmp_path / "f.rtf").write_text("only words")
    documents, skips = read(tmp_path)
    expected = ["words of RTF", "words of a document", "words of a document", "words of a text"]
    assert [one.text for one in documents] == expected
    assert [skip.detail for skip in skips] == [
        "not an RTF file, though its name says so; give it the suffix of its format"
    ] * 2


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("The \n title", "The title"),
        ("", "report"),
        ("PowerPoint Presentation", "report"),
        ("PowerPoint-Präsentation", "report"),
        ("Untitled", "report"),
        ("Microsoft Word - old.doc", "report"),
        ("Presentation of figures", "Presentation of figures"),
    ],
)
def test_a_title_that_a_program_made_up_is_none(tmp_path: Path, title: str, expected: str) -> None:
    (tmp_path / "report.docx").write_bytes(made_docx(paragraph("words"), title=title))
    assert read(tmp_path / "report.docx")[0][0].title == expected


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    (tmp_path / "a.rtf").write_bytes(RICH)
    assert read(tmp_path)[0] == [Document("a.rtf", "a", "words of RTF")]
    (tmp_path / "b.docx").write_bytes(WORD)
    for source in (tmp_path, tmp_path / "b.docx"):
        with pytest.raises(SourceError, match=re.escape("pip install 'pocketindex[office]'")):
            read(source)


# ---- refused, with the reason ----


def refusal(content: bytes, kind: str = "docx") -> str:
    with pytest.raises(Unfit) as caught:
        office.read(content, kind)
    return str(caught.value)


def test_encrypted_and_older_files() -> None:
    encrypted = "unreadable: it is encrypted; save a copy without a password"
    assert refusal(compound("EncryptionInfo", "EncryptedPackage")) == encrypted
    for stream, program, old, new in (
        ("WordDocument", "Word", ".doc", "docx"),
        ("PowerPoint Document", "PowerPoint", ".ppt", "pptx"),
        ("Workbook", "Excel", ".xls", "csv"),
    ):
        assert refusal(compound(stream), "rtf") == (
            f"unreadable: it is a binary {program} file ({old}), which is not read; save it as "
            f".{new}, or convert it with: libreoffice --headless --convert-to {new} FILE"
        )
    assert refusal(compound("other")).startswith("unreadable: it is an OLE file of an unknown kind")
    marked = bytearray(WORD)
    for place in range(len(marked)):  # the bit of encryption, in both headers of each part
        if bytes(marked[place : place + 4]) in (b"PK\x03\x04", b"PK\x01\x02"):
            marked[place + (6 if marked[place + 2] == 3 else 8)] |= 1
    assert "is encrypted; give a copy without a password" in refusal(bytes(marked))


def test_a_build_of_an_older_file_says_what_to_do(tmp_path: Path) -> None:
    for name in ("thesis.doc", "thesis"):
        (tmp_path / name).write_bytes(compound("WordDocument"))
        done = run("build", tmp_path / name, "-o", tmp_path / "o.pocket")
        assert done.returncode == 2
        assert "libreoffice --headless --convert-to docx FILE" in done.stderr


def test_what_is_no_package() -> None:
    assert refusal(b"words").startswith("unreadable: not a valid DOCX file, cut short or damaged: ")
    assert refusal(WORD[:-40]).startswith(
        "unreadable: not a valid DOCX file, cut short or damaged: "
    )
    assert refusal(zipped({"a.txt": "words"})) == (
        "unreadable: not a DOCX file, or a damaged one: word/document.xml is missing"
    )
    other = made_docx("", raw={"word/document.xml": "<workbook/>"})
    assert refusal(other) == (
        "unreadable: not a DOCX file: expected 'w:document' in word/document.xml, found 'workbook'"
    )
    assert office.read(made_docx("<w:p/>"), "docx").text == ""


def test_bombs() -> None:
    sizes = "expected at most 67,108,864, and 268,435,456 in all"
    big = zipped({"word/document.xml": b" " * (package.PART_BYTES + 1)})
    assert re.fullmatch(
        rf"bomb: word/document\.xml has 67,108,865 bytes, compressed to [\d,]+, {sizes}",
        refusal(big),
    )
    lies = bytearray(WORD)  # a directory that says less than there is
    struct.pack_into("<I", lies, lies.rindex(b"word/document.xml") - 22, 3)
    assert refusal(bytes(lies)).startswith("unreadable: ")
    deep = made_docx("<w:ins>" * 5_000 + "</w:ins>" * 5_000)
    assert "Excessive depth in document" in refusal(deep)


def test_all_parts_have_a_limit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "ALL_BYTES", 100)
    held = Package(zipped({"a": b"x" * 60, "b": b"y" * 60}), "file")
    assert held.read("A") == b"x" * 60
    with pytest.raises(Unfit, match="too long: b has 60 bytes"):
        held.read("b")


ENTITIES = '<!DOCTYPE a [<!ENTITY a0 "words">{}]>'.format(
    "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))
)


@pytest.mark.parametrize(
    "markup",
    [
        f"{ENTITIES}<a>&a12;</a>",
        f'{ENTITIES}<a b="&a12;"/>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///etc/hostname">%x;]><a/>',
        '<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a/>',
        '<!DOCTYPE a PUBLIC "-//x" "a.dtd"><a/>',
        "<a>&unknown;</a>",
    ],
)
def test_entities_and_document_types_elsewhere_are_refused(markup: str) -> None:
    with pytest.raises(PartError):
        parse(markup.encode(), "part")
    assert refusal(made_docx("", raw={"word/document.xml": markup})).startswith("unreadable: ")


def test_a_bare_document_type_is_ignored() -> None:
    made = made_docx(paragraph("words"))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        main = archive.read("word/document.xml").decode()
    typed = main.replace(XML, f"{XML}<!DOCTYPE w:document>")
    assert typed != main
    assert docx.parsed(made_docx("", raw={"word/document.xml": typed}), "")[1] == "words"


def test_damaged_parts_are_told_and_listed(tmp_path: Path) -> None:
    made = made_pptx([shape("one"), "", shape("three")], raw={"ppt/slide1.xml": "<"})
    (tmp_path / "a.pptx").write_bytes(made)
    documents, skips = read(tmp_path)
    assert documents[0].text == "one\nthree"
    assert brief(skips) == [("a.pptx", "damaged part")]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_raises_nothing_else(data: st.DataObject) -> None:
    made, reader = data.draw(st.sampled_from(((WORD, docx), (SLIDES, pptx), (TEXT, odt))))
    content = bytearray(made)
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    for damaged in (bytes(content), bytes(content[:cut])):
        with contextlib.suppress(Unfit):
            _, text, _, problems = reader.parsed(damaged, "comments,notes")
            assert isinstance(text, str)
            assert all(problems)


# ---- what can be added ----


def test_what_is_added(tmp_path: Path) -> None:
    comments = f'<w:comments><w:comment w:id="1">{paragraph("a remark")}</w:comment></w:comments>'
    (tmp_path / "a.docx").write_bytes(made_docx(paragraph("words"), {"comments": comments}))
    notes = f"<p:notes>{shape('a note', 'body')}</p:notes>"
    (tmp_path / "b.pptx").write_bytes(made_pptx([shape("slide")], {0: {"notesSlide1": notes}}))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.write(tmp_path / "b.pptx", "d.pptx")
    (tmp_path / "e.txt").write_text("plain")

    def texts(source: Path, *add: str) -> list[str]:
        found = find_all([str(source)], Options(add=add))
        return [one.text for path, kind in found for one in kind.documents(path, lambda _: None)]

    assert texts(tmp_path) == ["words", "slide", "slide", "plain"]
    assert texts(tmp_path, "comments") == ["words\na remark", "slide", "slide", "plain"]
    assert texts(tmp_path, "notes") == ["words", "slide\na note", "slide\na note", "plain"]
    assert texts(tmp_path / "c.zip", "notes") == ["slide\na note"]
    with pytest.raises(SourceError, match="its texts have no 'x' to add with add; these formats"):
        texts(tmp_path, "x")
    lines = tmp_path / "f.jsonl"
    lines.write_text('{"id": "a", "text": "words"}\n')
    with pytest.raises(SourceError, match="no 'notes' to add with add"):
        texts(lines, "notes")


def test_add_for_the_command_and_for_functions(tmp_path: Path) -> None:
    comments = f'<w:comments><w:comment w:id="1">{paragraph("a remark")}</w:comment></w:comments>'
    source = tmp_path / "a.docx"
    source.write_bytes(made_docx(paragraph("some words of a text here"), {"comments": comments}))
    files = [tmp_path / f"{name}.pocket" for name in ("command", "settings")]
    done = run("build", source, "-o", files[0], "--keep", "text", "--add", "comments")
    assert done.returncode == 0, done.stderr
    build([source], files[1], Settings(keep="text", add=("comments",)))
    assert files[0].read_bytes() == files[1].read_bytes()
    with pocketindex.open(files[0]) as index:
        assert index.text(0) == "some words of a text here\na remark"
