"""Schemes: how texts become keys. One file a scheme, found in SCHEMES by its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pocketindex.builder.schemes import ff, rff


@dataclass(frozen=True)
class Scheme:
    """What the builder asks of a scheme.

    settings: the class of its choices; learn: (name, sampled texts, documents of the collection, settings) -> profile; fit: (shipped
    profile, documents) -> one for so many; otherwise: the profile of small collections in languages that none is shipped for; probes:
    the default of files.
    """

    settings: Any
    learn: Any
    otherwise: str
    fit: Any
    probes: int


SCHEMES = {
    "rff": Scheme(rff.RffSettings, rff.learn, "learn", rff.fit, 1536),
    "ff": Scheme(ff.FfSettings, ff.learn, "en", lambda data, documents: data, 256),
}
