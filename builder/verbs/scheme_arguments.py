"""The arguments that choose a scheme and its settings, shared by the verbs that learn profiles."""

from __future__ import annotations

import argparse
from typing import Any

from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.schemes.ff import FF_BORDERS, FfSettings
from pocketindex.builder.schemes.rff import RffSettings


def add_scheme_arguments(parser: argparse.ArgumentParser) -> None:
    """--scheme, and the choices of each. A choice that is not given is the scheme's own default."""
    parser.add_argument(
        "--scheme", choices=list(SCHEMES), default="rff", help="how texts become keys (default rff, rotated fuzzy-fingerprinting)"
    )
    shown = ";".join(",".join(f"{b:g}" for b in scheme) for scheme in FF_BORDERS)
    group = parser.add_argument_group("scheme rff, where the profile is learned")
    group.add_argument("--tables", type=int, metavar="L", help=f"sub-keys of a document (default {RffSettings.tables})")
    group.add_argument("--bits", type=int, metavar="B", help="components of a sub-key (default: by the collection's size)")
    group.add_argument("--components", type=int, metavar="D", help=f"of a sketch, a bit each (default {RffSettings.components})")
    group.add_argument("--rotation", choices=["auto", "learned", "neutral"], help="auto (default): learned from 2,000 documents on")
    group = parser.add_argument_group("schemes rff and ff, where the profile is learned")
    group.add_argument(
        "--classes", type=int, metavar="K", help=f"prefix classes (default {RffSettings.classes} for rff, {FfSettings.classes} for ff)"
    )
    group.add_argument(
        "--prefix", type=int, metavar="N", help=f"letters of a prefix, 0 for whole terms (default 0 for rff, {FfSettings.prefix} for ff)"
    )
    group.add_argument("--least-terms", type=int, metavar="N", help="shorter texts are left out (default 5)")
    group = parser.add_argument_group("scheme ff, where the profile is learned")
    group.add_argument("--borders", type=borders, metavar="B", help=f"of each fuzzification scheme's intervals (default '{shown}')")


def borders(text: str) -> tuple[tuple[float, ...], ...]:
    """'0;-.35,.35' -> ((0.0,), (-0.35, 0.35))"""
    try:
        return tuple(tuple(float(b) for b in scheme.split(",")) for scheme in text.split(";"))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected rising numbers, with commas within a fuzzification scheme and ; between them"
        ) from None


def scheme_settings(arguments: argparse.Namespace) -> Any:
    """The settings of the chosen scheme. Raises ValueError for choices outside their range, and for those of another scheme."""
    settings = SCHEMES[arguments.scheme].settings
    given = {
        name: getattr(arguments, name)
        for name in ("tables", "bits", "components", "rotation", "classes", "prefix", "least_terms", "borders")
        if getattr(arguments, name) is not None
    }
    strange = [name for name in given if name not in settings.__dataclass_fields__]
    if strange:
        raise ValueError(f"--{strange[0].replace('_', '-')} is no choice of scheme {arguments.scheme}")
    return settings(**given)
