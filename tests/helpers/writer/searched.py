"""Files with many documents or many words, and what the plain reader answers: for what only a
search in such files does.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core_search_of import plain_found
from places import GOLDEN
from plain import PlainIndex
from plain.terms import every_word
from plain_groups import plain_groups
from plain_layout import FF, Settings, Text, assemble
from plain_writer import sections
from vectors import search_line
from word_blocks import WordSettings

LETTERS = "abcdefghijklmnop"
SPARSE = Settings(posting_bits=10, per_block=100, part_keys=900, words=WordSettings())
KEPT = Settings(posting_bits=7, keep="text", room=300, words=WordSettings())
UNTITLED = replace(KEPT, words=WordSettings(title_weight=0))
MANY = Settings(posting_bits=7, words=WordSettings())
GROUPED = ("rff", "hashed", "simhash")  # whose sketches have many bytes
NO_DOCUMENT = 1  # status of pocket_group


def collections() -> dict[str, tuple[list[Text], Settings, list[str]]]:
    """Return collections by name: their documents, how they are laid out, and the searches."""
    chance = random.Random(18)
    rare = [Text(f"d{i}", f"u{i} v{i // 3} all") for i in range(900)]
    quoted = [Text(f"d{i}", "alpha beta" if i > 65 else "beta alpha") for i in range(70)]
    quoted += [
        Text("e0", "alp beta mu"),
        Text("e1", "mu beta alpha mu"),
        Text("e2", "東京 京都"),
        Text("e3", "東京"),
        Text("e4", "京都"),
        Text("e5", "al mu alpha beta"),
    ]
    untitled = [Text("t0", "alpha mu", "alpha beta"), Text("t1", "beta"), Text("t2", "beta alpha")]
    begun = [
        Text(f"d{i}", " ".join(f"a{k:04}" for k in range(i * 100, i * 100 + 105)))
        for i in range(44)
    ]
    # The first word that is not looked at is common.
    begun += [Text(f"e{i}", "a0256 a4096") for i in range(3)]
    mixed = [Text(f"d{i}", " ".join(chance.choices(LETTERS, k=9)), "") for i in range(90)]
    few = [" ".join(chance.sample([own for i in range(900) for own in (f"u{i}", f"v{i}")], 6))]
    few += [" ".join(f"u{chance.randrange(900)}" for _ in range(7)) for _ in range(60)]
    return {
        "rare": (rare, SPARSE, ["u7 u8 u899 -u8", "all u7", "u8 v2", "v2 u6 -u7 zzz", *few]),
        "quoted": (
            quoted,
            KEPT,
            [
                *('"alpha beta"', '"mu mu"', '"al beta" "alpha beta"', '"alp be" "beta"'),
                *('"alp beta" "alpha"', '"beta alpha mu"', '"mu zzz beta"', '"beta alp" alpha'),
                *("東 京", "京 東 都"),
            ],
        ),
        "untitled": (untitled, UNTITLED, ['"alpha beta"', '"alpha zzz"', '"alpha beta" -mu']),
        "begun": (begun, MANY, ["a", "a0", "a47", "a4", "a1 a0000"]),
        "mixed": (mixed, MANY, ["a b", "c d e zzz", "f -g", " ".join(LETTERS), "h i -a -b"]),
    }


def write_searched(folder: Path) -> tuple[Path, str]:
    """Write the files. Return the file of lines that tests/c/answers.c reads, and what that program
    must print.
    """
    lines, answers = list[str](), list[str]()
    for name, (documents, layout, searches) in collections().items():
        path = folder / f"{name}.pocket"
        path.write_bytes(assemble(sections(documents, FF(), layout)))
        plain = PlainIndex.open(str(path))
        both = [*questions(path, plain, searches), *groups(path, plain)]
        lines += [line for line, _ in both]
        answers += [answer for _, answer in both]
    for name in GROUPED:
        path = GOLDEN / f"{name}.pocket"
        both = [*groups(path, PlainIndex.open(str(path)))]
        lines += [line for line, _ in both]
        answers += [answer for _, answer in both]
    cases = folder / "searches"
    cases.write_text("".join(f"{line}\n" for line in lines))
    return cases, "".join(f"{answer}\n" for answer in answers)


def questions(path: Path, plain: PlainIndex, searches: list[str]) -> Iterator[tuple[str, str]]:
    for text in searches:
        asked = text.encode()
        for top, prefix, how in ((3, 0, 0), (5, 1, 1), (1000, 1, 4), (2, 1, 3)):
            flags = [bool(how & bit) for bit in (1, 2, 4)]
            found = plain.search(text, top, bool(prefix), *flags)
            assert found is not None
            yield (
                f"w {path} {top} {prefix} {how} {asked.hex()}",
                search_line(plain_found(found)._asdict()),
            )
        yield f"k {path} 3 {asked.hex()}", known_line(plain, asked, 3)


def groups(path: Path, plain: PlainIndex) -> Iterator[tuple[str, str]]:
    for count, step in ((1, 1), (30, 1), (60, 7), (90, 31)):
        numbers = [i * step % plain.count for i in range(count)]
        own = plain_groups(plain, numbers)
        yield f"g {path} {plain.count} {count} {step}", "".join(f" {i}" for i in own)
    beyond = plain.count + 1
    yield f"g {path} {beyond} {beyond} 1", f" status {NO_DOCUMENT}"


def known_line(plain: PlainIndex, text: bytes, room: int) -> str:
    """How many words a text has, and how many documents have each of the first ones."""
    assert plain.words is not None
    terms = [term.bytes for term in every_word(text)]
    known = [plain.words.all[term].having if term in plain.words.all else 0 for term in terms]
    return "".join(f" {number}" for number in (len(terms), *known[:room]))
