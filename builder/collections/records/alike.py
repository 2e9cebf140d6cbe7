"""How alike two records are: the share of their words that they have in common, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from pocketindex.wording.passages import words_of

NEARLY = 0.75  # share of the characters of two words that nearly agree
LEAST_LETTERS = 4  # of a word that may be misspelled

_SIGNS = frozenset("+-*/=<>^%")


def record_words(text: str) -> list[str]:
    """Return the words of a record, folded. Signs of arithmetic before a number or a single letter
    that follows another one are part of it.
    """
    words, spans = words_of(text)
    found = words[:1]
    for place in range(1, len(words)):
        word = words[place]
        if _is_plain(words[place - 1]) and _is_plain(word):
            between = text[spans[place - 1][1] : spans[place][0]].strip(" ()[]")
            word = between * (set(between) <= _SIGNS) + word
        found.append(word)
    return found


def likeness(one: Sequence[str], other: Sequence[str], weight: Callable[[str], int]) -> float:
    """Return the smaller of two shares, 0..1: of the words of both records those that stand in
    both, and of the weight of all of them that of these.

    Words count that stand in the same order, where the second record may begin at another of its
    words; a word that nearly agrees with one in the same place counts, too. 0 if a word stands in
    both at another place, or if each has a number that the other one lacks.
    """
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    first, second, size = matcher.find_longest_match()
    if not size:
        return 0.0
    if start := (second - first) % len(other):
        other = [*other[start:], *other[:start]]
        turned = SequenceMatcher(None, one, other, autojunk=False)
        if _same(turned) <= _same(matcher):
            other = [*other[-start:], *other[:-start]]
        else:
            matcher = turned
    same, common, own_left, other_left = 0, 0, list[str](), list[str]()
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            same += b - a
            common += sum(map(weight, one[a:b]))
            continue
        own, its = list(one[a:b]), list(other[c:d])
        for word in one[a:b]:
            near = next((it for it in its if _nearly(word, it)), None)
            if near is not None:
                own.remove(word)
                its.remove(near)
                same += 1
                common += weight(word)
        own_left += own
        other_left += its
    if set(own_left) & set(other_left) or (_numbers(own_left) and _numbers(other_left)):
        return 0.0
    left = sum(map(weight, own_left)) + sum(map(weight, other_left))
    shares = (2 * same / (len(one) + len(other)), 2 * common / (2 * common + left))
    return round(min(shares), 4)


def _same(matcher: SequenceMatcher[str]) -> int:
    return sum(block.size for block in matcher.get_matching_blocks())


def _is_plain(word: str) -> bool:
    return len(word) == 1 or word.isdigit()


def _numbers(words: Sequence[str]) -> bool:
    return any(letter.isdigit() for word in words for letter in word)


def _nearly(one: str, other: str) -> bool:
    """Return whether two words differ in a few characters. Words with a number have to be equal."""
    if min(len(one), len(other)) < LEAST_LETTERS or _numbers([one, other]):
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= NEARLY
