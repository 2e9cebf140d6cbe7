"""The index of a site: its pages by language, each language in pieces of its own (docs/format.md
13).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from pocketindex.builder.site.cache import Cache
from pocketindex.builder.site.dictionary import dictionary
from pocketindex.builder.site.numbering import numbered, slots_for
from pocketindex.builder.site.pages import Page
from pocketindex.builder.site.pieces import Pieces

TEXT = 16_000  # bytes of a piece of texts before they are deflated, on average
MOST_TEXTS = 4_096  # pieces of texts of a language

Json = dict[str, Any]


def packed(value: Any) -> bytes:
    """Return JSON as UTF-8, without spaces, the same bytes for the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def by_language(pages: Sequence[Page], forced: str = "") -> dict[str, list[Page]]:
    """Return pages by their language, most pages first. Those without one join the language that
    most pages say, of several the first by letters.
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
) -> str:
    """Add the pieces of all languages; return the name of the list of them."""
    entries = []
    for code, pages in languages.items():
        tell(f"indexing {code or 'pages'}")
        entries.append(_language(code, pages, cache, pieces))
    return pieces.add("i", packed({"version": version, "languages": entries}))


def _language(code: str, pages: Sequence[Page], cache: Cache, pieces: Pieces) -> Json:
    slots = slots_for(len(pages))
    by_address = {page.address: page for page in pages}
    own = [(slot, by_address[address]) for slot, address in numbered(by_address, slots)]
    counts = [(slot, page.words) for slot, page in own]
    words = dictionary(counts, cache.vocabulary, code.partition("-")[0], cache.kept)
    keys = [pieces.add("w", data) for _, data in words.pieces]
    shift, texts = _texts(own, slots, pieces)
    slot_of = {page.path: slot for slot, page in own}
    in_order = sorted(own, key=lambda item: item[1].address)
    named, sorts = _filters(own), _sorts(own)
    return (
        {
            "code": code,
            "pages": len(pages),
            "stemmed": words.stemmed,
            "letters": words.letters,
            "rules": words.rules,
            "words": [
                [first.decode(), key] for (first, _), key in zip(words.pieces, keys, strict=True)
            ],
            "shift": shift,
            "texts": texts,
            "all": pieces.add("a", packed(_pages(in_order))),
            "filters": list(named),
            "sorts": list(sorts),
            "facets": pieces.add("f", packed({"filters": named, "sorts": sorts}))
            if named or sorts
            else "",
        }
        if slot_of
        else {}
    )


def _pages(in_order: Sequence[tuple[int, Page]]) -> dict[str, list[int]]:
    """Return the slots and the lengths of pages, as classes of half a power of two."""
    lengths = [page.words.length for _, page in in_order]
    return {
        "slots": [slot for slot, _ in in_order],
        "lengths": [(max(1, length) ** 2).bit_length() - 1 for length in lengths],
    }


def _texts(own: Sequence[tuple[int, Page]], slots: int, pieces: Pieces) -> tuple[int, list[str]]:
    """Add the pieces of texts: each of as many slots, a power of two, so that a page that changes
    its length moves no other. Return that power, and the names of the pieces, "" for those without
    a page.
    """
    size = sum(len(page.stored) for _, page in own)
    count = 1 << max(0, min(size // TEXT, MOST_TEXTS)).bit_length() - 1 if size >= TEXT else 1
    shift = max(0, (slots // count).bit_length() - 1)
    parts = dict[int, list[bytes]]()
    for slot, page in own:
        parts.setdefault(slot >> shift, []).append(b"[%d,%s]" % (slot, page.stored))
    keys = {piece: pieces.add("t", b"[%s]" % b",".join(texts)) for piece, texts in parts.items()}
    return shift, [keys.get(piece, "") for piece in range(max(keys, default=-1) + 1)]


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
