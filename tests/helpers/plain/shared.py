"""docs/format.md, 4.1: the shared bits."""

from __future__ import annotations

from plain.minhash import least_values, shingles

OFFSET = 0x243F6A8885A308D3


def shared_bits(terms: list[bytes], bits: int) -> int:
    """Return the shared bits of a text with these terms, at least one, bit j as bit j of the
    number.
    """
    hashes = {(whole + OFFSET) % 2**64 for whole, _ in shingles(terms, 3)}
    return sum(value % 2 << j for j, value in enumerate(least_values(hashes, bits)))


def shared_estimate(one: int, other: int, bits: int) -> int:
    """Return what two texts with these shared bits share, in ten-thousandths."""
    agreeing = bits - (one ^ other).bit_count()
    return max(0, (2 * agreeing - bits) * 10_000 // bits)
