"""Dumps of a MediaWiki that are cut short, damaged or none: errors name the place."""

from __future__ import annotations

import bz2
import os
import re
import sys
from pathlib import Path

import pytest
from pocketindex.builder.inputs.opening import multistream
from pocketindex.builder.inputs.pages.wiki import mediawiki
from pocketindex.builder.inputs.source import SourceError
from reading import read
from test_mediawiki import HEAD, PAGES, TAIL, many, page, streams, write


def error_of(path: Path, least: int = 0) -> str:
    documents = []
    with pytest.raises(SourceError) as error:
        for document in mediawiki.documents(str(path), lambda skip: None):
            documents.append(document)
    assert len(documents) >= least
    return str(error.value).removeprefix(str(path.parent) + os.sep)


@pytest.mark.parametrize("index", [False, True])
def test_a_truncated_dump_is_named_with_the_place(
    tmp_path: Path, index: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = streams(tmp_path, many(200), index)
    whole = path.read_bytes()
    starts = [m.start() for m in re.finditer(rb"BZh91AY&SY", whole)]
    write(path, whole[: starts[15] + 500])
    expected = (
        r"xywiki-pages-articles-multistream\.xml\.bz2: cut short: its bzip2 data has no end mark, "
        r"it stops after "
        r"[\d,]+ bytes of content; copy, download or compress the file again"
    )
    messages = set()
    for threads in (1, 2, 4):
        monkeypatch.setattr(multistream, "THREADS", threads)
        messages.add(error_of(path, least=130))
    assert len(messages) == 1
    assert re.fullmatch(expected, messages.pop())
    write(path, whole[: starts[15]])
    assert re.search(r"not well-formed XML: .*; download or export the dump again", error_of(path))


@pytest.mark.parametrize("index", [False, True])
def test_a_damaged_stream_is_named_with_the_place(tmp_path: Path, index: bool) -> None:
    path = streams(tmp_path, many(200), index)
    data = bytearray(path.read_bytes())
    start = [m.start() for m in re.finditer(rb"BZh91AY&SY", data)][12]
    data[start + 300] ^= 0x10
    write(path, bytes(data))
    message = error_of(path, least=100)

    assert (
        f"damaged (the bzip2 stream that begins at byte {start:,}: Invalid data stream): it "
        "cannot be read further than" in message
    )
    write(path, path.read_bytes()[:start] + b"no stream")
    assert (
        f"a stream begins at byte {start:,}, where" in error_of(path, 100)
        if index
        else f"begins at byte {start:,}: " in error_of(path, 100)
    )


def test_an_index_of_another_dump(tmp_path: Path) -> None:
    path = streams(tmp_path, many(40), index=True)
    index = tmp_path / "xywiki-pages-articles-multistream-index.txt.bz2"
    write(index, bz2.compress(b"100:1:Page 1\n"))
    assert (
        "its index says that a stream begins at byte 100, where none does; remove the index of "
        "another dump" in error_of(path)
    )
    write(index, bz2.compress(b"100;1;Page 1\n"))
    assert (
        "multistream-index.txt.bz2: line 1: expected offset:id:title; remove or replace it"
        in error_of(path)
    )
    write(index, bz2.compress(b"100:1:Page 1\n" * 1000)[:-10])
    assert "multistream-index.txt.bz2: " in error_of(path)
    index.unlink()
    assert len(read(path)[0]) == 40


def test_xml_that_is_no_dump(tmp_path: Path) -> None:
    assert (
        error_of(write(tmp_path / "d.xml", "<html><page/></html>"))
        == "d.xml: expected a dump of a MediaWiki, which begins with <mediawiki …>, found "
        "'<html><page/></html>'"
    )
    assert error_of(write(tmp_path / "d.xml", "")).endswith("found ''")
    broken = HEAD + PAGES[0] + "<page><title>A & B</title></page>" + TAIL
    assert error_of(write(tmp_path / "d.xml", broken)).startswith("d.xml: not well-formed XML: ")
    assert re.search(r"line \d+, column \d+", error_of(write(tmp_path / "d.xml", broken)))
    assert "not well-formed XML" in error_of(write(tmp_path / "d.xml", HEAD + PAGES[0]))


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    levels = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">' for i in range(12))
    bomb = (
        '<!DOCTYPE mediawiki [<!ENTITY e0 "ha"><!ENTITY file SYSTEM '
        f'"file:///etc/passwd">{levels}]>'
    )
    pages = page(1, "A", "before").replace("before", "before &e12; &file;") + TAIL

    assert "expected a dump of a MediaWiki" in error_of(
        write(tmp_path / "d.xml", bomb + HEAD + pages)
    )
    assert (
        "not well-formed XML: line 20, column 56: Entity 'e12' not defined; download"
        in error_of(write(tmp_path / "d.xml", HEAD + pages))
    )


def test_without_lxml_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    with pytest.raises(SourceError, match=re.escape("pip install 'pocketindex[wiki]'")):
        read(write(tmp_path / "d.xml", HEAD + TAIL))
