"""The arguments that choose a scheme and its settings, shared by the verbs that learn profiles."""

from __future__ import annotations

import argparse
from typing import Any

from pocketindex.builder.schemes import SCHEMES

# Choice, how it is read, what it means; the schemes that have it and their defaults are found in
# their settings.
CHOICES: tuple[tuple[str, Any, str], ...] = (
    ("shape", str, "small, balanced or wide: bytes against recall"),
    ("tables", int, "sub-keys of a document; rff: 0 for a file that is always scanned"),
    ("bits", int, "rff: components of a sub-key; minhash: bits kept of a hash"),
    ("components", int, "of a sketch"),
    ("cells", int, "that similar documents lie together in, 0 for none"),
    ("classes", int, "that terms fall into"),
    ("prefix", int, "letters of a prefix"),
    ("borders", None, "of each fuzzification scheme's intervals, as in '0;-.4;.4'"),
    ("functions", int, "hash functions of a key"),
    ("form", str, "of a key: concat or sum"),
    ("width", float, "of an interval, in spreads"),
    ("intervals", int, "of a function"),
    ("bands", int, "sub-keys of a document"),
    ("rows", int, "hashes of a sub-key"),
    ("shingle", int, "terms of a shingle"),
    ("least_terms", int, "shorter texts have no sketch and are found as copies"),
)


def add_scheme_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --scheme, and the choices of each. A choice that is not given is the scheme's own
    default.
    """
    parser.add_argument(
        "--scheme",
        choices=list(SCHEMES),
        default="rff",
        help="how texts become keys (default rff, random fuzzy-fingerprinting)",
    )
    group = parser.add_argument_group("choices of the scheme")
    for name, kind, meaning in CHOICES:
        defaults = {
            scheme: entry.settings.__dataclass_fields__[name].default
            for scheme, entry in SCHEMES.items()
            if name in entry.settings.__dataclass_fields__
        }
        shown = ", ".join(
            f"{scheme} {'by shape' if default is None else default}"
            for scheme, default in defaults.items()
        )
        shown = shown if name != "borders" else "ff"
        group.add_argument(
            "--" + name.replace("_", "-"),
            type=kind or borders,
            metavar="X",
            help=f"{meaning} ({shown})",
        )


def borders(text: str) -> tuple[tuple[float, ...], ...]:
    """Parse borders: '0;-.35,.35' is ((0.0,), (-0.35, 0.35))."""
    try:
        return tuple(tuple(float(b) for b in scheme.split(",")) for scheme in text.split(";"))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected rising numbers, with commas within a fuzzification scheme "
            "and ; "
            "between them"
        ) from None


def scheme_settings(arguments: argparse.Namespace) -> Any:
    """Return the settings of the chosen scheme.

    Raises ValueError for choices outside their range, and for those of another scheme.
    """
    settings = SCHEMES[arguments.scheme].settings
    given = {
        name: getattr(arguments, name)
        for name, _, _ in CHOICES
        if getattr(arguments, name) is not None
    }
    strange = [name for name in given if name not in settings.__dataclass_fields__]
    if strange:
        raise ValueError(
            f"--{strange[0].replace('_', '-')} is no choice of scheme {arguments.scheme}"
        )
    return settings(**given)
