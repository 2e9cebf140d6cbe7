"""Words that are derived from others, as *customer* and *numerical*. Stemmers put them together
with what they are derived from, but they mean something else, so their classes are their own.

What names an action or a manner (-ing, -ion, -ment, -ly) is no other word here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

NAME = "derived-1"  # another one for other endings: they decide bytes
SHORTEST = 2  # letters of an ending
# What a word may go on with where it leaves its stem, by the names of a stemmer. Each group is a
# kind: derived words of one stem and one kind are forms of one another. Words have no marks.
ENDINGS = {
    # Behind v and w, -al makes a noun of a verb (removal); -ical is -ic.
    ("en", "eng", "english"): r"(?:at|ion|i)?(?:((?<![vw])(?<!ic)al)|(an[ct])|(en[ct])"
    r"|([ai]b(?:l|il))|(iv)|(ous)|(ic)|(ism)|(ist)|(it[iy])|([eo]r)|(ful))",
    ("de", "deu", "ger", "german"): r"(ig|ik)|(isch)|(lich)|([hk]eit)",
    ("fr", "fra", "fre", "french"): r"(?:at|ion|i)?(?:([ae]l|aux)|([ai]b(?:l|il))|(i[fv])"
    r"|(eu[sx])|(iqu)|(ism)|(ist))",
    ("es", "esl", "spa", "spanish"): r"(?:at|ion|i)?(?:(al)|([ai]b(?:l|il))|(iv)|(os[ao])"
    r"|(ic[ao])|(ism)|(ist)|(idad))",
    ("it", "ita", "italian"): r"(?:at|ion|i)?(?:(al)|([ai]bil)|(iv[aeio])|(os[aeio])|(ic[ahio])"
    r"|(ism)|(ist))",
}
Kinds = Callable[[str, str], str]


def kinds(language: str) -> Kinds | None:
    """Return a function that maps a word and its stem to a key: the stem, with the kind of the
    ending if the word is derived. Return None for a language that has no rule.
    """
    rule = next((rule for names, rule in ENDINGS.items() if language in names), None)
    match = re.compile(rule).match if rule else None
    if not match:
        return None

    def kind(word: str, stem: str) -> str:
        if len(word) - len(stem) < SHORTEST:
            return stem
        found = match(word, _shared(word, stem))
        return f"{stem}\0{found.lastindex}" if found else stem

    return kind


def _shared(word: str, stem: str) -> int:
    if word.startswith(stem):
        return len(stem)
    pairs = enumerate(zip(word, stem, strict=False))
    return next(i for i, (a, b) in pairs if a != b)
