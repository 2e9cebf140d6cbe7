"""Groups of documents by the rule (docs/format.md, section 10), without the core's hashing."""

from __future__ import annotations

from collections.abc import Sequence

from plain import PlainIndex


def plain_groups(plain: PlainIndex, documents: Sequence[int]) -> list[int]:
    """Each joins the first group to whose first document it is similar, if their sketches have a
    byte in common.
    """
    digits = [plain.sketches.record(document)[0] for document in documents]
    packed = [pack_digits(plain, own) for own in digits]
    groups = list[int]()
    for i, own in enumerate(digits):
        for j in [j for j in range(i) if groups[j] == j]:
            equal = sum(a == b for a, b in zip(own, digits[j], strict=True))
            similarity = plain.profile.similarity(65_536 * equal // len(own), False)
            near = any(a == b for a, b in zip(packed[i], packed[j], strict=True))
            if near and similarity >= 6000:
                groups.append(j)
                break
        else:
            groups.append(i)
    return groups


def pack_digits(plain: PlainIndex, digits: Sequence[int]) -> bytes:
    total = shift = 0
    for digit, component in zip(digits, plain.profile.components, strict=True):
        total |= digit << shift
        shift += (component.intervals - 1).bit_length()
    return total.to_bytes((shift + 7) // 8, "little")
