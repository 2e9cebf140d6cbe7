"""Titles found by their beginnings: the core, the plain reader and a sort agree; the builder, the
command, the section in pieces.
"""

from __future__ import annotations

import json
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

import places
import pocketindex
import pytest
from golden_files import FILES, NAMES, TITLED
from hypothesis import given
from hypothesis import strategies as st
from made_up import made_up
from plain import PlainIndex
from plain.titles import title_key
from plain_layout import FF, Text
from plain_layout import Settings as Layout
from plain_writer import write
from pocketindex.builder import Settings, build
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.titles import HELD, TitlesWriter, _shared
from pocketindex.cbits import ffi, lib
from pocketindex.errors import NeedsTitles
from run_command import run
from test_pieces import in_pieces

GOLDEN = places.GOLDEN / "titles.pocket"
ASKED = [
    "",
    "e",
    "Émile",
    "émile zola",
    "emile zola!",
    "light",
    "LIGHT ",
    "light-d",
    "list of lights b",
    "東京",
    "東",
    "fi",
    "각",
    "ang",
    "हि",
]
ASKED += [
    "same beginning, number 3 of",
    "same beginning number 6 of 20",
    "zz",
    "…",
    "ß" * 90,
    "X" * 255,
    "x" * 256,
    "\ud800",
    "number",
]


def core_key(text: bytes) -> bytes:
    out = ffi.new("uint8_t[]", 255)
    return bytes(ffi.buffer(out, lib.pocket_title_key(text, len(text), out)))


@given(
    st.text(max_size=40)
    | st.text(st.sampled_from("aÉ e\u0301\u0345. ß각가ᄀ\u11a8か\u3099ﬁ_1\u200d東🙂"), max_size=300)
)
def test_keys_are_those_of_the_page(text: str) -> None:
    data = text.encode("utf-8", "replace")
    key = core_key(data)

    assert key == title_key(data)
    assert len(key) <= 255
    assert key.decode() == " ".join(key.decode().split(" "))
    assert core_key(key) == key or not text.isascii()


def test_case_accents_and_points_do_not_count() -> None:
    for text, key in (
        ("Émile  Zola: J'accuse!", "emile zola j accuse"),
        ("  U.S. Navy ", "u s navy"),
        ("東京 タワー", "東京 タワー"),
        ("ÅNGSTRÖM ﬁx", "angstrom fix"),
        ("C++", "c"),
        ("…", "…"),
        (" ?! \t…\n", "?! …"),
        (" \n", ""),
        ("?" * 300, "?" * 255),
        ("x" * 300, "x" * 255),
        ("ab " * 100, "ab " * 84 + "ab"),
        ("y" * 254 + " z", "y" * 254),
    ):
        assert core_key(text.encode()).decode() == key


def test_every_title_finds_itself_first(tmp_path: Path) -> None:
    """Whatever its case, however long it is, and where it has no letter."""
    titles = ["polish", "Polish", "POLISH", "!", "?", "...", "?!", "C", "C++", "c", "é" * 200]
    titles += ["é" * 200 + "a", "É" * 200, "Polish people", "no" * 200, "-"]
    texts = [Text(f"d{i}", "alpha beta gamma", title) for i, title in enumerate(titles)]
    for entries in (1, 3, 1000):
        (tmp_path / "a.pocket").write_bytes(write(texts, FF(), Layout(titles=entries)))
        with pocketindex.open(tmp_path / "a.pocket") as index:
            index.verify()
            for title in titles:
                cut = title.encode()[:255].decode(errors="ignore")
                for top in (1, 2, 100):
                    first = index.titles(title, top)[0].title
                    assert first.encode()[:255].decode(errors="ignore") == cut


@pytest.mark.parametrize("top", [1, 3, 10, 10_000])
def test_golden_answers(top: int) -> None:
    with pocketindex.open(GOLDEN) as index, PlainIndex.open(str(GOLDEN)) as plain:
        for text in ASKED:
            expected = sorted(
                (title_key(t.encode()[:255].decode(errors="ignore").encode()), i)
                for i, t in enumerate(NAMES)
            )
            key = title_key(text.encode("utf-8", "replace"))
            numbers = [number for own, number in expected if own and own.startswith(key)]

            assert [record.number for record in index.titles(text, top)] == numbers[:top], text
            assert [number for number, _ in plain.titled(text) or []] == numbers, text


def test_every_layout_finds_the_same(tmp_path: Path) -> None:
    random = Random(7)
    words = ["Light", "light", "List of", "lighthouse", "É", "e", "東京", "a" * 40, ""]
    texts = [
        Text(f"d{i}", "alpha beta gamma", " ".join(random.choices(words, k=random.randint(0, 4))))
        for i in range(200)
    ]
    asked = ["", "light", "list of list of list of", "e", "東", "a" * 41, "light light"]
    answers = set()
    for entries in (1, 2, 7, 1000):
        (tmp_path / "a.pocket").write_bytes(
            write(texts, FF(), Layout(posting_bits=8, titles=entries))
        )
        with pocketindex.open(tmp_path / "a.pocket") as index:
            index.verify()
            answers.add(
                json.dumps(
                    [
                        [r.number for r in index.titles(text, top)]
                        for text in asked
                        for top in (2, 500)
                    ]
                )
            )

    assert len(answers) == 1


def test_the_builder_writes_them(tmp_path: Path) -> None:
    documents = [{**d, "title": name} for d, name in zip(made_up(len(NAMES)), NAMES, strict=True)]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents))
    for name, titles in (("with", True), ("without", False)):
        build(
            [str(tmp_path / "d.jsonl")],
            tmp_path / f"{name}.pocket",
            Settings(profile="en", titles=titles),
        )
    with (
        pocketindex.open(tmp_path / "with.pocket") as index,
        PlainIndex.open(str(tmp_path / "with.pocket")) as plain,
    ):
        index.verify()
        plain.verify()
        for text in ASKED:
            assert [r.number for r in index.titles(text, 100)] == [
                number for number, _ in plain.titled(text) or []
            ]
        assert index.info().sections["titles"] > 0
        assert index.titles("emile zola")[0].title == "Émile Zola"
        assert index.titles("x" * 280)[0].title == "x" * 300
    with (
        pocketindex.open(tmp_path / "without.pocket") as index,
        pytest.raises(NeedsTitles) as caught,
    ):
        index.titles("a")
    assert str(caught.value).endswith(
        "without.pocket: expected titles to look up, found none; build it with titles=True"
    )
    for top in (0, 10_001):
        with (
            pocketindex.open(tmp_path / "with.pocket") as index,
            pytest.raises(ValueError, match=rf"top is {top}; it must be between 1 and 10000"),
        ):
            index.titles("a", top)


def test_sorted_in_pieces_gives_the_same_bytes(tmp_path: Path) -> None:
    out, blocks = set(), 0
    for in_memory in (10_000, 100, 7):
        with (
            Section(7, tmp_path, flags=0) as section,
            TitlesWriter(section, tmp_path, in_memory * HELD) as writer,
        ):
            for i in range(60):
                for name in NAMES:
                    writer.add(f"{i % 40} {name}".encode())
            writer.finish()
            with (tmp_path / "section").open("wb") as file:
                section.write(file)
            blocks = section.block_count
        out.add((tmp_path / "section").read_bytes())

    assert len(out) == 1
    assert blocks > 1


@given(st.binary(max_size=20), st.binary(max_size=20), st.binary(max_size=20))
def test_what_two_titles_share(begin: bytes, first: bytes, second: bytes) -> None:
    both = begin + first, begin + second
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(*both, strict=False))
    assert _shared(*both) == len(list(alike))


def test_no_documents_and_no_titles(tmp_path: Path) -> None:
    for texts in ([], [Text("a", "alpha beta gamma")]):
        (tmp_path / "a.pocket").write_bytes(write(texts, FF(), Layout(titles=3)))
        with pocketindex.open(tmp_path / "a.pocket") as index:
            index.verify()
            assert not index.titles("")


def test_in_pieces_a_look_up_takes_few_rounds(tmp_path: Path) -> None:
    """One block where eight bytes tell the blocks apart; otherwise a bisection."""
    texts = [
        Text(f"d{i}", "alpha beta gamma", f"{i:04}" if i % 2 else f"the same {i:04}")
        for i in range(600)
    ]
    data = write(texts, FF(), Layout(posting_bits=10, titles=10))
    for text, first, most in (("0077", 77, 1), ("the same 0300", 300, 7)):
        with in_pieces(data) as pieces:
            out, count = ffi.new("pocket_title **"), ffi.new("uint32_t *")

            def ask(
                error: object,
                text: str = text,
                pieces: Any = pieces,
                out: Any = out,
                count: Any = count,
            ) -> int:
                count[0] = 3
                return int(
                    lib.pocket_titles_find(
                        pieces.handle, text.encode(), len(text), out, count, error
                    )
                )

            pieces.answer(ask)
            assert (count[0], out[0][0].document) == (1, first)
            lib.pocket_titles_free(out[0])
            assert pieces.rounds <= most


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(
        "".join(
            json.dumps({**d, "title": name}) + "\n"
            for d, name in zip(made_up(9), NAMES, strict=False)
        )
    )
    run("build", tmp_path / "d.jsonl", "-o", tmp_path / "a.pocket", "--profile", "en", "--titles")
    found = run("titles", tmp_path / "a.pocket", "list of", "--top", "2")
    as_json = run("titles", tmp_path / "a.pocket", "EMILE z", "--json")
    nothing = run("titles", tmp_path / "a.pocket", "zz")

    assert (found.returncode, found.stdout) == (
        0,
        "doc-6\tList of lights (A)\t\ndoc-7\tList of lights (B)\t\n",
    )
    assert [json.loads(line)["title"] for line in as_json.stdout.splitlines()] == [
        "Émile Zola",
        "EMILE, ZOLA!",
    ]
    assert (nothing.returncode, nothing.stdout) == (1, "")
    for empty in "", " \t":  # every title begins so, from Python and here
        done = run("titles", tmp_path / "a.pocket", empty, "--top", "3")
        with pocketindex.open(tmp_path / "a.pocket") as index:
            titles = [record.title for record in index.titles(empty, top=3)]
        assert [line.split("\t")[1] for line in done.stdout.splitlines()] == titles
        assert (done.returncode, len(titles)) == (0, 3)


def test_the_golden_file_keeps_its_names() -> None:
    assert FILES["titles"][0] is TITLED
    with pocketindex.open(GOLDEN) as index:
        assert [index.record(i).title for i in range(len(NAMES))] == NAMES
