"""Texts in the file: every one comes back as it was given, snippets by their rule, and what the
command shows of them.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pocketindex
import pytest
from golden_files import FILES, SCRIPTS
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st
from made_up import made_up
from optional_sections import snippet as snippet_by_the_page
from places import GOLDEN
from plain import PlainIndex
from plain_layout import FF, Text, assemble
from plain_layout import Settings as Layout
from plain_writer import sections
from pocketindex.builder import Settings, build
from pocketindex.builder.document import Document
from pocketindex.builder.write.container import Section
from pocketindex.builder.write.texts import kept, write_texts
from pocketindex.cbits import ffi, lib, query_options
from pocketindex.wording.snippet import snippet
from run_command import run

LEARN = Settings(profile="learn")


def written(path: Path, documents: list[dict[str, str]]) -> str:
    path.write_text("".join(json.dumps(d) + "\n" for d in documents))
    return str(path)


def built(
    folder: Path, documents: list[dict[str, str]], keep: str = "text", **choices: Any
) -> Path:
    target = folder / f"{keep}.pocket"
    build(
        [written(folder / "docs.jsonl", documents)],
        target,
        dataclasses.replace(LEARN, keep=keep, **choices),
    )
    return target


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("whole"), made_up(60))


@pytest.fixture(scope="module")
def snippets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("snippets"), made_up(60), "snippet", snippet=50)


# ---- what comes back ----

# Blanks of all kinds, marks, scripts without spaces, four-byte characters, and lone surrogates,
# which become U+FFFD.
CHARACTERS = st.one_of(
    st.characters(), st.sampled_from(" \n\t\u3000\u00a0\u0301\u200d灯台\U0001f600e\ud800\0")
)
TEXTS = st.lists(st.text(CHARACTERS, max_size=200), min_size=1, max_size=12)


@given(TEXTS, st.integers(1, 100), st.integers(0, 300))
@budget(deadline=None, max_examples=60)
def test_any_text_comes_back_whatever_the_room(
    texts: list[str], room: int, characters: int
) -> None:
    """The section is the builder's; the file around it that of the tests' own writer, which gives
    every text a sketch.
    """
    # As documents have them: not empty, and fit for UTF-8.
    texts = [Document("x", "", f"{text}.").text for text in texts]
    keep = "snippet" if characters else "text"
    expected = [snippet_by_the_page(text, characters) if characters else text for text in texts]
    page = sections(
        [Text(str(i), f"alpha {text}") for i, text in enumerate(texts)],
        FF(stops=()),
        Layout(part_keys=99),
    )
    with tempfile.TemporaryDirectory() as folder, Section(6, Path(folder), flags=0) as own:
        given = [kept(text.encode(), keep, characters) for text in texts]
        write_texts(own, given, len(texts), keep, characters, room=room)
        blocks, at = [], len(own.parameters)
        out = Path(folder) / "section"
        with out.open("wb") as stream:
            own.write(stream)
        data, before = out.read_bytes(), len(own.head())
        for number in range(own.block_count):
            first, end = struct.unpack_from("<QQ", data, at + 20 * number)
            blocks.append((first, data[before : len(own.head()) + end]))
            before = len(own.head()) + end
        page.append(
            dataclasses.replace(
                page[0], kind=6, parameters=own.parameters, blocks=tuple(blocks), flags=0
            )
        )
        path = Path(folder) / "x.pocket"
        path.write_bytes(assemble(page))
        plain = PlainIndex.open(str(path))
        with pocketindex.open(path) as index:
            found = [
                index.snippet(i, 10_000) if characters else index.text(i) for i in range(len(texts))
            ]
            assert found == expected
            assert index.kept == keep
        assert [plain.text(i) for i in range(len(texts))] == expected
        plain.close()


def test_a_text_of_five_megabytes_among_short_ones(tmp_path: Path) -> None:
    random = Random(5)
    vocabulary = [
        "".join(random.choices("abcdefghijklmnopqrstuvwxyzäé🙂", k=6)) for _ in range(500)
    ]
    long = " ".join(random.choices(vocabulary, k=750_000))
    documents = made_up(5)
    documents[2]["text"] = long
    path = tmp_path / "x.pocket"
    build([written(tmp_path / "docs.jsonl", documents)], path, Settings(profile="en", keep="text"))
    plain = PlainIndex.open(str(path))
    with pocketindex.open(path) as index:
        index.verify()

        assert len(long.encode()) > 5_000_000
        assert [index.text(i) for i in range(5)] == [d["text"] for d in documents]
        assert plain.text(2) == long
        assert index.query(long, top=1, exact=True)[0].cosine == 1.0
    plain.close()


@pytest.mark.parametrize("name", ["text", "snippet"])
def test_golden_files_have_their_texts(name: str) -> None:
    layout = FILES[name][2]
    plain = PlainIndex.open(str(GOLDEN / f"{name}.pocket"))
    with pocketindex.open(GOLDEN / f"{name}.pocket") as index:
        for number, document in enumerate(SCRIPTS):
            expected = (
                document.text
                if name == "text"
                else snippet_by_the_page(document.text, layout.characters)
            )

            assert index.snippet(number, 10_000) == " ".join(expected.split())
            assert plain.text(number) == expected
            assert index.text(number) == (expected if name == "text" else None)
    if name == "text":
        assert plain.texts
        assert {first % 2**32 for first in plain.texts.section.firsts} >= {0, 1, 2}


def test_same_input_same_bytes(tmp_path: Path, whole: Path) -> None:
    assert built(tmp_path, made_up(60)).read_bytes() == whole.read_bytes()


def test_what_is_left_out_is_not_kept(tmp_path: Path) -> None:
    documents = [
        made_up(1)[0],
        {"id": "short", "text": "too short"},
        {"id": "doc-0", "text": "twice " * 9},
        made_up(2)[1],
    ]
    path = built(tmp_path, documents)
    with pocketindex.open(path) as index:
        index.verify()

        assert [index.text(i) for i in range(len(index))] == [
            documents[0]["text"],
            documents[3]["text"],
            "too short",
        ]


def test_no_documents(tmp_path: Path) -> None:
    """No build makes such a file, and the format has it."""
    for keep in ("text", "snippet"):
        path = tmp_path / f"{keep}.pocket"
        path.write_bytes(
            assemble(sections([], FF(), Layout(keep=keep, characters=40 * (keep == "snippet"))))
        )
        PlainIndex.open(str(path)).verify()
        with pocketindex.open(path) as index:
            index.verify()
            assert (len(index), index.kept) == (0, keep)
            with pytest.raises(IndexError):
                index.snippet(0)


def test_files_differ_only_by_the_section(collection: Path, tmp_path: Path, whole: Path) -> None:
    """What is kept changes no answer, and costs what info says."""
    source = tmp_path / "docs.jsonl"
    written(source, made_up(60))
    build([str(source)], tmp_path / "none.pocket", LEARN)
    with pocketindex.open(tmp_path / "none.pocket") as none, pocketindex.open(whole) as index:
        info = index.info()

        assert (none.kept, none.info().texts, none.text(0), none.snippet(0)) == (
            "none",
            "none",
            None,
            None,
        )
        assert info.texts == "text"
        assert info.bytes_per_document["texts"] == pytest.approx(
            info.sections["texts"] / 60, abs=1e-3
        )
        assert 0 <= info.file_size - none.info().file_size - info.sections["texts"] - 40 < 8
        for document in made_up(60)[::7]:
            asked = document["text"][:-30].encode()
            assert sketches_of(index, asked) == sketches_of(none, asked)


def sketches_of(index: pocketindex.Index, text: bytes) -> list[tuple[int, int]]:
    """Return the hits of the sketches alone."""
    hits, count = ffi.new("pocket_hit[]", 20), ffi.new("uint32_t *", 20)
    options, error = query_options(sketches_alone=True), ffi.new("pocket_error *")
    assert not lib.pocket_query(index._core, text, len(text), options, hits, count, error)
    return [(hit.document, hit.similarity) for hit in hits[0 : count[0]]]


# ---- snippets ----


@pytest.mark.parametrize(
    ("text", "characters", "expected"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two"),
        ("one two three", 7, "one two"),
        ("one two three", 6, "one"),
        ("  one\n\n\ttwo\u3000three ", 100, "one two three"),
        ("one two three   ", 13, "one two three"),
        (
            "one extraordinarily",
            10,
            "one extrao",
        ),  # going back to the space would lose more than half
        ("灯台守は毎晩、海の色と", 5, "灯台守は毎"),
        ("a b", 1, "a"),
        ("ab c", 1, "a"),
        ("🙂🙂🙂", 2, "🙂🙂"),
        ("", 5, ""),
        (" \n ", 5, ""),
    ],
)
def test_snippets_are_cut_between_words(text: str, characters: int, expected: str) -> None:
    assert snippet(text, characters) == expected


@given(st.text(st.sampled_from("ab灯 \n\u3000🙂"), max_size=60), st.integers(1, 40))
def test_snippets_by_their_rule(text: str, characters: int) -> None:
    assert snippet(text, characters) == snippet_by_the_page(text, characters)


def test_a_snippet_is_the_beginning_and_no_more(snippets: Path) -> None:
    with pocketindex.open(snippets) as index:
        index.verify()
        for number, document in enumerate(made_up(60)):
            shown = index.snippet(number)

            assert shown == snippet(document["text"], 50)
            assert shown
            assert index.snippet(index.record(number), 20) == snippet(document["text"], 20)
            assert index.text(number) is None


# ---- exact ----


def test_verified_hits_are_those_of_the_texts(whole: Path) -> None:
    documents = made_up(60)
    text = documents[7]["text"] + " and three words"
    with pocketindex.open(whole) as index:
        plain = index.query(text, top=60, probes=5000, min_similarity=0)
        hits = index.query(text, top=60, probes=5000, exact=True, min_similarity=0)

        assert {(h.cosine, h.shared) for h in plain} == {(None, None)}
        assert {h.id for h in hits} == {h.id for h in plain}
        assert {h.number: h.keys for h in hits} == {h.number: h.keys for h in plain}
        assert {(h.number, h.similarity) for h in plain if h.evidence == "sketch"} < {
            (h.number, h.similarity) for h in hits
        }
        cosines = [h.cosine for h in hits]
        assert cosines == sorted(cosines, key=lambda c: -(c or 0))
        assert hits[0].id == "doc-7"
        # Three words more are three shingles more.
        own = len(words(documents[7]["text"])) - 2
        assert hits[0].shared == pocketindex.Shared(own / (own + 3), own / (own + 3))
        assert list(index.query(text, probes=5000, exact=True, min_similarity=0.5)) == [
            h for h in hits if (h.cosine or 0) >= 0.5
        ]


def words(text: str) -> list[str]:
    return text.lower().replace(".", "").replace(",", "").split()


def test_figures_by_hand(tmp_path: Path) -> None:
    """Of a file whose profile has no weights: cosine of counts without stop words, shingles with
    them.
    """
    document = "The cat sat on the mat and the dog sat on the log while it rained"
    text = "The cat sat on the mat while it rained on the red log"
    source = written(
        tmp_path / "docs.jsonl",
        [{"id": "1", "text": document}, {"id": "2", "text": "cats and dogs " * 9}],
    )
    build(
        [source],
        tmp_path / "x.pocket",
        Settings(scheme="ff", profile="en", keep="text", probes=4000),
    )
    with pocketindex.open(tmp_path / "x.pocket") as index:
        stops = {w for w in words(document + " " + text) if not is_counted(index, w)}
        hits = {h.id: h for h in index.query(text, exhaustive=True, exact=True, min_similarity=0)}
    counts = [{w: words(t).count(w) for w in words(t) if w not in stops} for t in (text, document)]
    dot = sum(counts[0].get(w, 0) * n for w, n in counts[1].items())
    norms = [sum(n * n for n in c.values()) ** 0.5 for c in counts]
    shingles = [
        {tuple(words(t)[i : i + 3]) for i in range(len(words(t)) - 2)} for t in (text, document)
    ]
    common = len(shingles[0] & shingles[1])

    assert stops >= {"the", "on"}
    assert hits["1"].cosine == pytest.approx(dot / norms[0] / norms[1])
    assert hits["1"].shared == pocketindex.Shared(
        common / len(shingles[0] | shingles[1]), common / len(shingles[0])
    )
    assert (hits["2"].cosine, hits["2"].shared) == (0.0, pocketindex.Shared(0.0, 0.0))


def is_counted(index: pocketindex.Index, word: str) -> bool:
    from pocketindex.queries.exact import Bag

    return Bag(index._core, index.path, word.encode()).square > 0


def test_weights_are_those_of_the_profile(whole: Path) -> None:
    """rff: a word that few documents have counts more than one that many have."""
    documents = made_up(60)
    rare = documents[7]["text"].split()[-1]
    common = "lighthouse"  # in the sentence that every ninth document begins with
    from pocketindex.queries.exact import Bag

    with pocketindex.open(whole) as index:
        bags = [
            Bag(index._core, index.path, word.encode()) for word in (rare, common, f"{rare} {rare}")
        ]

    assert bags[0].square > bags[1].square > 0
    assert bags[2].square == 4 * bags[0].square
    assert bags[0].cosine(bags[2]) == 1.0
    assert bags[0].cosine(bags[1]) == 0.0


def test_several_files_are_merged_by_cosine(whole: Path, tmp_path: Path) -> None:
    other = built(tmp_path, made_up(90)[60:])
    text = made_up(90)[70]["text"][:-60]
    with pocketindex.open_many([whole, other]) as indexes:
        hits = indexes.query(text, top=20, exact=True, exhaustive=True, min_similarity=0)
        cosines = [hit.cosine or 0.0 for hit in hits]

        assert (hits[0].id, hits[0].file_number, {hit.file_number for hit in hits}) == (
            "doc-70",
            1,
            {0, 1},
        )
        assert cosines == sorted(cosines, reverse=True)
        shown = run(
            "query", whole, other, "-", "--exact", "--top", "1", stdin=text
        ).stdout.splitlines()
        assert shown[0].endswith(f"[{other}]")
        assert shown[-1].strip() == indexes.indexes[1].snippet(10)


def test_a_verified_query_needs_whole_texts(snippets: Path, pocket: Path) -> None:
    for path, found in ((snippets, "only snippets of them"), (pocket, "nothing of them")):
        with pocketindex.open(path) as index, pytest.raises(pocketindex.NeedsTexts) as caught:
            index.query(made_up(1)[0]["text"], exact=True)
        assert str(caught.value) == (
            f'{path}: expected the texts of its documents, found {found}; build it with keep="text"'
        )


# ---- passages ----


def test_passages_are_the_longest_common_runs(whole: Path) -> None:
    source = made_up(60)[7]["text"].split()
    text = " ".join(
        [
            *source[:3],
            "other",
            "words",
            *source[10:24],
            "and\nmore,",
            *source[30:36],
            "of",
            *source[24:27],
        ]
    )
    with pocketindex.open(whole) as index:
        found = index.explain(text, index.document("doc-7")).passages

    assert [(p.words, p.text) for p in found or []] == [
        (14, " ".join(source[10:24])),
        (6, " ".join(source[30:36])),
    ]


def test_passages_ignore_case_and_points_and_know_scripts_without_spaces() -> None:
    from pocketindex.wording.passages import passages

    assert [p.text for p in passages("Say: the QUICK, brown fox!", "the quick brown (fox)")] == [
        "the QUICK, brown fox"
    ]
    assert [(p.text, p.words) for p in passages("灯台守は毎晩日記", "この灯台守は毎日")] == [
        ("灯台守は毎", 5)
    ]
    assert passages("one two three", "one two three") == []
    assert passages("", "a b c d e") == []
    assert [p.words for p in passages("a " * 3000, "a " * 2000)] == [2000, 1000]


def test_a_longer_run_is_found_behind_the_start_of_a_shorter_one() -> None:
    from pocketindex.wording.passages import passages

    found = passages("a b c d e f g h i", "x a b c d e y c d e f g h i")

    assert [p.text for p in found] == ["c d e f g h i"]
