"""Make tests/vectors/*.json, the cases that the tests in C, Python and JavaScript share.

    python tests/make_vectors.py        after `pip install -e .`

One function a file, named as the file. The expected side comes from the plain Python reader, which imports neither the C core nor
unicodedata. Bytes are written as hex, one case a line, so that a reader without a JSON library can take what stands between quotes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

from pocketindex.plain.terms import terms as plain_terms

Case = dict[str, str | list[str]]

TEXTS = {
    "nothing": "",
    "ASCII": "It's 2007: b2b, x_y, ___, R2-D2 and THE\0Quick\tfox.",
    "ASCII, eight at a time": "abcdefg abcdefgh abcdefghi 12345678 1234567a ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789@[`{",
    "ASCII, beside the word characters": "/a0/000000 :a9:999999 @aA@AAAAAA [aZ[ZZZZZZ ^_a^______ `aa`aaaaaa {az{zzzzzz",
    "Latin: accents, one code point or two": "Café Cafe\u0301 ÅNGSTRÖM \u212bngstro\u0308m Việt Vie\u0323\u0302t",
    "Latin: sharp s, dotted I, long s, ligatures": "Straße STRASSE STRAẞE İstanbul ıſ ﬁnancial ǅ ĳ ŉ",
    "Latin: full-width, superscript, circled": "Ｆｕｌｌ ２x x² Ⓐⓑ ℡ Ⅷ ª 𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
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
    "a run of marks is cut after 30": "क" + 29 * "\u0301" + "\u0323 क" + 30 * "\u0301" + "\u0323 か" + 30 * "\u0301" + "\u3099",
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
    return [{"about": about, "text": text.hex(), "terms": [term.hex() for term in plain_terms(text)]} for about, text in texts.items()]


FILES: tuple[Callable[[], list[Case]], ...] = (terms,)


def lines(cases: list[Case]) -> str:
    """A JSON list, one case a line."""
    return "[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n"


def main() -> None:
    for cases in FILES:
        path = Path(__file__).parent / "vectors" / f"{cases.__name__}.json"
        path.write_text(lines(cases()), encoding="ascii")


if __name__ == "__main__":
    main()
