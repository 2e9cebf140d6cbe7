"""Every way of multiplying steps with centroids gives the same: the scores of all cells, and each
document's nearest.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from compiled import compile_c, core_file

WAYS = {
    "the processor's best": (),
    "pairs": ("-DREGISTERS_MOST=REGISTERS_PAIRS",),
    "a processor without registers": ("-DREGISTERS_MOST=REGISTERS_NONE",),
    "a compiler without them": ("-DPOCKET_ARITHMETIC",),
}
MOST = 128  # components
# Whole registers of bytes and parts of them, whole blocks of cells and one more.
COMPONENTS = (1, 2, 31, 32, 65, 96, 126, 127)
SHAPES = [(components, cells) for components in COMPONENTS for cells in (1, 15, 16, 33, 40, 513)]
SHAPES += [(MOST, cells) for cells in (1, 15, 16, 17, 33, 40, 513)]


@pytest.fixture(scope="module", params=WAYS)
def core(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    out: Path = tmp_path_factory.mktemp("products") / "products.so"
    sources = [core_file("cell_scores.c"), core_file("nearest_cells.c"), core_file("registers.c")]
    return ctypes.CDLL(str(compile_c(out, sources, "-shared", "-fPIC", *WAYS[request.param])))


def made(components: int, cells: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Values of centroids and steps: by chance, few ones so that cells are equally near, and the
    largest sums.
    """
    chance = np.random.default_rng(components * 1_000 + cells)
    for values, steps in (((0, 16), (-127, 128)), ((7, 9), (0, 2)), ((15, 16), (127, 128))):
        for documents, sign in ((1, -1), (19, 1)):
            yield (
                chance.integers(*values, (cells, components), dtype=np.uint8),
                sign * chance.integers(*steps, (documents, components), dtype=np.int8),
            )


def packed(centroids: np.ndarray) -> bytes:
    padded = np.pad(centroids, ((0, 0), (0, centroids.shape[1] % 2)))
    return bytes((padded[:, ::2] | padded[:, 1::2] << 4).tobytes())


@pytest.mark.parametrize(("components", "cells"), SHAPES)
def test_scores_and_nearest_cells(core: ctypes.CDLL, components: int, cells: int) -> None:
    for centroids, steps in made(components, cells):
        expected = (steps.astype(np.int32) @ centroids.T.astype(np.int32)).astype(np.int32)
        content = packed(centroids)
        nearest = np.zeros(len(steps), np.uint32)
        status = core.pocket_nearest_cells(
            content, cells, components, steps.tobytes(), ctypes.c_size_t(len(steps)), nearest.ctypes
        )
        assert status == 0
        assert nearest.tolist() == expected.argmax(1).tolist()
        for row, sums in zip(steps, expected, strict=True):
            # As in a query, whose steps lie where there were others.
            own = ctypes.create_string_buffer(b"\x55" * (MOST + 4), MOST + 4)
            scores = np.full(cells + 1, 7, np.int32)
            core.cell_steps_from(row.tobytes(), components, own)
            core.cell_scores(own, content, cells, core.best_registers(), scores.ctypes)
            assert scores.tolist() == [*sums.tolist(), 7]
            bounds = np.zeros(2, np.int32)
            core.cell_bounds(own, bounds[:1].ctypes, bounds[1:].ctypes)
            assert bounds.tolist() == [
                15 * int(row[row < 0].sum(dtype=np.int64)),
                15 * int(row[row > 0].sum(dtype=np.int64)),
            ]
