"""Dumps of a MediaWiki: articles by page id, with everything else counted; the same whatever the
packing and the number of threads.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import random
import re
import time
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from pocketindex.builder.document import Document, Notice, Skip
from pocketindex.builder.inputs.opening import multistream
from pocketindex.builder.inputs.pages.wiki import mediawiki
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.spill.chunks.document_batch import DocumentBatch
from pocketindex.builder.spill.threads import Threads
from reading import as_bytes, brief, opened, read

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="de">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <dbname>dewiki</dbname>
    <base>https://de.wikipedia.org/wiki/Wikipedia:Hauptseite</base>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Diskussion</namespace>
      <namespace key="6" case="first-letter">Datei</namespace>
      <namespace key="14" case="first-letter">Kategorie</namespace>
    </namespaces>
  </siteinfo>
"""
TAIL = "</mediawiki>\n"


def page(id: int, title: str, text: str, ns: int | None = 0, more: str = "") -> str:
    space = "" if ns is None else f"<ns>{ns}</ns>"
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    {space}\n    <id>{id}</id>\n    "
        f"{more}\n"
        f"    <revision>\n      <id>{id + 1000}</id>\n"
        f'      <text bytes="{len(text)}" xml:space="preserve">{escape(text)}</text>\n    '
        "</revision>\n  </page>\n"
    )


PAGES = [
    page(
        7,
        "Berlin (Stadt)",
        "'''Berlin''' ist eine [[Stadt]].\n\n[[Datei:B.jpg|mini|Ein Bild & mehr]][[Kategorie:Ort]]",
    ),
    page(8, "Diskussion:Berlin", "talk", 1),
    page(
        9,
        "Spree-Athen",
        "#WEITERLEITUNG [[Berlin (Stadt)]]",
        more='<redirect title="Berlin (Stadt)" />',
    ),
    page(10, "Old", "#REDIRECT [[Berlin (Stadt)]]"),
    page(11, "Leer", "{{Infobox}}\n"),
    page(12, "Gleich", "erster Text"),
    page(13, "Gleich", "zweiter Text"),
    page(14, "Ä/Ö? 100 %", "dritter Text"),
]


def write(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def many(count: int) -> list[str]:
    draw = random.Random(7)
    return [
        page(i + 1, f"Page {i + 1}", " ".join(f"w{draw.randrange(1 << 30):x}" for _ in range(60)))
        for i in range(count)
    ]


def streams(folder: Path, pages: list[str], index: bool, each: int = 10) -> Path:
    """As Wikipedia publishes them: the head, so many pages a stream, the tail, and an index of
    streams beside.
    """
    data, lines = bz2.compress(HEAD.encode()), ""
    for first in range(0, len(pages), each):
        lines += "".join(
            f"{len(data)}:{i + 1}:Page {i + 1}\n"
            for i in range(first, min(first + each, len(pages)))
        )
        data += bz2.compress("".join(pages[first : first + each]).encode())
    if index:
        write(
            folder / "xywiki-pages-articles-multistream-index.txt.bz2", bz2.compress(lines.encode())
        )
    return write(
        folder / "xywiki-pages-articles-multistream.xml.bz2", data + bz2.compress(TAIL.encode())
    )


def test_articles_and_what_is_left_out(tmp_path: Path) -> None:
    documents, skips = read(write(tmp_path / "d.xml", HEAD + "".join(PAGES) + TAIL))

    assert documents == [
        Document(
            "7",
            "Berlin (Stadt)",
            "Berlin ist eine Stadt.\n\nEin Bild & mehr",
            "https://de.wikipedia.org/wiki/Berlin_(Stadt)",
            "de",
        ),
        Document("11", "Leer", "", "https://de.wikipedia.org/wiki/Leer", "de"),
        Document("12", "Gleich", "erster Text", "https://de.wikipedia.org/wiki/Gleich", "de"),
        Document("13", "Gleich", "zweiter Text", "https://de.wikipedia.org/wiki/Gleich", "de"),
        Document(
            "14",
            "Ä/Ö? 100 %",
            "dritter Text",
            "https://de.wikipedia.org/wiki/%C3%84/%C3%96%3F_100_%25",
            "de",
        ),
    ]
    assert [(*place, s.detail) for place, s in zip(brief(skips), skips, strict=True)] == [
        ("d.xml:page 8", "other name space", "'Diskussion:Berlin' is no article"),
        ("d.xml:page 9", "redirect", "'Spree-Athen' leads to another page"),
        ("d.xml:page 10", "redirect", "'Old' leads to another page"),
    ]


def test_old_dumps_without_ns_and_without_siteinfo(tmp_path: Path) -> None:
    pages = page(1, "Diskussion:X", "text", None) + page(2, "Alien: Y", "text", None)

    assert [d.id for d in read(write(tmp_path / "d.xml", HEAD + pages + TAIL))[0]] == ["2"]
    assert read(write(tmp_path / "e.xml", "<mediawiki>" + pages + TAIL))[0] == [
        Document("1", "Diskussion:X", "text"),
        Document("2", "Alien: Y", "text"),
    ]


def test_the_last_revision_counts(tmp_path: Path) -> None:
    both = page(5, "A", "new words").replace(
        "<revision>", "<revision><text>old words</text></revision><revision>", 1
    )
    bare = page(6, "B", "words").replace("<text", "<nothing").replace("</text", "</nothing")
    beside = "<page><title>C</title><id>7</id><revision>no text element</revision></page>"
    documents, skips = read(write(tmp_path / "d.xml", HEAD + both + bare + beside + TAIL))

    assert [(d.id, d.text) for d in documents] == [("5", "new words"), ("6", ""), ("7", "")]
    assert skips == []


def test_names_of_other_name_spaces_and_prefixes(tmp_path: Path) -> None:
    """What an element is called decides, not the length of the name space that it shares or not
    with its page.
    """
    head = '<mediawiki xmlns="urn:d" xmlns:d="urn:d" xmlns:other="urn:other-and-longer">'
    pages = (
        "<page><other:title>A</other:title><d:id>1</d:id><other:nid>9</other:nid><revision><other:text>words</other:text></revision></page>"
        "<other:page><title "
        'xmlns="">B</title><other:ns>0</other:ns><id>2</id><revision><text>more</text></revision></other:page>'
        "<page><title>C</title><id>3</id><other:redirect/><revision><text>words</text></revision></page>"
    )
    documents, skips = read(write(tmp_path / "d.xml", head + pages + TAIL))

    assert documents == [Document("1", "A", "words"), Document("2", "B", "more")]
    assert brief(skips) == [("d.xml:page 3", "redirect")]


def test_comments_and_instructions_within_a_page_cut_nothing_off(tmp_path: Path) -> None:
    text = "one <!-- two --><![CDATA[& <b>three</b>]]><?four?> five"
    content = "<!-- a --><?b?><page><!-- c --><title>A<!-- d -->B</title><id><?e?>7</id>"
    content += f"<revision><!-- f --><text><!-- g -->{text}</text></revision></page>"

    assert read(write(tmp_path / "d.xml", "<mediawiki>" + content + TAIL)) == (
        [Document("7", "AB", "one & three five")],
        [],
    )


def test_skips_come_in_the_order_of_the_dump(tmp_path: Path) -> None:
    empty = page(19, " ", "{{Infobox}}")
    pages = [
        empty,
        PAGES[1],
        page(20, "B", "x").replace("<id>20</id>", ""),
        PAGES[2],
        empty,
        PAGES[5],
    ]
    skips = read(write(tmp_path / "d.xml", HEAD + "".join(pages) + TAIL))[1]

    assert [skip.reason for skip in skips] == [
        "empty",
        "other name space",
        "no id",
        "redirect",
        "empty",
    ]


@pytest.mark.parametrize("limit", [1000, pytest.param(1 << 28, marks=pytest.mark.slow)])
def test_pages_without_id_or_title_and_too_long_ones(
    limit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pocketindex.builder.document.TEXT_BYTES", limit)
    pages = (
        page(1, "", "words")
        + page(2, "B", "x").replace("<id>2</id>", "")
        + page(3, "C", "x" * (limit + 1))
    )
    documents, skips = read(write(tmp_path / "d.xml", HEAD + pages + TAIL))

    assert documents == [Document("1", "1", "words", lang="de")]
    assert brief(skips) == [("d.xml:page number 2", "no id"), ("d.xml:page 3", "too long")]


@pytest.mark.parametrize("threads", [1, 3])
def test_many_at_a_time_are_the_same(
    threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mediawiki, "_PAGES", 7)
    pages = (
        PAGES
        + many(60)
        + [
            page(900, "Nameless", "x").replace("<id>900</id>", ""),
            page(901, "Ill", "words \ufffd &amp; ''x''"),
        ]
    )
    other = (
        HEAD.partition(">\n")[2].replace("https://de.", "https://fr.").replace("Datei", "Fichier")
    )  # a second siteinfo
    content = (
        HEAD
        + "".join(pages)
        + other
        + page(902, "B", "[[Fichier:A.jpg|Une image]]")
        + PAGES[1]
        + PAGES[3]
    )
    for end, ended in ((TAIL, ""), ("<page>&", "not well-formed XML")):
        path = write(tmp_path / "d.xml", content + end)
        seen = list[Skip | Notice]()
        bundled = list[DocumentBatch]()
        expected = list[Document]()
        skips = list[Skip | Notice]()
        errors = list[str]()
        try:
            expected += mediawiki.documents(str(path), skips.append)
        except SourceError as error:
            errors.append(str(error))
        with Threads(threads) as pool:
            try:
                bundled += mediawiki.batches(str(path), seen.append, each=pool.map)
            except SourceError as error:
                errors.append(str(error))

        assert [ended in error for error in errors] == [True] * 2 * bool(ended)
        assert (len(expected), seen) == (67, skips)
        assert [document for batch in bundled for document in opened(batch)] == [
            as_bytes(document) for document in expected
        ]
        assert (expected[-1].url, expected[-1].text) == (
            "https://fr.wikipedia.org/wiki/B",
            "Une image",
        )
        assert len(bundled) > 9


@pytest.mark.parametrize("index", [False, True])
def test_streams_are_the_same_for_any_number_of_threads(
    tmp_path: Path, index: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = many(300)
    path = streams(tmp_path, pages, index)
    expected = read(write(tmp_path / "plain.xml", HEAD + "".join(pages) + TAIL))[0]

    assert len(expected) == 300
    for threads in (1, 2, 4):
        monkeypatch.setattr(multistream, "THREADS", threads)
        assert read(path) == (expected, [])


def test_every_packing_and_any_name(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard", reason="needs zstandard")
    plain = (HEAD + "".join(PAGES) + TAIL).encode()
    expected = read(write(tmp_path / "d.xml", plain))[0]
    packings = {
        "xml.gz": gzip.compress,
        "xml.zst": zstandard.compress,
        "xml.bz2": bz2.compress,
        "xml.xz": lzma.compress,
        "xml-p1p9.bz2": bz2.compress,
        "dump": bytes,
    }
    for suffix, pack in packings.items():
        assert read(write(tmp_path / f"d.{suffix}", pack(plain)))[0] == expected, suffix
    declared = b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?>\n' + plain
    assert read(write(tmp_path / "declared", declared))[0] == expected


def test_a_long_stream_among_short_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose content is longer than what is decompressed at once, and one whose bytes are longer
    than a piece.
    """
    monkeypatch.setattr("pocketindex.builder.inputs.opening.multistream._PIECE", 1 << 14)
    monkeypatch.setattr("pocketindex.builder.inputs.opening.multistream._CONTENT", 1 << 16)
    monkeypatch.setattr("pocketindex.builder.inputs.opening.multistream._READ", 1 << 13)
    noise = page(3, "Noise", os.urandom(50_000).hex())
    pages = [
        page(1, "A", "words"),
        page(2, "Zeros", "0" * 500_000),
        noise,
        page(4, "D", "more words"),
    ]
    path = streams(tmp_path, pages, index=False, each=1)
    plain = read(write(tmp_path / "plain.xml", HEAD + "".join(pages) + TAIL))[0]

    assert path.stat().st_size > 3 << 14
    assert read(path)[0] == plain
    streams(tmp_path, pages, index=True, each=1)
    assert read(path)[0] == plain
    assert (
        read(
            write(tmp_path / "one.xml.bz2", bz2.compress((HEAD + "".join(pages) + TAIL).encode()))
        )[0]
        == plain
    )


def test_a_stream_seems_to_begin_within_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = many(100)
    path = streams(tmp_path, pages, index=False)
    expected = read(path)[0]
    # Any of these bytes: cuts everywhere.
    monkeypatch.setattr(
        "pocketindex.builder.inputs.opening.multistream._BEGINS",
        re.compile(rb"BZh[1-9]1AY&SY|[\x00-\x07][\x00-\xff]"),
    )

    assert len(expected) == 100
    assert read(path)[0] == expected


def test_memory_does_not_grow_with_the_dump(tmp_path: Path) -> None:
    import resource

    def dump(pages: int) -> Path:
        body = page(1, "A", "some words of a page " * 500)
        return write(tmp_path / f"{pages}.xml", HEAD + body * pages + TAIL)

    def peak(path: Path) -> int:
        for _ in mediawiki.documents(str(path), lambda skip: None):
            pass
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    small, large = dump(100), dump(4000)
    before = peak(small)

    assert peak(large) - before < 10_000  # KiB, for 42 MB of pages


@pytest.mark.parametrize("each", [10, 1000])
def test_the_bytes_read_rise_to_those_of_the_file(tmp_path: Path, each: int) -> None:
    path = streams(tmp_path, many(1000), index=False, each=each)
    seen: list[int] = []
    for _ in mediawiki.documents(
        str(path), lambda skip: None, lambda read, total: seen.append(read)
    ):
        pass

    assert seen == sorted(seen)
    assert seen[0] < path.stat().st_size // 2 or each == 1000
    assert path.stat().st_size - 100 < seen[-1] <= path.stat().st_size


def test_streams_of_next_to_nothing(tmp_path: Path) -> None:
    data = bz2.compress(b"") * 100_000 + b"".join(
        map(bz2.compress, [HEAD.encode(), PAGES[0].encode(), TAIL.encode()])
    )
    start = time.process_time()
    assert len(read(write(tmp_path / "d.xml.bz2", data))[0]) == 1
    assert time.process_time() - start < 10
