"""docs/format.md, 2.2: probes."""

from __future__ import annotations

from plain.sketch import Digits, Quantised, Table

PROBES = 65_536
MOVES = 32
LEVELS = 1_024
FINENESS = 64


def probes(table: Table, quantised: Quantised, wanted: int) -> list[int]:
    """Return the first `wanted` probed keys of a table, or all there are."""
    own, moves = table.digits(quantised.digits), []
    for i, component in enumerate(table.components):
        for direction, costs in ((-1, quantised.down), (1, quantised.up)):
            cost = costs[component]
            if cost is not None:
                moves.append((cost, i, direction))
    moves = sorted(moves)[:MOVES]
    if table.is_sum:
        return sums(table.key(own), moves)[:wanted]
    unit = sum(cost for cost, _, _ in moves[: wanted.bit_length()]) // FINENESS + 1
    levels = [max(1, cost // unit) for cost, _, _ in moves]
    found = [0]
    # The sets of each level, rising: a set of a higher level is one of a lower level with a higher
    # move added.
    by_level: list[list[int]] = [[0]]
    for level in range(1, LEVELS):
        if len(found) >= wanted:
            break
        sets = []
        for i, own_level in enumerate(levels):
            for mask in by_level[level - own_level] if own_level <= level else ():
                components = [moves[j][1] for j in range(i) if mask >> j & 1]
                if mask < 1 << i and moves[i][1] not in components:
                    sets.append(mask | 1 << i)
        by_level.append(sets)
        found += sets
    return [
        table.key(moved(own, [move for i, move in enumerate(moves) if mask >> i & 1]))
        for mask in found[:wanted]
    ]


def sums(key: int, moves: list[tuple[int, int, int]]) -> list[int]:
    """Return the probes of a sum key."""
    found = [(0, 0, key)]
    for direction in (-1, 1):
        cost = 0
        for steps, move in enumerate((move for move in moves if move[2] == direction), 1):
            cost += move[0]
            found.append((cost, direction, key + direction * steps))
    return [probe for _, _, probe in sorted(found)]


def moved(digits: Digits, moves: list[tuple[int, int, int]]) -> list[int]:
    """Return the digits after these moves, each (cost, component, direction)."""
    result = list(digits)
    for _, component, direction in moves:
        result[component] += direction
    return result
