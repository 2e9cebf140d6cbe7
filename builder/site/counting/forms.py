"""Which words of a site are forms of one another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pocketindex.builder.site.counting.words import JOINT, SPELLED
from pocketindex.builder.write.rules import NO_RULES, Rules, looked_at, rules_of
from pocketindex.builder.write.stems import SHORTEST, knows

# The plain words that have other forms, as in builder/write/stems.py, among entries.
_FORMED = re.compile(
    rf"^([^\d_\n{JOINT.decode()}{SPELLED.decode()}]{{{SHORTEST},}})(?:{SPELLED.decode()}.*)?$",
    re.MULTILINE,
)


class Forms(NamedTuple):
    """words, stems: plain words that have forms, in the order of their bytes, with their stems;
    rules: endings by which forms differ. All are empty where the language has no stemmer.
    """

    words: Sequence[str] = ()
    stems: Sequence[str] = ()
    rules: Rules = NO_RULES


def forms(words: bytes, language: str) -> Forms:
    """Return the forms among words. words: in the order of their bytes, with a line feed behind
    each; language: as PyStemmer names it.
    """
    if not language or not knows(language):
        return Forms()
    from Stemmer import Stemmer

    bases = list(dict.fromkeys(_FORMED.findall(words.decode())))
    stemmer = Stemmer(language, 0)
    some = [bases[number] for number in looked_at(len(bases))]
    return Forms(bases, stemmer.stemWords(bases), rules_of(some, stemmer.stemWords))
