"""Make tests/vectors/*.json, the cases that the tests in C, Python and JavaScript share.

    python tests/make_vectors.py        after `pip install -e .`

One function a file, named as the file. The expected side comes from the plain Python reader, which
imports neither the C core nor unicodedata. Bytes are written as hex, one case a line, so that a
reader without a JSON library can take what stands between quotes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import everywhere  # noqa: F401
from plain.chosen import Found, choose
from plain.interop import tokens as plain_tokens
from plain.passages import shingles, winnowed
from plain.terms import every_word
from plain.terms import marked as plain_marked
from plain.terms import terms as plain_terms
from plain.word_stream import words as plain_words

Spans = list[tuple[int, int]]
Case = dict[str, str | int | list[str] | list[int] | Spans | list[Spans]]

TEXTS = {
    "nothing": "",
    "ASCII": "It's 2007: b2b, x_y, ___, R2-D2 and THE\0Quick\tfox.",
    "ASCII, eight at a time": "abcdefg abcdefgh abcdefghi 12345678 1234567a ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789@[`{",
    "ASCII, beside the word characters": "/a0/000000 :a9:999999 @aA@AAAAAA [aZ[ZZZZZZ ^_a^______ `aa`aaaaaa {az{zzzzzz",
    "Latin: accents, one code point or two": "Café Cafe\u0301 ÅNGSTRÖM \u212bngstro\u0308m Việt Vie\u0323\u0302t",
    "Latin: sharp s, dotted I, long s, ligatures": "Straße STRASSE STRAẞE İstanbul ıſ ﬁnancial ǅ ĳ ŉ",
    "Latin: full-width, superscript, circled": "Ｆｕｌｌ ２x x² Ⓐⓑ ℡ Ⅷ ª 𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "U+200B parts words": "zero\u200bwidth 東\u200b京 \u200b",
    "ignored: soft hyphen, joiners, selectors, tags": "co\u00adope\u200drate\ufeff a\ufe0fb \u2060c \U000e0061d e\u034ff",
    "Greek": "Ὀδυσσεύς ΟΔΥΣΣΕΥΣ άδεια α\u0301δεια ᾳ ᾼ τῷ ΤΩΙ",
    "Greek: U+0345 before another mark": "α\u0345\u0301 α\u0301\u0345 क\u0345\u0301 क\u0301\u0345 क\u0345\u0345",
    "Cyrillic": "Йод И\u0306од ёлка Ґанок Ѷ",
    "Arabic": "مُحَمَّد محمد ﷴ ﻻ لا آ ا\u0653 كتـاب \u0600١٢",
    "Hebrew": "שָׁלוֹם שלום \ufb2a ש\u05c1",
    "Devanagari": "हिन्दी क़ क\u093c \u0958 १२",
    "Tamil": "தமிழ் கொ கெ\u0bbe",
    "Thai, Lao, Khmer, Myanmar": "สวัสดี น้ำ นํ้า ລາວ ខ្មែរ မြန်မာ",
    "Han": "東京都 東 北京2008 漢字kanji 々 〇 \uf900 \U0002f800 \u2f00 ㍿",
    "Kana": "ガ カ\u3099 ｶﾞ ﾊﾟ は\u309a は\u3099\u309a か\u309a\u3099 か\u0334\u3099 か\u3099\u3099 ー ｰ ゞ ゝ\u3099 ㌖ \u3099",
    "Hangul": "각 가\u11a8 \u1100\u1161\u11a8 \u1100\u1161\u11a8\u11a8 각\u11a8 ㄱㅏ ﾡￂ",
    "Hangul: jamo apart": "\u1100\u115f\u1161 \u1100 \u1161 \u11a8 \u1100\u0301\u1161",
    "Hangul: the last jamo, and those beyond": "가\u11a7 가\u11c2 가\u11c3 \u1113\u1161 \u1112\u1175 \u1112\u1176",
    "marks at the start of a word": "´a \u0301 \u0301b \u0301\u0302 1\u0301b _\u0301",
    "a run of marks is cut after 30": "क"
    + 29 * "\u0301"
    + "\u0323 क"
    + 30 * "\u0301"
    + "\u0323 か"
    + 30 * "\u0301"
    + "\u3099",
    "a run is cut after 30, U+0345": "क" + 30 * "\u0345" + "\u0301",
    "128 bytes": f"{'a' * 127}ab {'a' * 127}ä{'b' * 9} {'a' * 127}ж{'b' * 9} {'1' * 128}a {'1' * 127}a {'क' * 43}",
    "unassigned, private, noncharacters": "a\u0378b\ue000c\ufffed\U0010ffffe\ufff0f\U000e0fffg",
}
BYTES = {
    "ill-formed: overlong": b"a\xc1\x81b\xe0\x81\x81c\xf0\x80\x81\x81d",
    "ill-formed: surrogate, beyond the last": b"a\xed\xa0\x80b\xf4\x90\x80\x80c\xf5\x80\x80\x80d",
    "ill-formed: stray, cut off": b"d\x80e\xe2\x82f\xf0\x9f\x98",
    "ill-formed: the byte after a broken sequence counts": b"\xc3A \xe1\x80B \xf1\x80\x80C \xe0\x9f\xbfD \xf0\x8f\xbf\xbfE \xc3\xc3\xa9",
    "cut off at the end": b"abc \xe6\x9d",
}
SCRIPTS = (
    "abcXYZ019_ .,-\n",
    "äÖßéſﬁ\u0301\u0308",
    "αΣς\u0345ᾳ",
    "йИ\u0306",
    "שׁلمـ\u064b",
    "कक़\u093c\u094d",
    "ไทยำ้",
    "漢字々〇\uf900",
    "がカｶﾞ\u3099ー",
    "가각ㄱ",
    "\u00ad\u200d\u034f\0",
)


def terms() -> list[Case]:
    """The term stream `folded`: about, text, terms."""
    texts = {about: text.encode() for about, text in TEXTS.items()} | BYTES
    chance = random.Random(15)
    for number in range(40):
        pieces = [chance.choice(chance.choice(SCRIPTS)).encode() for _ in range(40)]
        if number % 2:
            pieces[chance.randrange(40)] = chance.randbytes(3)
        texts[f"mixture {number}"] = b"".join(pieces)
    return [
        {"about": about, "text": text.hex(), "terms": [term.hex() for term in plain_terms(text)]}
        for about, text in texts.items()
    ]


SYLLABLES = {
    "marks of a syllable stand behind its letters": "Việt Nam ĐƯỜNG nghiêng nguyễn khuỷu giường quyết",
    "one tone, wherever it is written": "hoà hòa thuỷ thủy",
    "composed or not, in any order": "ệ e\u0323\u0302 e\u0302\u0323 ê\u0323 ẹ\u0302",
    "words of other languages that have this form": "là où não más für été résumé ñu Škoda",
    "two tones, four marks, marks of others": "a\u0300\u0301 a\u0302\u0306\u031b a\u0302\u0306\u031b\u0301 a\u0308 a\u0301\u0308",
    "a mark behind a consonant or before all letters": "n\u0301a \u0301a ba\u0301n bn\u0301a",
    "onsets and codas": "ngh\u1eb9n nghh\u1eb9n w\u1eb9 tr\u1eb9ch \u1eb9ngh \u1eb9m\u0301 đ\u1ea1 đđ\u1ea1 z\u1ea1",
    "vowels: one group, four at most": "\u1ea1aaa \u1ea1aaaa b\u1ea1ba ngh\u1ea1aaang ngh\u1ea1aaan",
    "digits and lines make no syllable": "\u1ea1_ 1\u1ea1 \u1ea1b1 fooViệt việt_nam",
    "full width, ligatures, other scripts": "ｖｉệｔ \u1ea1\ufb01 β\u1ea1 \u0439\u1ea1 क\u0301\u1ea1",
}


def marked() -> list[Case]:
    """The term stream `marked`: about, text, terms."""
    texts = {about: text.encode() for about, text in (TEXTS | SYLLABLES).items()} | BYTES
    chance = random.Random(541)
    letters = [*"abcdghiklmnopqrstuvxy aeiou aeiouy", "đ", "ấ", "ơ", "\u0308", "1", "_"]
    letters += [*"\u0300\u0301\u0302\u0303\u0306\u0309\u031b\u0323"]
    for number in range(40):
        pieces = [chance.choice(letters).encode() for _ in range(60)]
        if number % 2:
            pieces[chance.randrange(60)] = chance.randbytes(3)
        texts[f"syllables {number}"] = b"".join(pieces)
    return [
        {"about": about, "text": text.hex(), "terms": [term.hex() for term in plain_marked(text)]}
        for about, text in texts.items()
    ]


def passages() -> list[Case]:
    """Shingles (6.3): about, text, terms of a shingle, shingles of a window; each term's place in bytes, each
    shingle's hash, the numbers of the shingles that are kept.
    """
    texts = {about: text.encode() for about, text in TEXTS.items()} | BYTES
    # Of every size: which of two equal shingles is kept shows in a window of more than one.
    for repeats in range(9, 14):
        texts[f"words that repeat {repeats} times"] = b"to be or not " * repeats
    texts["one window"] = b"one two three four five six seven"
    chance = random.Random(17)
    for number in range(40):
        pieces = [chance.choice(chance.choice(SCRIPTS)).encode() for _ in range(60)]
        if number % 2:
            pieces[chance.randrange(60)] = chance.randbytes(3)
        texts[f"mixture {number}"] = b"".join(pieces)
    out: list[Case] = []
    for number, (about, text) in enumerate(texts.items()):
        size, window = ((3, 5), (1, 1), (4, 12), (2, 4), (16, 2))[number % 5]
        terms = list(every_word(text))
        found = shingles([term.bytes for term in terms], size)
        out.append(
            {
                "about": about,
                "text": text.hex(),
                "run_terms": size,
                "window": window,
                "places": [(term.start, term.end) for term in terms],
                "runs": [f"{shingle.hash:016x}" for shingle in found],
                "kept": [shingle.number for shingle in winnowed(found, window)],
            }
        )
    return out


EXTRACTED = {
    "the draft: letters, marks, digits and connectors make a token": "It's café x_y naïve Straße हिन्दी 東京都",
    "the draft: numbers are none, alphanumeric strings are": "2007 3.14 1,000 ½ Ⅷ ___ _1_ B2B R2-D2 MP3 1st 0x1F",
    "the draft: no zero-width or unprinted characters": "co\u00adope\u200drate a\ufe0fb \ufeffc",
    "the draft: no tokens from URLs": "see https://example.org/a/b.html?c=d&e=%20f#g, or ftp://x.y.z; then",
    "a URL in brackets, in markup, at the end": '(http://a.b/c) <https://d.e/f> "http://g.h" [i](https://j.k) http://l.m',
    "a URL ends before what no URL may have": "http://a.b/c|d http://a.b/{e} http://a.b/Straße http://a.b/東京 見よhttp://a.b/を見る",
    "a URL without a scheme": "www.example.org/a WWW.Example.ORG www. www wwww.a",
    "no URL": "http:// http:/a http: //a a:b a/b and/or :// C++ std::vector a.b.c 3:4",
    "a URL with a scheme of digits, of two parts, beside other characters": "h2c://a/b git+ssh://c/d x_http://e _ftp://f 1http://g",
    "the draft: no tokens from identifiers": "doi:10.1145/a.b DOI: 10.1016/j.ipm.2007.01.001, arXiv:hep-th/9901001v2 arxiv:cs.IR/0703123",
    "identifiers that say what they are": "urn:isbn:978x urn:uuid:f hdl:10013/epic.1 mailto:a@b.c doi: urn: doi:// arXiv: a urn:",
    "a DOI has four to nine digits": "10.123/abc 10.1234/abc 10.123456789/abc 10.1234567890/abc 10.1234/ 10.1234abc 110.1234/abc",
    "a UUID": "6e8bc430-9c3a-11d9-9669-0800200c9a66 6E8BC430-9C3A-11D9-9669-0800200C9A66. 6e8bc430-9c3a-11d9-9669-0800200c9a667",
    "a UUID that is none": "6e8bc430-9c3a-11d9-9669-0800200c9a6 6e8bc43g-9c3a-11d9-9669-0800200c9a66 6e8bc430-9c3a",
    "numbers that a letter checks": "ISSN 2049-363X, ISBN 0-19-853453-X 019853453X 019853453x ORCID 0000-0002-1825-009X",
    "numbers that none checks": "1234567X 2049-363XY 2049-363-X-a 0000-0002-1825-0097-1X -2049-363X 2049-363\u00adX",
}


def tokens() -> list[Case]:
    """The term stream `interop`: about, text, terms."""
    texts = {about: text.encode() for about, text in EXTRACTED.items()} | BYTES
    texts |= {
        f"ill-formed in a URL {number}": b"http://a.b/" + bad + b"c d"
        for number, bad in enumerate((b"\xff", b"\xc3", b"\xe6\x9d"))
    }
    chance = random.Random(7)
    pieces = [
        "http",
        "://",
        "www.",
        "doi:",
        "10.1234/",
        "0-1234567",
        "X",
        "abc",
        " ",
        "é",
        "東",
        "_",
        "/",
        ".",
        "6e8bc430-9c3a-11d9-9669-0800200c9a66",
        "\u00ad",
    ]
    texts |= {
        f"mixture {number}": "".join(chance.choices(pieces, k=30)).encode() for number in range(40)
    }
    return [
        {"about": about, "text": text.hex(), "terms": [term.hex() for term in plain_tokens(text)]}
        for about, text in texts.items()
    ]


def spans_by_chance(chance: random.Random, most: int) -> Spans:
    """Spans that rise, at most six."""
    ends = sorted(chance.choices(range(most), k=2 * chance.randrange(7)))
    return list(zip(ends[::2], ends[1::2], strict=True))


NAMES = {
    "names in parts": "foo_bar fooBar FooBar foo_barBaz __init__ ___ XMLHttpRequest utf8Decode H2O B12 OBrien aB Ab",
    "names beyond ASCII": "größeÄnder größeNeu Straße_Weg fooÉtat E\u0301tatNeu",
    "signs": "C++ C# c++11 C+ C++C# C++/CLI f#-minor A#b Notepad++ ++ C + + é# 1#",
    "compounds": "Wi-Fi wi‑fi well\u2010known TCP/IP AT&T C+D Node.js l·l don't l’été O'Brien's Ph.D. e.g. U.S.A.",
    "possessives": "'s Iceland's Levi’s 's s's the dogs' it's-me a-s",
    "no compounds": "a - b a-- b a–b wi-fi/x-y-z a-b-c-d-e-f-g a-b-c-d-e 東-京 x-東 v1.2.3.4.5",
    "numbers": "1,250,000 1 250 000 1\u00a0250\u202f000 12 34 1250 000 3.14 3,a 2024-03-17 978-3-16-148410-0 1 000 00 10\u2009000",
    "emoji": "a 👩\u200d💻 b🏽 👍🏽 🇩🇪 ☀\ufe0f ✔x⭐ ™ 🅰 🄐-🄑 x🎉y-🎉-z",
    "the last character of a run": "東京都 東京、京 がか\u3099ｶﾞ ㍿ 東㍿ x東京y 東\u200d京 สวัสดี",
    "zero width": "zero\u200bwidth zero\u200cwidth foo\u200b_bar",
    "128 bytes": f"{'a' * 100}-{'b' * 28} {'a' * 100}-{'b' * 29} {'a' * 200}_B {'a' * 128}-b",
}


def words() -> list[Case]:
    """The words by which a text is found (6.4): about, text, terms."""
    texts = {about: text.encode() for about, text in (TEXTS | NAMES).items()} | BYTES
    chance = random.Random(54)
    signs = [
        *"-'._/&+,#·  ",
        "\u2019",
        "++",
        "🎉",
        "\u200b",
        "s",
        "S",
        "a",
        "B",
        "12",
        "345",
        "東",
        "京都",
        "か\u3099",
        "㍿",
    ]
    for number in range(60):
        pieces = [chance.choice([*signs, "foo", "Bar", "é"]).encode() for _ in range(60)]
        if number % 2:
            pieces[chance.randrange(60)] = chance.randbytes(3)
        texts[f"mixture {number}"] = b"".join(pieces)
    return [
        {
            "about": about,
            "text": text.hex(),
            "terms": [word.bytes.hex() for word in plain_words(text)],
        }
        for about, text in texts.items()
    ]


def ordering() -> list[Case]:
    """Sources in the order of what each adds (9): about, sources (the spans of each), least, top;
    their numbers, and what each adds.
    """
    sources: dict[str, list[Spans]] = {
        "none": [],
        "one that has nothing": [[]],
        "the same twice": [[(0, 50)], [(0, 50)]],
        "less than the least beside another": [[(0, 50)], [(20, 80)], [(75, 85)]],
        "equal ones stay in their order": [[(0, 20)], [(40, 60)], [(20, 40)], [(60, 80)]],
        "spans that touch": [[(0, 10), (10, 20)], [(5, 15), (15, 40)], [(0, 40)]],
    }
    chance = random.Random(29)
    for number in range(60):
        most = chance.choice((12, 60, 400))
        found = [spans_by_chance(chance, most) for _ in range(chance.randrange(2, 12))]
        sources[f"mixture {number}"] = found
    out: list[Case] = []
    for number, (about, own) in enumerate(sources.items()):
        least, top = ((10, 8), (0, 1000), (10, 1000), (3, 2))[number % 4]
        chosen = choose([Found(i, spans) for i, spans in enumerate(own)], least)[:top]
        out.append(
            {
                "about": about,
                "sources": own,
                "least": least,
                "top": top,
                "order": [found.document for found, _ in chosen],
                "added": [added for _, added in chosen],
            }
        )
    return out


FILES: tuple[Callable[[], list[Case]], ...] = (terms, marked, passages, tokens, words, ordering)


def lines(cases: list[Case]) -> str:
    """A JSON list, one case a line."""
    return "[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n"


def main() -> None:
    for cases in FILES:
        path = Path(__file__).parent / "vectors" / f"{cases.__name__}.json"
        path.write_text(lines(cases()), encoding="ascii")


if __name__ == "__main__":
    main()
