"""Which words of a site are forms of one another."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable
from itertools import combinations

from pocketindex.builder.site.counting.prefixes import shared
from pocketindex.builder.site.counting.words import SPELLED
from pocketindex.builder.write.stems import SHORTEST, knows

LEAST_RULE, MOST_RULES = 4, 150
LONGEST_ENDING = 5
SAMPLED = 16  # one word in so many tells how often words that differ by a rule are no forms
MOST_COMPARED = 12  # words with the same stem
# What has other forms, as in builder/write/stems.py.
_WHOLE, _SPELLING = re.compile(rb".*\x01.*\n"), re.compile(rb"\0.*")
_FORMED = re.compile(rf"^[^\d_\n]{{{SHORTEST},}}$", re.MULTILINE)

Kept = Callable[[bytes, Callable[[], bytes]], bytes]  # what was made of a key, or is made now
Rules = list[tuple[str, str]]


def forms(words: list[bytes], language: str, kept: Kept) -> tuple[dict[bytes, bytes], Rules]:
    """Return the stems of words that have another one than themselves, and pairs of endings by
    which forms differ. language: as PyStemmer names it; kept: what an earlier build made of the
    same words.
    """
    if not language or not knows(language):
        return {}, []
    from Stemmer import Stemmer, version

    plain = _WHOLE.sub(b"", b"\n".join(words) + b"\n")
    if SPELLED in plain:
        plain = b"\n".join(dict.fromkeys(_SPELLING.sub(b"", plain).split(b"\n")))
    bases = _FORMED.findall(plain.decode())

    def made() -> bytes:
        stems = Stemmer(language, 0).stemWords(bases)
        return json.dumps([stems, _rules(bases, stems)]).encode()

    key = hashlib.sha256("\n".join([version(), language, *bases]).encode()).digest()
    stems, rules = json.loads(kept(key, made))
    stem_of = {word: stem for word, stem in zip(bases, stems, strict=True) if word != stem}
    return {word.encode(): stem.encode() for word, stem in stem_of.items()}, rules


def _rules(words: list[str], stems: list[str]) -> Rules:
    """Return pairs of endings by which forms differ, commonest first: words that differ by them are
    forms of one another far more often than not.
    """
    classes, stem_of = dict[str, list[str]](), dict(zip(words, stems, strict=True))
    for word, stem in stem_of.items():
        classes.setdefault(stem, []).append(word)
    pairs = [
        pair
        for members in classes.values()
        if len(members) > 1
        for pair in combinations(members[:MOST_COMPARED], 2)
    ]
    left, right = ([pair[i].encode("utf-32-le") for pair in pairs] for i in (0, 1))
    sizes = shared(left, right, width=4)
    together = Counter(
        min((one[size:], other[size:]), (other[size:], one[size:]))
        for (one, other), size in zip(pairs, sizes, strict=True)
    )
    rules = [rule for rule, times in together.most_common(MOST_RULES) if times >= LEAST_RULE]
    apart = Counter[tuple[str, str]]()
    by_ending = dict[str, list[str]]()
    for one, other in rules:
        by_ending.setdefault(one, []).append(other)
    for word, stem in stem_of.items():
        if zlib.crc32(word.encode()) % SAMPLED:
            continue
        for size in range(min(LONGEST_ENDING, len(word)) + 1):
            ending = word[len(word) - size :]
            for other in by_ending.get(ending, ()):
                changed = stem_of.get(word[: len(word) - size] + other)
                if changed is not None and changed != stem:
                    apart[ending, other] += 1
    good = [rule for rule in rules if max(map(len, rule)) <= LONGEST_ENDING]
    return [rule for rule in good if together[rule] >= 4 * SAMPLED * apart[rule]]
