"""Which words of a site are forms of one another."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from pocketindex.builder.site.counting.words import JOINT, SPELLED
from pocketindex.builder.write.stems import SHORTEST, knows

LEAST_RULE, MOST_RULES = 4, 150
LONGEST_ENDING = 5
LOOKED_AT = 8192  # words that tell which endings forms differ by, or half as many
MOST_COMPARED = 12  # words with the same stem
SURE = 4  # words that are forms for each pair that is none
# The plain words that have other forms, as in builder/write/stems.py, among entries.
_FORMED = re.compile(
    rf"^([^\d_\n{JOINT.decode()}{SPELLED.decode()}]{{{SHORTEST},}})(?:{SPELLED.decode()}.*)?$",
    re.MULTILINE,
)


class Forms(NamedTuple):
    """words, stems: plain words that have forms, in the order of their bytes, with their stems;
    rules: pairs of endings by which forms differ. All are empty where the language has no stemmer.
    """

    words: Sequence[str] = ()
    stems: Sequence[str] = ()
    rules: Sequence[tuple[str, str]] = ()


def forms(words: bytes, language: str) -> Forms:
    """Return the forms among words. words: in the order of their bytes, with a line feed behind
    each; language: as PyStemmer names it.
    """
    if not language or not knows(language):
        return Forms()
    from Stemmer import Stemmer

    bases = list(dict.fromkeys(_FORMED.findall(words.decode())))
    stems = Stemmer(language, 0).stemWords(bases)
    return Forms(bases, stems, _rules(bases, stems))


def _rules(words: Sequence[str], stems: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of endings by which forms differ, commonest first: words that differ by them are
    forms of one another far more often than not. Where there are many words, those of some stems
    tell.
    """
    step = max(1, (1 << len(words).bit_length()) // LOOKED_AT)
    stem_of = dict(zip(words, stems, strict=True))
    classes = dict[str, list[str]]()
    for word, stem in stem_of.items():
        if step == 1 or zlib.crc32(stem.encode()) % step == 0:
            classes.setdefault(stem, []).append(word)
    together = Counter(_differences(classes.values()))
    rules = [rule for rule, times in together.most_common(MOST_RULES) if times >= LEAST_RULE]
    rules = [rule for rule in rules if max(map(len, rule)) <= LONGEST_ENDING]
    apart = Counter[tuple[str, str]]()
    # By the greater ending, which is never empty: fewer words have it.
    by_ending = dict[str, list[str]]()
    for one, other in rules:
        by_ending.setdefault(other, []).append(one)
    for stem, members in classes.items():
        for word in members:
            for size in range(1, min(LONGEST_ENDING, len(word)) + 1):
                other = word[-size:]
                for one in by_ending.get(other, ()):
                    changed = stem_of.get(word[:-size] + one)
                    if changed is not None and changed != stem:
                        apart[one, other] += 1
    return [rule for rule in rules if together[rule] >= SURE * apart[rule]]


def _differences(classes: Iterable[list[str]]) -> Iterator[tuple[str, str]]:
    """Yield the endings by which words with the same stem differ, the smaller one first."""
    for members in classes:
        for pair in combinations(members[:MOST_COMPARED], 2):
            own = (place for place, (a, b) in enumerate(zip(*pair, strict=False)) if a != b)
            size = next(own, min(map(len, pair)))
            one, other = pair[0][size:], pair[1][size:]
            yield min((one, other), (other, one))
