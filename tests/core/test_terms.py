"""The term stream `folded` (docs/format.md 7): the C core and the plain reader against an oracle on
Python's own unicodedata.

The oracle knows the Unicode version of the interpreter, so only code points that both it and
Unicode 15.0.0 assign are put to it.
"""

from __future__ import annotations

import importlib.util
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from places import TESTS, VECTORS
from plain import terms as plain_terms
from plain.marks import parted
from plain.word_stream import words as plain_words
from pocketindex.cbits import ffi, lib
from pocketindex.queries.terms import written_terms

Stream = Callable[[bytes], list[bytes]]


def write(text: bytes, capacity: int) -> tuple[int, int, bytes]:
    """Status, length and bytes of pocket_terms_write; what follows the capacity must stay as it
    was.
    """
    out = ffi.new("uint8_t[]", b"\xa5" * (capacity + 1))
    length = ffi.new("uint64_t *")
    status = lib.pocket_terms_write(text, len(text), 1, out, capacity, length)
    assert ffi.buffer(out)[capacity : capacity + 1] == b"\xa5"
    return status, length[0], bytes(ffi.buffer(out, min(capacity, length[0])))


def core(text: bytes) -> list[bytes]:
    _, length, _ = write(text, 0)
    status, written, out = write(text, length)
    assert (status, written) == (0, length)
    return out.split(b"\n")[:-1]


def plain(text: bytes) -> list[bytes]:
    return list(plain_terms.terms(text))


both = pytest.mark.parametrize("stream", [core, plain])


# The oracle

IGNORABLE = (
    "\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
POINTS = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
MARKS = "".join(filter(unicodedata.combining, POINTS))
COMPOSABLE = re.compile(f"[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\u3040-\u30ff][{MARKS}]+")
BARE = re.compile(
    "(LATIN|GREEK|CYRILLIC|ARABIC|HEBREW) |TURNED (CAPITAL|SMALL) F|ROMAN NUMERAL REVERSED"
)
PAIR = re.compile(
    "(CJK (UNIFIED|COMPATIBILITY) "
    "IDEOGRAPH|HIRAGANA|KATAKANA|HENTAIGANA|THAI|LAO|KHMER|MYANMAR)[ "
    "-]"
)


@cache
def ignored(character: str) -> bool:
    """But U+200B, which parts words."""
    return character != "\u200b" and (
        unicodedata.category(character) == "Cf" or re.match(f"[{IGNORABLE}]", character) is not None
    )


def without_ignored(text: str) -> str:
    return "".join(character for character in text if not ignored(character))


def lower(character: str) -> str:
    """Simple case folding."""
    return next(
        (each for each in (character.casefold(), character.lower()) if len(each) == 1), character
    )


@cache
def kind(character: str) -> str:
    """b(are), p(air), l(etter), m(ark), o(ther word character) or a space."""
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    if character in "ー々〻\U00016fe3\U00016ff0\U00016ff1" or (
        re.match("L|Mn|Mc", category) and PAIR.match(name)
    ):
        return "p"
    if category[0] == "L":
        return (
            "b"
            if character in "ᴯᴻᵎ\U00010780" or (BARE.match(name) and name != "ARABIC TATWEEL")
            else "l"
        )
    return {"Mn": "m", "Mc": "m", "Nd": "o", "Pc": "o"}.get(category, " ")


def folded(text: str) -> str:
    """Steps 2 to 4, but for the cut of long runs."""
    text = unicodedata.normalize("NFKD", without_ignored(text))
    text = unicodedata.normalize("NFKD", "".join(map(lower, text)))
    text = unicodedata.normalize("NFKD", without_ignored(text))
    return COMPOSABLE.sub(lambda match: unicodedata.normalize("NFC", match[0]), text)


@cache
def oracle(data: bytes) -> list[bytes]:
    return list(cut(folded(data.decode("utf-8", "replace"))))


def cut(text: str) -> Iterator[bytes]:
    """Steps 5 and 6."""
    for match in re.finditer("p+|[blmo]+", "".join(map(kind, text))):
        run = text[match.start() : match.end()]
        if kind(run[0]) == "p":
            yield from (
                ("".join(pair).encode() for pair in pairwise(run))
                if len(run) > 1
                else [run.encode()]
            )
            continue
        word, last = "", ""
        for character in run:
            if kind(character) != "m" or last != "b":
                word, last = word + character, kind(character)
        term = word.encode()[:128].decode(errors="ignore")
        if re.search("[bl]", "".join(map(kind, term))):
            yield term.encode()


@cache
def known(character: str) -> bool:
    """Do the interpreter and Unicode 15.0.0 both assign this code point?"""
    category = unicodedata.category(character)
    if category in ("Cn", "Co", "Cs") or unicodedata.unidata_version <= "15.0.0":
        return category not in ("Cn", "Cs")
    # What a later version assigns is a separator in our tables.
    entry, _ = plain_terms.tables().entry(ord(character))
    return entry != plain_terms.SEPARATOR or (
        not ignored(character) and set(map(kind, folded(character))) == {" "}
    )


# Texts

MANY_MARKS = "\u0301\u0308\u0323\u0334\u0345\u093c\u094d\u3099\u309a\u064b\u05b0\u0e38\u0e48\u0f71\u302e\U00016ff0\U0001d165\u20dd\u1160\u034f\u200d"
MANY_BASES = (
    "aAzZß09_İſﬁΣςᾳᾼЙйҐאבשת\ufb2aلمﷴـक\u0958அ\u0bca\u0b95ไทยำລ漢々〇\uf900㍿ーかがゝハパﾊｶﾟﾞヴ㌖\u1100\u1161\u11a8가각ㄱￂ´ "
    ".,-\n\0½"
)
UNIFORM = re.compile(
    "[㐀-\u9fff가-\ud7a3\ue000-\uf8ff\U00017000-\U00018d08\U00020000-\U000323af\U000f0000-\U0010ffff]"
)
ASSIGNED = (character for character in POINTS if unicodedata.category(character) != "Cn")
COMMON = [own for own in ASSIGNED if not UNIFORM.match(own) and known(own)]

characters = st.one_of(
    st.sampled_from(MANY_BASES),
    st.sampled_from(MANY_BASES),
    st.sampled_from(MANY_MARKS),
    st.sampled_from(COMMON),
)
pieces = st.one_of(
    st.text(characters, max_size=15),
    st.text(st.characters(exclude_categories=["Cs", "Co", "Cn"]).filter(known), max_size=5),
    st.from_regex("([A-Za-z]{1,9}[ 0-9_.,'-]{1,2}){1,6}", fullmatch=True),
    st.builds(str.__mul__, st.sampled_from("aZ0_äжक"), st.integers(40, 150)),
)
texts = st.lists(pieces, max_size=5).map("".join)
mixtures = st.lists(
    st.one_of(
        texts.map(str.encode), st.binary(max_size=5), texts.map(lambda text: text.encode()[1:-1])
    ),
    max_size=4,
).map(b"".join)
any_bytes = st.one_of(
    mixtures,
    st.lists(st.text(st.sampled_from(MANY_MARKS + MANY_BASES[::9]), max_size=80), max_size=2)
    .map("".join)
    .map(str.encode),
)


def short_runs(text: str) -> bool:
    """No run of marks is long enough to be cut."""
    return re.search(f"[{MARKS}]{{31}}", folded(text)) is None


@both
@given(data=mixtures)
def test_random_text_has_the_terms_of_the_oracle(stream: Stream, data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    assume(all(map(known, text)) and short_runs(text))
    assert stream(data) == oracle(data)


@given(data=any_bytes)
def test_core_and_plain_agree_on_any_bytes(data: bytes) -> None:
    assert core(data) == plain(data)


@pytest.mark.parametrize(
    "form", ["{0}", "a{0}b", "क{0}\u0301", "漢{0}漢", "か{0}\u3099", "\u1100{0}\u1161"]
)
def test_every_common_character_in_context(form: str) -> None:
    data = "\n".join(form.format(character) for character in COMMON).encode()
    assert core(data) == plain(data) == oracle(data)


def test_code_points_of_all_planes_are_the_same_in_core_and_plain() -> None:
    data = "\n".join(f"{character}\u0301a" for character in POINTS[::13]).encode()
    assert core(data) == plain(data)


@both
@given(text=texts, form=st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_equivalent_texts_have_equal_terms(
    stream: Stream, text: str, form: Literal["NFC", "NFD", "NFKC", "NFKD"]
) -> None:
    assume(short_runs(text))
    assert stream(text.encode()) == stream(unicodedata.normalize(form, text).encode())


@both
@given(data=any_bytes, more=any_bytes)
def test_terms_are_short_well_formed_and_local(stream: Stream, data: bytes, more: bytes) -> None:
    terms = stream(data)
    assert all(0 < len(term) <= 128 and b"\n" not in term and term.decode() for term in terms)
    assert stream(data + b"\n" + more) == terms + stream(more)
    assert stream(b"\n".join(terms)) == terms


@both
@pytest.mark.parametrize("place", range(9))
def test_every_ascii_character_among_eight(stream: Stream, place: int) -> None:
    for character in POINTS[:128]:
        for around in ("a", "1"):
            data = f"{place * around}{character}{12 * around} b".encode()
            assert stream(data) == oracle(data)


# Examples

EXAMPLES = {
    "It's 2007: b2b, x_y, _ and R2-D2": "it s b2b x_y and r2 d2",
    "THE\0Quick\tfox": "the quick fox",
    "Café Cafe\u0301 Ångström Việt": "cafe cafe angstrom viet",
    "co\u00adope\u200drate Straße STRAẞE İstanbul ﬁnal Ｆｕｌｌ": "cooperate straße straße istanbul final full",
    "Ὀδυσσεύς ΟΔΥΣΣΕΥΣ άδεια α\u0301δεια τῷ ΤΩΙ": "οδυσσευσ οδυσσευσ αδεια αδεια τωι τωι",
    "क\u0345\u0301 क\u0301\u0345 क\u0345\u0345": "क\u0301ι क\u0301ι कιι",
    "क" + 30 * "\u0345" + "\u0301": "क" + 30 * "ι",
    "Йод И\u0306од": "иод иод",
    "مُحَمَّد محمد ﻻ لا آ ا\u0653": "محمد محمد لا لا ا ا",
    "שָׁלוֹם \ufb2a": "שלום ש",
    "हिन्दी \u0958 क\u093c": "हिन्दी क\u093c क\u093c",
    "தமிழ் \u0b95\u0bca \u0b95\u0bc6\u0bbe": "தமிழ் \u0b95\u0bc6\u0bbe \u0b95\u0bc6\u0bbe",
    "สวัสดี": "สว วั ัส สด ดี",
    "東京都 東 北京2008 漢字kanji \uf900": "東京 京都 東 北京 漢字 kanji 豈",
    "ガギ カ\u3099キ\u3099 ｶﾞｷﾞ は\u309a か\u0334\u3099 か\u309a": "ガギ ガギ ガギ ぱ が か",
    "각 가\u11a8 \u1100\u1161\u11a8 ㄱㅏ ﾡￂ \u1100\u0301\u1161": "각 각 각 가 가 \u1100\u0301\u1161",
    "가\u11a7 가\u11a8 가\u11c2 가\u11c3 \u1113\u1161 \u1112\u1175 \u1112\u1176": "가\u11a7 각 갛 가\u11c3 \u1113\u1161 히 \u1112\u1176",
    "2007 १२ ___ \u0301\u0302 ½": "",
    "a\u0378b\ue000c\ufffed e\ufff0f\U000e0fffg": "a b c d efg",
    f"{'a' * 127}é {'a' * 127}жb {'1' * 128}a {'1' * 127}a": f"{'a' * 127}e {'a' * 127} {'1' * 127}a",
    "क" + 29 * "\u0301" + "\u0323 क" + 30 * "\u0301" + "\u0323": "क\u0323"
    + 29 * "\u0301"
    + " क"
    + 30 * "\u0301"
    + "\u0323",
}


@both
@pytest.mark.parametrize(("text", "terms"), EXAMPLES.items())
def test_example(stream: Stream, text: str, terms: str) -> None:
    assert [term.decode() for term in stream(text.encode())] == terms.split()


ILL_FORMED = {
    "overlong": [
        b"\xc0\xaf",
        b"\xc1\x81",
        b"\xe0\x81\x81",
        b"\xe0\x9f\xbf",
        b"\xf0\x80\x81\x81",
        b"\xf0\x8f\xbf\xbf",
    ],
    "surrogate": [b"\xed\xa0\x80", b"\xed\xbf\xbf"],
    "beyond U+10FFFF": [b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff"],
    "stray": [b"\x80", b"\xbf\xbf"],
    "cut off": [b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xe2\x82\xe2", b"\xc3\xc3"],
}


@both
@pytest.mark.parametrize("bad", [bad for each in ILL_FORMED.values() for bad in each])
def test_ill_formed_bytes_separate_and_take_nothing_with_them(stream: Stream, bad: bytes) -> None:
    assert stream(b"a" + bad + b"B\xc3\xa9" + bad) == [b"a", b"be"]


@both
@pytest.mark.parametrize(
    "case", json.loads((VECTORS / "terms.json").read_text()), ids=lambda case: case["about"]
)
def test_vector(stream: Stream, case: dict[str, str | list[str]]) -> None:
    assert [term.hex() for term in stream(bytes.fromhex(str(case["text"])))] == case["terms"]


@pytest.mark.parametrize("case", json.loads((VECTORS / "words.json").read_text()))
def test_words_of_a_text(case: dict[str, Any]) -> None:
    text = bytes.fromhex(case["text"])
    assert [word.hex() for word in terms_of_words(text)] == case["terms"]


@pytest.mark.parametrize(
    "case", json.loads((VECTORS / "marked.json").read_text()), ids=lambda case: case["about"]
)
def test_terms_with_the_marks_of_a_text(case: dict[str, Any]) -> None:
    text = bytes.fromhex(case["text"])
    assert [term.hex() for term in lines_of(text, 5)] == case["terms"]


SYLLABLES = st.text(
    st.sampled_from("bcdđghnpt aeiouyAU_1" + "\u0300\u0302\u0303\u0308\u031b\u0323ấệ")
)


SPACED = st.text(st.sampled_from("東京都かがーカ々・𠀀" + " " * 12 + "\u3000\u3099a한"))


@given(any_bytes | SYLLABLES.map(str.encode) | SPACED.map(str.encode))
def test_marks_of_any_bytes(text: bytes) -> None:
    assert lines_of(text, 5) == list(plain_terms.marked(text))
    assert lines_of(text, 6) == [term.bytes for term in plain_terms.every_word(text, True)]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("東 京 都", "東京 京都"),
        ("が 東 京 都 庁", "が東 東京 京都 都庁"),
        ("a東 京 都b", "a 東京 京都 b"),
        ("東 京", "東 京"),  # two may be two words
        ("東  京 都", "東 京 都"),
        ("東 京 都庁", "東 京 都庁"),
        ("東京 都 庁 へ", "東京 都庁 庁へ"),
        ("그 는 이", "그 는 이"),  # Korean has words of one syllable
    ],
)
def test_characters_with_blanks_between_them_are_read_without(text: str, terms: str) -> None:
    assert [term.decode() for term in lines_of(text.encode(), 5)] == terms.split()


@given(SYLLABLES)
def test_marks_alone_tell_terms_apart(text: str) -> None:
    """Without its marks a term is that of the stream `folded`."""
    terms = [parted(term)[0] for term in lines_of(text.encode(), 5)]
    assert terms == [parted(term)[0] for term in core(text.encode())]


@given(SYLLABLES, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_equivalent_texts_have_the_same_marks(text: str, form: Literal["NFC", "NFD"]) -> None:
    other = unicodedata.normalize(form, text)
    assert lines_of(text.encode(), 5) == lines_of(other.encode(), 5)


@given(any_bytes)
def test_words_of_any_bytes(text: bytes) -> None:
    assert terms_of_words(text) == [word.bytes for word in plain_words(text)]


def terms_of_words(text: bytes) -> list[bytes]:
    return lines_of(text, 4)


def lines_of(text: bytes, stream: int) -> list[bytes]:
    return written_terms(text, stream).split(b"\n")[:-1]


def test_vectors_are_what_make_vectors_writes() -> None:
    spec = importlib.util.spec_from_file_location("make_vectors", TESTS / "make_vectors.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for cases in module.FILES:
        assert (VECTORS / f"{cases.__name__}.json").read_text() == module.lines(cases())


# Limits


@given(data=any_bytes, capacity=st.integers(0, 300))
def test_a_small_buffer_is_refused_with_the_length_needed(data: bytes, capacity: int) -> None:
    _, needed, _ = write(data, 0)
    status, length, out = write(data, capacity)
    assert (status, length) == (0 if needed <= capacity else 4, needed)
    assert status or out == b"".join(term + b"\n" for term in plain(data))


def test_a_text_beyond_256_mib_is_refused() -> None:
    length = ffi.new("uint64_t *", 7)
    assert lib.pocket_terms_write(ffi.NULL, (1 << 28) + 1, 1, ffi.NULL, 0, length) == 3
    assert length[0] == 0


def test_plain_terms_uses_neither_unicodedata_nor_the_core() -> None:
    source = Path(plain_terms.__file__).read_text(encoding="utf-8")
    assert not re.search(r"^\s*(from|import) .*(unicodedata|cbits)", source, re.MULTILINE)


def test_tables_of_another_version_are_refused() -> None:
    with pytest.raises(
        ValueError,
        match=(
            r"data/unicode\.bin: expected version \(15, 0, 0, 3\), found \(16, 0, 0, 1\); "
            r"install pocketindex again"
        ),
    ):
        plain_terms.Tables(bytes([16, 0, 0, 1]) + bytes(12))
