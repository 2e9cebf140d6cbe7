"""Numbers of pages that stay the same when other pages come and go (docs/format.md 13.2)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

ROOM = 32  # slots a page: so few pages want the same one that a new one moves hardly any
LEAST = 16


def slots_for(pages: int) -> int:
    """Return how many slots so many pages have: a power of two."""
    return 1 << max(LEAST, ROOM * pages).bit_length() - 1 + (
        max(LEAST, ROOM * pages).bit_count() > 1
    )


def numbered(addresses: Iterable[str], slots: int) -> Iterator[tuple[int, str]]:
    """Yield the slot of each address, rising: the one that the address's hash says, or the next
    that is free. The last ones may lie behind the slots.
    """
    last = -1
    for key, address in sorted((_hash(address), address) for address in addresses):
        last = max(last + 1, key * slots >> 32)
        yield last, address


def _hash(address: str) -> int:
    return int.from_bytes(hashlib.blake2b(address.encode(), digest_size=4).digest(), "big")
