"""The plain reader gives the answers that docs/format.md defines: here computed from all documents,
without hash, part or heap.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import floor, log2
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import PlainIndex, PlainReport
from plain import conventions as plain_conventions
from plain import index as plain_index
from plain import profile as plain_profile
from plain.conventions import crc32c, mix
from plain.probes import probes
from plain.sketch import Quantised, Table
from plain_layout import BMZ, FF, PILOT, Section, Settings, Text, assemble, murmur
from plain_tables import pilot
from plain_writer import Digit, record, sections, sketch, sub_key, write
from pocketindex import errors
from pocketindex.errors import TextTooLong, TextTooShort

WORDS = [first + rest for first in "abcdefghijklm" for rest in ("lpha", "eta", "amma")]
WORDS += FF().stops
BORDERS = tuple(range(-60_000, 60_000, 8_000))
assert len(BORDERS) == 15

Answer = tuple[int, int, int]


def texts(seed: int, count: int, least: int = 2, most: int = 12) -> list[Text]:
    chance = random.Random(seed)
    return [
        Text(
            f"id {i}",
            " ".join(["alpha", *chance.choices(WORDS, k=chance.randint(least, most))]),
            f"title {i}",
        )
        for i in range(count)
    ]


def probed_keys(ff: FF, table: int, asked: Sequence[Digit], count: int) -> list[int]:
    """All sets of moves by (level, mask).

    A set of s moves comes after its 2^s - 1 subsets, so larger sets need not be tried.
    """
    first, length = ff.tables[table][:2]
    own = asked[first : first + length]
    moves = sorted(
        (cost, i, direction)
        for i, digit in enumerate(own)
        for direction, cost in digit.costs.items()
    )[:32]
    unit = sum(cost for cost, _, _ in moves[: floor(log2(count)) + 1]) // 64 + 1
    levels = [max(cost // unit, 1) for cost, _, _ in moves]
    found = []
    for size in range(min(int(log2(count)), len(moves)) + 1):
        for chosen in combinations(range(len(moves)), size):
            steps = {moves[i][1]: moves[i][2] for i in chosen}
            level = sum(levels[i] for i in chosen)
            if len(steps) == size and level < 1024:
                digits = [digit.value + steps.get(i, 0) for i, digit in enumerate(own)]
                found.append(
                    (level, sum(1 << i for i in chosen), sub_key(digits, ff.intervals(table)))
                )
    return [key for _, _, key in sorted(found)[:count]]


def similarity(asked: Sequence[Digit], stored: Sequence[Digit], same_identity: bool) -> int:
    equal = [one.value == other.value for one, other in zip(asked, stored, strict=True)]
    agreement = 65_536 * sum(equal) // len(equal)
    return 10_000 if all(equal) and same_identity else min(agreement * 10_000 // 65_536, 9_999)


def answers(
    documents: Sequence[Text], ff: FF, identity_bits: int, text: str, probes: int
) -> list[Answer]:
    """Document, similarity and tables of all hits."""
    asked, rows = sketch(ff, text), [sketch(ff, document.text) for document in documents]
    tables = [0] * len(documents)
    for table, (first, count) in enumerate(row[:2] for row in ff.tables):
        keys = set(probed_keys(ff, table, asked, probes))
        for number, row in enumerate(rows):
            if (
                sub_key([digit.value for digit in row[first : first + count]], ff.intervals(table))
                in keys
            ):
                tables[number] |= 1 << table
    hits = []
    for number, (document, row) in enumerate(zip(documents, rows, strict=True)):
        if tables[number]:
            same = (murmur(document.text.encode()) ^ murmur(text.encode())) % (
                1 << identity_bits
            ) == 0
            hits.append((number, similarity(asked, row, same), tables[number]))
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))


def found(index: PlainIndex, text: str, probes: int, top: int = 1000) -> list[Answer]:
    return [(hit.document, hit.similarity, hit.tables) for hit in index.query(text, top, probes)]


layouts = st.builds(
    Settings,
    mph=st.sampled_from([PILOT, BMZ, 3, 4]),
    checksum_bits=st.sampled_from([0, 8, 16, 32]),
    part_keys=st.integers(1, 40),
    identity_bits=st.sampled_from([0, 8, 16, 32]),
    posting_bits=st.integers(6, 32),
    per_block=st.integers(1, 70),
    content=st.integers(1, 500),
)
profiles = st.builds(
    FF,
    stop_slots=st.sampled_from([0, 4, 16]),
    prefix=st.integers(1, 3),
    expectation=st.sampled_from([(2**30, 2**30, 2**31), (1, 2**16, 2**32 - 1)]),
    components=st.lists(
        st.tuples(
            st.integers(0, 2),
            st.lists(st.integers(-65_536, 200_000), min_size=1, max_size=4, unique=True)
            .map(sorted)
            .map(tuple),
        ),
        min_size=4,
        max_size=6,
    ).map(tuple),
    tables=st.sampled_from([((0, 4),), ((0, 2), (2, 2)), ((1, 3), (0, 3), (3, 1))]),
).map(lambda ff: ff if ff.stop_slots else replace(ff, stops=()))


@settings(max_examples=60, deadline=None)
@given(
    layout=layouts,
    ff=profiles,
    seed=st.integers(0, 1000),
    count=st.integers(0, 60),
    probes=st.integers(1, 40),
)
def test_answers_are_those_of_the_definition(
    layout: Settings, ff: FF, seed: int, count: int, probes: int
) -> None:
    documents, queries = texts(seed, count), texts(seed + 1, 3)
    index = PlainIndex.open(write(documents, ff, layout))
    index.verify()
    for query in (*documents[:3], *queries):
        expected = answers(documents, ff, layout.identity_bits, query.text, probes)

        assert expected == found(index, query.text, probes)
        assert len(expected) == index.report.candidates
        assert not index.report.capped


@pytest.mark.parametrize("components", [16, 17], ids=["product 2^64", "product above 2^64"])
def test_keys_of_many_digits(components: int) -> None:
    ff = FF(
        components=tuple((i % 3, BORDERS) for i in range(components)), tables=((0, components),)
    )
    documents = texts(5, 40, 30, 60)
    index = PlainIndex.open(write(documents, ff))
    index.verify()
    digits, weights, keys = index.sketch(documents[7].text)
    asked = sketch(ff, documents[7].text)

    assert [digit.value for digit in asked] == digits
    assert weights == [1] * components
    assert keys == [
        murmur(bytes(digits))
        if components == 17
        else int("".join(f"{digit:x}" for digit in reversed(digits)), 16)
    ]
    for document in documents[:5]:
        changed = document.text + " alpha"
        assert answers(documents, ff, 32, changed, 15) == found(index, changed, 15)


def test_only_32_moves_of_a_sub_key_count() -> None:
    quantised = Quantised(digits=[1] * 17, down=[1] * 17, up=[1] * 17, weights=[1] * 17, terms=1)
    keys = probes(Table(range(17), [3] * 17), quantised, 40)
    changed = [sum(key // 3**i % 3 != 1 for i in range(17)) for key in keys]

    assert changed == [0] + [1] * 32 + [2] * 7


def test_probes_end_when_all_are_given() -> None:
    quantised = Quantised(digits=[0, 1], down=[None, 5], up=[7, 2], weights=[1, 1], terms=1)
    table = Table(range(2), [2, 3])

    # In order of cost: nothing 0, second up 2, second down 5, first up 7, first and second up 9,
    # first up and second down 12.
    assert probes(table, quantised, 100) == [2, 4, 0, 3, 5, 1]
    assert probes(table, quantised, 1) == [2]


def test_equal_costs_are_ordered_by_mask() -> None:
    quantised = Quantised(digits=[0, 0, 0], down=[None] * 3, up=[1, 2, 3], weights=[1] * 3, terms=1)

    # Masks 011 and 100 both cost 3.
    assert probes(Table(range(3), [2, 2, 2]), quantised, 8) == [
        0b000,
        0b001,
        0b010,
        0b011,
        0b100,
        0b101,
        0b110,
        0b111,
    ]


def test_probes_come_in_levels_not_by_exact_cost() -> None:
    quantised = Quantised(
        digits=[0, 0, 0], down=[None] * 3, up=[6400, 6450, 64000], weights=[1] * 3, terms=1
    )

    # The unit is (6400 + 6450 + 64000) // 64 + 1 = 1201: levels 5, 5, 53. A level above 1023 is not
    # probed.
    assert probes(Table(range(3), [2, 2, 2]), quantised, 4) == [0b000, 0b001, 0b010, 0b011]
    quantised.up[2] = 2**32 - 2
    assert probes(Table(range(3), [2, 2, 2]), quantised, 3) == [0b000, 0b001, 0b010]
    assert probes(Table(range(3), [2, 2, 2]), quantised, 2) == [0b000, 0b001]


def test_ties_are_ordered_by_document() -> None:
    documents = [Text(f"id {i}", "alpha beta gamma") for i in (3, 1, 2)]
    index = PlainIndex.open(write(documents))

    assert found(index, "alpha beta gamma", 1) == [(0, 10_000, 3), (1, 10_000, 3), (2, 10_000, 3)]
    assert found(index, "alpha beta gamma", 1, top=2) == [(0, 10_000, 3), (1, 10_000, 3)]


@pytest.mark.parametrize("identity_bits", [0, 32])
def test_only_the_same_text_is_fully_similar(identity_bits: int) -> None:
    index = PlainIndex.open(
        write([Text("a", "alpha beta gamma")], FF(), Settings(identity_bits=identity_bits))
    )

    assert found(index, "alpha beta gamma", 1) == [(0, 10_000, 3)]
    assert found(index, "gamma beta alpha", 1) == [(0, 9_999 if identity_bits else 10_000, 3)]


def test_weights_of_zero_count_as_one() -> None:
    index = PlainIndex.open(write([Text("a", "alpha")], FF()))
    quantised = Quantised(digits=[0, 0, 0, 0, 0], down=[], up=[], weights=[0] * 5, terms=1)

    # 65536 * 2 / 5 = 26214.4; 10000 * 26214 / 65536 = 3999.9
    assert index.similarity(quantised, [0, 0, 1, 1, 1], same_identity=False) == 3_999


def test_a_query_stops_at_the_most_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = texts(3, 50)
    index = PlainIndex.open(write(documents))
    everything = found(index, documents[0].text, 8)
    total = sum(tables.bit_count() for _, _, tables in everything)
    assert total > 20

    monkeypatch.setattr(plain_index, "CANDIDATES", total)
    assert everything == found(index, documents[0].text, 8)
    assert not index.report.capped

    monkeypatch.setattr(plain_index, "CANDIDATES", 3)
    fewer = found(index, documents[0].text, 8)
    assert len(fewer) == 3
    assert bool(index.report.capped) is True
    assert {(number, value) for number, value, _ in fewer} <= {
        (number, value) for number, value, _ in everything
    }


def test_report() -> None:
    documents = texts(4, 50)
    index = PlainIndex.open(write(documents, settings=Settings(part_keys=1)))
    hits = index.query("the " + documents[0].text + " of the", 1, 1)
    terms = sum(word not in FF().stops for word in documents[0].text.split())

    assert (
        PlainReport(
            terms=terms, probes=2, parts=2, candidates=index.report.candidates, capped=False
        )
        == index.report
    )
    assert len(hits) == 1


def test_probes_default_and_range() -> None:
    documents = texts(6, 40)
    index = PlainIndex.open(write(documents, settings=Settings(default_probes=3)))

    assert found(index, documents[0].text, 3) == found(index, documents[0].text, 0)
    with pytest.raises(ValueError, match=r"probes: expected 0 \.\. 65536, found 65537"):
        index.query("alpha", probes=65_537)


def test_texts_without_a_sketch(monkeypatch: pytest.MonkeyPatch) -> None:
    index = PlainIndex.open(write([Text("a", "alpha beta")], FF(least_terms=2)))

    with pytest.raises(TextTooShort, match="the text has 1 term besides stop words; 2 are needed"):
        index.query("the alpha of")
    monkeypatch.setattr(plain_profile, "TEXT_BYTES", 10)
    assert index.query("alpha beta")
    with pytest.raises(TextTooLong, match="found 11;"):
        index.query("alpha gamma")


def test_documents_and_ids() -> None:
    documents = [
        Text("a" * 1024, "alpha", "é" * 4096, "https://example.org/?a"),
        Text("x/y z", "beta", "Straße & {id}"),
        Text("b", "gamma"),
    ]
    index = PlainIndex.open(
        write(documents, settings=Settings(template="https://example.org/{title}?{id}&{id}"))
    )
    index.verify()
    first, second, third = (index.record(number) for number in range(3))

    assert (first.id, first.title, first.url) == ("a" * 1024, "é" * 4096, "https://example.org/?a")
    assert second.url == "https://example.org/Stra%C3%9Fe%20%26%20%7Bid%7D?x/y%20z&x/y%20z"
    assert third.url == "https://example.org/?b&b"
    assert second == index.document("x/y z")
    assert index.document("x/y") is None
    assert index.document("\ud800") is None
    with pytest.raises(IndexError, match=r"document: expected 0 \.\. 2, found 3"):
        index.record(3)


def test_without_a_template_there_is_no_url() -> None:
    index = PlainIndex.open(write([Text("a", "alpha")]))

    assert index.query("alpha")[0].url == ""


def test_documents_may_share_an_id() -> None:
    index = PlainIndex.open(write([Text("a", "alpha"), Text("b", "beta"), Text("b", "gamma")]))
    index.verify()
    document = index.document("b")

    assert document is not None
    assert document.number == 1


def test_an_index_without_documents() -> None:
    index = PlainIndex.open(write([]))
    index.verify()

    assert index.query("alpha") == []
    assert index.document("a") is None


def test_a_file_is_opened_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "a.pocket"
    path.write_bytes(write([Text("a", "alpha")]))
    with PlainIndex.open(path) as index:
        assert index.query(b"alpha")[0].id == "a"
    with pytest.raises(ValueError, match="closed"):
        index.record(0)


def test_a_lone_surrogate_is_read_as_a_replacement_character() -> None:
    index = PlainIndex.open(write([Text("a", "alpha \ufffd beta")]))

    assert index.query("alpha \ud800 beta")[0].similarity == 10_000
    assert index.query("alpha \ufffd beta".encode())[0].similarity == 10_000


def test_unknown_optional_sections_and_minor_versions_are_ignored() -> None:
    documents = texts(1, 5)
    known = sections(documents, FF(), Settings())
    extra = Section(77, b"12345678", ((5, b"abc"), (3, b"d")), flags=0)
    index = PlainIndex.open(assemble([extra, *known, replace(extra, kind=78)], minor=9))
    index.verify()

    assert found(PlainIndex.open(assemble(known)), documents[0].text, 4) == found(
        index, documents[0].text, 4
    )


def test_hashes_by_known_answers() -> None:
    # CRC32C: RFC 3720, B.4; murmur: the reference implementation; mix: pocket_mix of cbits/hash.h.
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert plain_conventions.murmur(b"") == 0
    assert plain_conventions.murmur(b"hello") == 0xCBD8A7B341BD9B02
    assert mix(1) == 0x4179B061E0C0E0D0
    assert mix(0x0123456789ABCDEF) == 0x3EFDEA49C590F4EC


def test_the_writer_needs_every_place_of_its_hash() -> None:
    """The remapped slots are used: a reader that ignored them would not pass the tests above."""
    chance = random.Random(1)
    remapped = 0
    for n in (1, 2, 5, 60, 120):
        data, slots = pilot([chance.getrandbits(64) for _ in range(n)])
        assert sorted(slots) == list(range(n))
        remapped += any(data[-2 * max(1, n // 99) :])
    assert remapped


def test_records_are_packed_in_any_way() -> None:
    """With symbols across fields, with none, with longer ones not taken."""
    documents = [
        Text("doc-1", "alpha", "x" * 8192),
        Text("doc-2", "beta", "\0 and \0", "u"),
        Text("é", "gamma", ""),
    ]
    for symbols in ((), (b"d", b"doc-"), (b"x" * 8, b"x\xfedoc-", b"-2\xfeu"), (b"\xc3",)):
        index = PlainIndex.open(write(documents, settings=Settings(symbols=symbols)))
        index.verify()
        assert [(d.title, d.id, d.url) for d in map(index.record, range(3))] == [
            (t.title, t.id, t.url) for t in documents
        ]
    assert record(documents[1], (b"d", b"-2\xfeu")).endswith(b"\xfe\xfe\0\xfeo\xfec\1\xff")


ISOLATED = """
import sys, types
package = types.ModuleType("pocketindex")
package.__path__ = [sys.argv[1]]
sys.modules["pocketindex"] = package
sys.path.append(sys.argv[2])
before = set(sys.modules)
from plain import PlainIndex
with PlainIndex.open(sys.argv[3]) as index:
    index.verify()
    assert index.query("alpha beta")[0].id == "a"
print(*sorted(set(sys.modules) - before))
"""


def test_the_plain_reader_stands_alone(tmp_path: Path) -> None:
    """No core, no unicodedata, no numpy: the package's own __init__ is left out, as it imports the
    core.
    """
    path = tmp_path / "a.pocket"
    path.write_bytes(write([Text("a", "alpha beta")]))
    package = str(Path(errors.__file__).parent)
    helpers = str(Path(plain_index.__file__).parents[1])
    run = subprocess.run(
        [sys.executable, "-I", "-c", ISOLATED, package, helpers, str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(run.stdout.split())

    own = {name.removeprefix("pocketindex.") for name in loaded if name.startswith("pocketindex.")}

    assert {name.split(".")[0] for name in own} <= {"errors", "constants", "data", "kinds"}
    assert not loaded & {"unicodedata", "numpy", "cffi", "_cffi_backend", "regex"}
