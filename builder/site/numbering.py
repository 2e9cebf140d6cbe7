"""Numbers of pages that stay the same when other pages come and go (docs/format.md 13.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

ROOM = 32  # slots a page: so few pages want the same one that a new one moves hardly any
LEAST = 16


def slots_for(pages: int) -> int:
    """Return how many slots so many pages have: a power of two."""
    return 1 << max(LEAST, ROOM * pages).bit_length() - 1 + (
        max(LEAST, ROOM * pages).bit_count() > 1
    )


def numbered(texts: Mapping[str, int], slots: int) -> Iterator[tuple[int, str]]:
    """Yield the slot of each address, rising: the one that the address's hash says, or the next
    that is free. The last ones may lie behind the slots.

    texts: how many texts the page of each address has; each has a slot, one behind the other.
    """
    free = 0
    for key, address in sorted((_hash(address), address) for address in texts):
        slot = max(free, key * slots >> 32)
        free = slot + texts[address]
        yield slot, address


def _hash(address: str) -> int:
    return int.from_bytes(hashlib.blake2b(address.encode(), digest_size=4).digest(), "big")
