"""Words that several open files are asked for as one (docs/format.md, section 10)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pocketindex.errors import NoWords
from pocketindex.queries.word_search import (
    RARE,
    UNKNOWN,
    Having,
    Placed,
    WordHit,
    WordHits,
    merged,
    replaced_in,
    search,
)

if TYPE_CHECKING:
    from pocketindex.index import Index

FIRST = ("form", "joined", "parted", "spelled")  # of what several files ask instead of a word
MOST_REPLACED = 4


def search_all(
    paths: Sequence[str],
    indexes: Sequence[Index],
    text: str,
    top: int,
    prefix: bool,
    group: bool,
    replace: bool,
    filters: bytes,
) -> WordHits:
    """Return the best documents of all files, as JointIndex.search does. paths: how answers name
    the files.

    Raises NoWords if no file has words, and the errors of search.
    """

    def ask(asked: str) -> tuple[WordHits, dict[int, WordHits], Having | None]:
        """Of several files first ask how many documents have each word, so that one file's scores
        mean the same as another's.
        """
        answers, missing, having = dict[int, WordHits](), list[NoWords](), None
        for place, index in enumerate(indexes):
            try:
                answers[place] = search(index, asked, top, prefix, group, filters=filters)
            except NoWords as error:
                missing.append(error)
        if not answers:
            raise missing[0]
        if len(answers) > 1:
            words = zip(*(answer.words for answer in answers.values()), strict=True)
            having = Having(
                [sum(one.documents for one in each) for each in words],
                sum(len(indexes[place]) for place in answers),
            )
            answers = {
                place: search(
                    indexes[place], asked, top, prefix, group, having=having, filters=filters
                )
                for place in answers
            }
        named = [_named_answer(paths[place], found) for place, found in answers.items()]
        return merged(named, top), answers, having

    found, answers, having = ask(text)
    alone = len(indexes) == 1  # other files may have more of a rare word
    known = all(one.documents for one in found.words if not one.excluded)
    if not replace or (known and not alone):
        return found
    data = text.encode("utf-8", "replace")
    how = RARE if alone else UNKNOWN
    chosen = _chosen([replaced_in(indexes[own], data, prefix, how, having) for own in answers])
    if not chosen:
        return found
    found, _, _ = ask(_replaced(data, chosen).decode("utf-8", "replace"))
    return dataclasses.replace(found, replacements=tuple(one.replacement for one in chosen))


def _chosen(by_file: Sequence[Sequence[Placed]]) -> list[Placed]:
    """Return what is asked instead, in the order of the text: of what overlaps, what a file finds
    in the earliest step, of equal ones that of the first file.
    """
    found = [one for own in by_file for one in own]
    chosen = list[Placed]()
    for one in sorted(found, key=lambda one: FIRST.index(one.replacement.how)):
        if all(one.end <= other.start or other.end <= one.start for other in chosen):
            chosen.append(one)
    return sorted(chosen[:MOST_REPLACED])


def _replaced(data: bytes, chosen: Sequence[Placed]) -> bytes:
    out, at = b"", 0
    for start, end, replacement in chosen:
        out += data[at:start] + replacement.instead.encode()
        at = end
    return out + data[at:]


def _named_answer(path: str, found: WordHits) -> WordHits:
    """Return an answer whose hits name their file by the path that was given."""
    hits = tuple(_found_in(path, hit) for hit in found)
    return dataclasses.replace(
        found,
        hits=hits,
        unchecked=(path,) if found.unchecked else (),
        unlabelled=tuple((path, kinds) for _, kinds in found.unlabelled),
    )


def _found_in(path: str, hit: WordHit) -> WordHit:
    return dataclasses.replace(
        hit, file=path, like=tuple(_found_in(path, other) for other in hit.like)
    )
