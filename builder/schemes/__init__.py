"""The schemes: how texts become keys, by profiles, weights and the centres of cells.

They may import the base (conventions, document), work and sections. A scheme is one file,
found in SCHEMES by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pocketindex.builder.schemes import ff, minhash, plsh, rff, simhash


@dataclass(frozen=True)
class Scheme:
    """What the builder asks of a scheme.

    settings: the class of its choices; learn: (name, sampled texts, documents of the collection,
    settings, each) -> profile; fit: (shipped profile, its name, documents, settings) -> one for so
    many; otherwise: the profile of small collections in languages that none is shipped for; probes:
    (settings, documents) -> the default of files; cells: (settings, documents) -> cells of files.
    """

    settings: Any
    learn: Any
    otherwise: str
    fit: Any
    probes: Any
    cells: Any


def as_it_is(data: bytes, name: str, documents: int, settings: Any) -> bytes:
    """Return a shipped profile that suits every size."""
    return data


def none(settings: Any, documents: int) -> int:
    """Return 0: no cells."""
    return 0


SCHEMES = {
    "rff": Scheme(
        rff.RffSettings,
        rff.learn,
        "learn",
        rff.fit,
        lambda choices, n: choices.shape_of(n).probes,
        lambda choices, n: choices.cells_of(n),
    ),
    "plsh": Scheme(
        plsh.PlshSettings,
        plsh.learn,
        "learn",
        as_it_is,
        lambda choices, n: 64 if choices.form == "concat" else 1,
        none,
    ),
    "minhash": Scheme(
        minhash.MinHashSettings,
        minhash.learn_minhash,
        "learn",
        as_it_is,
        lambda choices, n: 1,
        none,
    ),
    "wminhash": Scheme(
        minhash.MinHashSettings,
        minhash.learn_wminhash,
        "learn",
        as_it_is,
        lambda choices, n: 1,
        none,
    ),
    "simhash": Scheme(
        simhash.SimHashSettings, simhash.learn, "learn", as_it_is, lambda choices, n: 64, none
    ),
    "ff": Scheme(ff.FfSettings, ff.learn, "en", as_it_is, lambda choices, n: 256, none),
}
