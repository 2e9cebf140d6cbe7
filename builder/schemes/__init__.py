"""The schemes: how texts become keys, by profiles, weights and the centroids of cells.

They may import the base (conventions, document), spill and sections. A scheme is one file,
found in SCHEMES by its name.
"""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass, replace
from typing import TYPE_CHECKING, Any

from pocketindex.builder.schemes import ff, minhash, plsh, rff, simhash
from pocketindex.options import ALL, COMMON, SET, Option, OptionError, Options, flags_of, options_of


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


def _merged(name: str) -> Option:
    """Return an option of one or several schemes, with the default of each."""
    own = {
        scheme: found[name]
        for scheme, entry in SCHEMES.items()
        if name in (found := options_of(entry.settings))
    }
    first = next(iter(own.values()))
    helps, defaults = dict[str, list[str]](), dict[str, list[str]]()
    for scheme, one in own.items():
        helps.setdefault(one.help, []).append(scheme)
        defaults.setdefault(one.shown_default or str(one.default), []).append(scheme)
    help = "; ".join(
        text if len(helps) == 1 else f"{text} ({', '.join(of)})" for text, of in helps.items()
    )
    needs_scheme = len(defaults) > 1 or list(own) not in (["rff"], list(SCHEMES))
    shown_default = ", ".join(
        f"{text} for {' and '.join(of)}" if needs_scheme else text for text, of in defaults.items()
    )
    shown = min((one.shown for one in own.values()), key=(COMMON, ALL, SET).index)
    # Each scheme checks its own bounds.
    return replace(
        first, help=help, shown_default=shown_default, shown=shown, least=None, most=None
    )


if TYPE_CHECKING:

    class SchemeOptions(
        plsh.PlshSettings,
        minhash.MinHashSettings,
        ff.FfSettings,
        simhash.SimHashSettings,
        rff.RffSettings,
    ):
        """The options of all schemes. None stands for what the scheme has by default."""
else:
    _names = dict.fromkeys(
        name for entry in SCHEMES.values() for name in options_of(entry.settings)
    )
    SchemeOptions = make_dataclass(
        "SchemeOptions",
        [
            (
                name,
                one.kind if one.kind.endswith(" | None") else f"{one.kind} | None",
                field(default=None, metadata={"option": one}),
            )
            for name in _names
            for one in [_merged(name)]
        ],
        bases=(Options,),
        namespace={"__module__": __name__},
        frozen=True,
        kw_only=True,
    )


def settings_of(scheme: str, options: SchemeOptions) -> Any:
    """Return the settings of a scheme, None where all are its defaults.

    Raises OptionError for a value that is not allowed, and for an option of another scheme.
    """
    names = options_of(SchemeOptions)
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    kind = SCHEMES[scheme].settings
    for name in given:
        if name not in options_of(kind):
            text = f"{{{name}}} is not an option of scheme {{0}}"
            raise OptionError(text, (scheme,), flags_of(SchemeOptions))
    return kind(**given) if given else None
