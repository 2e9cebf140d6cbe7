"""Which words are forms of one another: by stemmers and tables of lemmas, which libraries have.

Their versions decide bytes, so the file names them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pocketindex.builder.write import derived, folding
from pocketindex.builder.write.rules import NO_RULES, Keys, Rules, looked_at, rules_of
from pocketindex.errors import spelled

if TYPE_CHECKING:  # it loads numpy, which a website does without
    from pocketindex.builder.write.forms import Words

SHORTEST = 3  # letters of a word that has other forms
COMMONEST = 200  # words by which a language is told, those that most documents have
LEAST_LETTERS = 200  # of all of these
SURE = 1.02  # the next language is that much less likely, as a ratio of logarithms
NUMBERED = re.compile(r"[\d_\0]")  # what has one is no word of a language, or a spelling of one
OTHER_TAGS = {"nb": "no", "nn": "no"}  # that the stemmers do not know


@dataclass(frozen=True)
class Ways:
    """Ways to tell forms. language: that of the stemmer, which may be none; made: what has made
    them, with versions; stems: the way of the stemmer.
    """

    language: str
    made: tuple[str, ...]
    ways: tuple[Keys, ...]
    stems: Keys | None = None

    def rules(self, words: Words) -> Rules:
        """Return the endings by which forms of these words differ, to find forms of other words."""
        if not self.stems:
            return NO_RULES
        some = (words[number].decode() for number in looked_at(len(words)))
        return rules_of([word for word in some if _has_forms(word)], self.stems)

    @property
    def name(self) -> str:
        """Return what the file says of them."""
        return " ".join([self.language or "none", *self.made])


def knows(language: str) -> bool:
    """Return whether there is a stemmer for a language, as en or english."""
    from Stemmer import Stemmer

    try:
        Stemmer(language)
    except KeyError:
        return False
    return True


def ways_of(
    stem: str,
    lemmas: bool,
    commonest: Sequence[str],
    stated: Callable[[], Counter[str]] = Counter,
) -> Ways:
    """Return how words are put into classes.

    stem: the option, which may be auto or none; commonest: words of the collection, by which auto
    tells the language; stated: counts the documents that state each language, which is asked where
    the words do not tell it. Raises ValueError where simplemma is missing, or has no table.
    """
    language = language_of(commonest) or language_stated(stated()) if stem == "auto" else stem
    ways: list[Keys] = [folding.plain]
    made = [folding.NAME]
    if language in ("", "none"):
        return Ways("", tuple(made), tuple(ways))
    kind = derived.kinds(language)
    ways.append(stems := _stems(language, kind))
    from importlib.metadata import version  # which takes as long to import as all of this

    made += [f"PyStemmer-{version('PyStemmer')}", *([derived.NAME] if kind else [])]
    if lemmas:
        ways.append(_lemmas(language))
        made.append(f"simplemma-{version('simplemma')}")
    return Ways(language, tuple(made), tuple(ways), stems)


def language_of(commonest: Sequence[str]) -> str:
    """Return the language of words, commonest first, or nothing where that is not sure, or nobody
    has a stemmer for it.
    """
    text = " ".join(word for word in commonest if not NUMBERED.search(word))
    if len(text) < LEAST_LETTERS:
        return ""
    from py3langid import rank

    (language, best), (_, second), *_ = rank(text)
    if second > SURE * best:
        return ""
    language = OTHER_TAGS.get(language, language)
    return language if knows(language) else ""


def language_stated(documents: Counter[str]) -> str:
    """Return the language that more than half of some documents state, or "" if there is none or no
    stemmer for it.

    documents: how many state each tag, of which the first part counts; the empty one states none.
    """
    found = Counter[str]()
    for tag, count in documents.items():
        first = re.split("[-_]", tag.strip().lower())[0]
        found[OTHER_TAGS.get(first, first)] += count
    language, most = max(found.items(), key=lambda own: (own[1], own[0]), default=("", 0))
    return language if language and 2 * most > found.total() and knows(language) else ""


def _stems(language: str, kind: derived.Kinds | None) -> Keys:
    from Stemmer import Stemmer

    stemmer = Stemmer(language, 0)

    def keys(words: list[str]) -> list[str]:
        stems = stemmer.stemWords(words)
        if kind:
            stems = map(kind, words, stems)
        return [
            stem if _has_forms(word) else f"{word}\0"
            for word, stem in zip(words, stems, strict=True)
        ]

    return keys


def _has_forms(word: str) -> bool:
    return len(word) >= SHORTEST and not NUMBERED.search(word)


def _lemmas(language: str) -> Keys:
    """The words of simplemma's table are looked up without their marks, as those of the file."""
    try:
        from simplemma import lemmatize
        from simplemma.strategies import DefaultDictionaryFactory
    except ImportError as error:
        raise ValueError(
            f"{spelled('lemmas', True)} takes another package: pip install 'pocketindex[lemmas]'"
        ) from error
    try:
        table = DefaultDictionaryFactory().get_dictionary(language)
    except ValueError as error:
        raise ValueError(
            f"simplemma has no lemmas of {language!r}; omit {spelled('lemmas')}"
        ) from error
    folded = dict[str, str]()
    for word in sorted(table, key=lambda word: (word != word.lower(), word)):
        folded.setdefault(_folded(word), _folded(table[word]))

    def keys(words: list[str]) -> list[str]:
        return [
            folded.get(word) or _folded(lemmatize(word, lang=language))
            if _has_forms(word)
            else f"{word}\0"
            for word in words
        ]

    return keys


def _folded(word: str) -> str:
    parts = unicodedata.normalize("NFKD", word.lower())
    return "".join(part for part in parts if not unicodedata.combining(part))
