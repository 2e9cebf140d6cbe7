"""The index of a site. Each language has pieces of its own (docs/format.md 13)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from pocketindex.builder.site.cache import Cache
from pocketindex.builder.site.counting.vocabulary import Counts
from pocketindex.builder.site.dictionary import Dictionary
from pocketindex.builder.site.numbering import numbered, slots_for
from pocketindex.builder.site.pages import Page
from pocketindex.builder.site.pieces import Pieces

LEAST = 17_000  # bytes of a piece of texts before they are deflated
CUT = 2  # before one text in so many a piece may end
MOST_TEXTS = 4_096  # pieces of texts of a language

Json = dict[str, Any]


def packed(value: Any) -> bytes:
    """Return compact JSON in UTF-8; equal values give equal bytes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def by_language(pages: Sequence[Page], forced: str = "") -> dict[str, list[Page]]:
    """Return the pages of each language, the language with the most pages first. Pages without a
    language join the one that most pages have; of several such languages, the first in alphabetical
    order.
    """
    said = Counter(page.said["lang"] for page in pages if page.said["lang"])
    main = min(said, key=lambda code: (-said[code], code), default="")
    found = dict[str, list[Page]]()
    for page in pages:
        found.setdefault(forced or page.said["lang"] or main, []).append(page)
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


def index(
    languages: dict[str, list[Page]],
    cache: Cache,
    pieces: Pieces,
    version: str,
    tell: Callable[[str], None],
    known: dict[str, str],
) -> tuple[str, dict[str, str]]:
    """Add the pieces of all languages; return the name of that which lists them, and the names of
    the pieces of texts by what they are made of. known: these names of an earlier index.
    """
    entries, made = list[Json](), dict[str, str]()
    for code, pages in languages.items():
        tell(f"indexing {code or 'pages'}")
        entries.append(_language(code, pages, cache, pieces, known, made))
    return pieces.add("i", packed({"version": version, "languages": entries})), made


def _language(
    code: str,
    pages: Sequence[Page],
    cache: Cache,
    pieces: Pieces,
    known: dict[str, str],
    made: dict[str, str],
) -> Json:
    by_address = {page.address: page for page in pages}
    texts = {address: len(page.said["texts"]) for address, page in by_address.items()}
    own = [(slot, by_address[address]) for slot, address in numbered(texts, slots_for(len(pages)))]

    def counted() -> Iterator[tuple[int, Counts]]:
        return ((slot, cache.counts(page.id)) for slot, page in own)

    words = Dictionary(counted, cache.vocabulary.lines, code.partition("-")[0])
    named, sorts = _filters(own), _sorts(own)
    return {
        "code": code,
        "pages": len(pages),
        "stemmed": bool(words.forms.words),
        "letters": words.letters,
        "rules": words.forms.rules.all(),
        "words": [[first.decode(), pieces.add("w", data)] for first, data in words.pieces()],
        "texts": _texts(own, cache.stored, pieces, known, made),
        "all": pieces.add("a", packed(_pages(own))),
        "filters": list(named),
        "sorts": list(sorts),
        "facets": pieces.add("f", packed({"filters": named, "sorts": sorts}))
        if named or sorts
        else "",
    }


def _pages(own: Sequence[tuple[int, Page]]) -> dict[str, list[Any]]:
    """Return the slots and the lengths of pages, these as classes of half a power of two; and how
    many texts those have that have several.
    """
    in_order = sorted(own, key=lambda item: item[1].address)
    lengths = [page.said["words"] for _, page in in_order]
    return {
        "slots": [slot for slot, _ in in_order],
        "lengths": [(max(1, length) ** 2).bit_length() - 1 for length in lengths],
        "texts": [[slot, len(texts)] for slot, page in own if len(texts := page.said["texts"]) > 1],
    }


def _texts(
    own: Sequence[tuple[int, Page]],
    stored: Callable[[int], bytes],
    pieces: Pieces,
    known: dict[str, str],
    made: dict[str, str],
) -> list[tuple[int, str]]:
    """Add the pieces of texts, and return the first slot and the name of each. One that is known
    by what it is made of is not made again.
    """

    @lru_cache(1)  # the texts of a page come in turn
    def lines(id: int) -> list[bytes]:
        return stored(id).split(b"\n")

    found = list[tuple[int, str]]()
    for texts in _cut(own):
        of = hashlib.sha256()
        for slot, page, number in texts:
            of.update(b"%d:%d:" % (slot, number) + page.key + page.address.encode() + b"\n")
        key = of.hexdigest()
        name = known.get(key)
        if name is None or not pieces.take([f"t-{name}.js"]):
            records = [b"[%d,%s]" % (slot, lines(page.id)[number]) for slot, page, number in texts]
            name = pieces.add("t", b"[%s]" % b",".join(records))
        found.append((texts[0][0], name))
        made[key] = name
    return found


def _cut(own: Sequence[tuple[int, Page]]) -> Iterator[list[tuple[int, Page, int]]]:
    """Yield the texts of each piece: the slot, the page and the number of the text in it.

    A piece that is long enough ends before the next text whose slot says so, so that a text which
    changes its length moves hardly any other.
    """
    total = sum(sum(page.said["texts"]) for _, page in own)
    least = LEAST
    while least * MOST_TEXTS < total:
        least *= 2
    piece, size = list[tuple[int, Page, int]](), 0
    for first, page in own:
        for number, length in enumerate(page.said["texts"]):
            slot = first + number
            if size and (size + length > 2 * least or (size >= least and slot % CUT == 0)):
                yield piece
                piece, size = [], 0
            piece.append((slot, page, number))
            size += length
    yield piece


def _filters(own: Sequence[tuple[int, Page]]) -> dict[str, dict[str, list[int]]]:
    found = dict[str, dict[str, list[int]]]()
    for slot, page in own:
        for key, values in page.said["filters"].items():
            for value in values:
                found.setdefault(key, {}).setdefault(value, []).append(slot)
    return {key: dict(sorted(found[key].items())) for key in sorted(found)}


def _sorts(own: Sequence[tuple[int, Page]]) -> dict[str, list[int]]:
    """Return the slots of the pages with each key in the order of their values, equal ones in one
    list.
    """
    found = dict[str, list[tuple[str, int]]]()
    for slot, page in own:
        for key, value in page.said["sorts"].items():
            found.setdefault(key, []).append((value, slot))
    return {key: _ordered(found[key]) for key in sorted(found)}


def _ordered(values: list[tuple[str, int]]) -> list[Any]:
    numbers = [_number(value) for value, _ in values]
    ranks: dict[Any, list[int]] = {}
    for (value, slot), number in zip(values, numbers, strict=True):
        ranks.setdefault(value if None in numbers else number, []).append(slot)
    return [ranks[rank] for rank in sorted(ranks)]


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if number == number else None
