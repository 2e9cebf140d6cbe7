"""What a user chooses for a build."""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from pocketindex.arguments import is_file, path_of
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.options import Options as ReadOptions
from pocketindex.builder.inputs.options import ReadingOptions
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.write.perfect_hash import MPHS
from pocketindex.builder.write.tables import MOST_KEYS_PER_PART
from pocketindex.calls.threads import processors
from pocketindex.contents.texts import KEPT
from pocketindex.options import COMMON, SET, Options, option, options_of
from pocketindex.wording.snippet import CHARACTERS, MOST_CHARACTERS

T = TypeVar("T")
Path: TypeAlias = str | os.PathLike[str]

# documents that terms are counted in; more change no weight that matters (bench/results/terms.md)
SAMPLE = 20_000
CHECKSUM_BITS = 16  # where no shape says how many
URL_TEMPLATE_BYTES = 1_024
MEMORY, LEAST_MEMORY = 1 << 30, 1 << 27
MOST_THREADS = 256
# what a file can answer; words may say how many of each document, as words:32
INDEXES = ("documents", "passages", "words")
MOST_WORDS, MOST_TITLE_WEIGHT = 1_000_000, 100
KEYS_ASKED = 262_144  # default probes times tables, at most (docs/format.md 3)


def size(text: str) -> int:
    """Parse a size in bytes: '512M' is 536870912."""
    found = re.fullmatch(r"(\d+)([KMG]?)", text.upper().removesuffix("B").removesuffix("I"))
    if not found:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected bytes, or a number with K, M or G, such as 512M"
        )
    return int(found[1]) * {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[found[2]]


@dataclass(frozen=True, kw_only=True)
class WorkOptions(Options):
    """What the work may take. It never affects the output."""

    max_memory: int = option(
        MEMORY,
        "memory that the work may take, in bytes or as 512M or 2G; does not affect the output",
        least=LEAST_MEMORY,
        allowed=f"at least {LEAST_MEMORY} (128M)",
        parse=size,
        metavar="SIZE",
        decides=False,
        shown_default="1G",
    )
    threads: int | None = option(
        None,
        "number of threads; does not affect the output",
        least=1,
        most=MOST_THREADS,
        metavar="N",
        decides=False,
        shown_default="the number of processors, at most 4",
    )


@dataclass(frozen=True, kw_only=True)
class ForceOption(Options):
    """Whether outputs replace files of any kind."""

    force: bool = option(
        False, "replace an existing file of any kind, not only one of the same kind", decides=False
    )


@dataclass(frozen=True, kw_only=True)
class RecordOptions(ForceOption):
    """What becomes of records that cannot be indexed, and of damaged sources."""

    strict: bool = option(
        False,
        "stop at the first bad record (redirects, HTTP errors and the like are not bad)",
    )
    keep_going: bool = option(
        False,
        "keep what could be read of a source that is cut short or damaged, go on with the next, "
        "and end with exit code 2; also write the output if most records are bad",
    )


def keys_per_part_option(default: T, shown_default: str) -> T:
    """Declare the option keys_per_part."""
    return option(
        default,
        "keys in a part of a table, which is what a query reads at once: about 60000 for a file in "
        "memory, 2000 for one on a slow disk or behind a network; tables of passages have at most "
        "4000",
        least=1,
        most=MOST_KEYS_PER_PART,
        metavar="N",
        shown=SET,
        shown_default=shown_default,
    )


@dataclass(frozen=True, kw_only=True)
class BuildOptions(ReadingOptions, WorkOptions, RecordOptions):
    """The options of a build, but for the names of fields and the choices of the scheme."""

    profile: Path = option(
        "auto",
        "term weights: auto (learn from 50 documents on, else en or de), learn (count terms "
        "here), en, de, or a .profile or .pocket file",
        metavar="PROFILE",
        shown=COMMON,
    )
    detect_language: bool = option(
        False,
        "guess the language of documents of 200 characters or more that do not state it, to "
        "choose between en and de (needs resiliparse)",
        shown=SET,
        only_with=("profile", "auto"),
    )
    scheme: str = option(
        "rff",
        "how texts become keys; rff is random fuzzy-fingerprinting",
        choices=tuple(SCHEMES),
    )
    mph: str = option("pilot", "minimal perfect hash", choices=tuple(sorted(MPHS)), shown=SET)
    checksum_bits: int | None = option(
        None,
        "bits of the checksum of each key",
        choices=(0, 8, 16, 32),
        metavar="N",
        shown=SET,
        shown_default="depends on the shape",
    )
    identity_bits: int = option(
        8,
        "bits of the hash that tells byte-identical texts apart from similar ones",
        choices=(0, 8, 16, 32),
        metavar="N",
        shown=SET,
    )
    shared_bits: int = option(
        0,
        "bits to estimate how much text a hit shares with a query",
        choices=(0, 64, 128, 256),
        metavar="N",
    )
    keys_per_part: int = keys_per_part_option(60_000, "60000")
    probes: int | None = option(
        None,
        "keys that a query looks up in each table unless it says otherwise",
        least=1,
        most=65_536,
        metavar="N",
        shown_default=", ".join(
            f"{one.probes(one.settings(), 0)} for {name}" for name, one in SCHEMES.items()
        ),
    )
    sample: int = option(
        SAMPLE,
        "documents in which terms are counted: those with the smallest hash of their id",
        least=1,
        metavar="N",
        shown=SET,
    )
    keep: str = option(
        "none",
        "what to keep of each text: nothing, a snippet to show, or all of it, for `query --exact`",
        choices=tuple(KEPT.values()),
        shown=COMMON,
    )
    snippet: int = option(
        CHARACTERS,
        "characters of a snippet",
        least=1,
        most=MOST_CHARACTERS,
        metavar="N",
        only_with=("keep", "snippet"),
    )
    titles: bool = option(
        False,
        "let `titles` find titles, for about 9 bytes each",
        shown=COMMON,
    )
    index: Sequence[str] = option(
        ("documents",),
        "what to answer: documents (`query`), passages (`sources`), words or the N heaviest words "
        "of each document (`search`)",
        metavar="documents[,passages][,words[:N]]",
        shown=COMMON,
    )
    run_terms: int = option(
        4,
        "words in each word sequence (k-gram) that passages are made of",
        least=1,
        most=16,
        metavar="N",
        only_with=("index", "passages"),
    )
    run_window: int = option(
        12,
        "keep one word sequence in N; a smaller N finds more edited passages and takes more bytes",
        least=1,
        most=256,
        metavar="N",
        only_with=("index", "passages"),
    )
    run_documents: int = option(
        50,
        "leave out word sequences that more than N documents have",
        least=1,
        most=1000,
        metavar="N",
        shown=SET,
        only_with=("index", "passages"),
    )
    title_weight: int = option(
        3,
        "how many times a word of a title counts for `search`; 0 leaves titles out",
        least=0,
        most=MOST_TITLE_WEIGHT,
        metavar="N",
        shown=SET,
        only_with=("index", "words"),
    )
    url_template: str = option(
        "",
        "make urls from {id} and {title}, so that they take no bytes",
        metavar="URL",
    )
    refuse_shrink: bool = option(
        False,
        "fail, and keep the old file, if the new one has less than half of its documents",
        decides=False,
    )
    measure: bool = option(
        False,
        "ask the file with 1,000 of its documents how many of their exact neighbours it finds",
        shown=COMMON,
        decides=False,
    )


@dataclass(frozen=True, kw_only=True)
class Settings(BuildOptions):
    """Choices of a build. Together with the input they decide every byte of the file, but for those
    that are declared not to.

    fields: the names of the fields of records; scheme_settings: the choices of the scheme, used
    when the profile is learned (None: its defaults). `pocketindex build --help-all` lists the rest.
    """

    fields: Fields = OWN_NAMES
    scheme_settings: Any = None

    @property
    def profile_name(self) -> str:
        """What profile says, which is a string once it is checked."""
        return os.fspath(self.profile)

    @property
    def reading(self) -> ReadOptions:
        """How sources are read."""
        names = [field.name for field in dataclasses.fields(ReadOptions)]
        return ReadOptions(**{name: getattr(self, name) for name in names})

    @property
    def choices(self) -> Any:
        """Those of the scheme."""
        return self.scheme_settings or SCHEMES[self.scheme].settings()

    def probes_of(self, documents: int) -> int:
        """Return the probes of a file of so many documents: those asked for, or the scheme's."""
        return self.probes or int(SCHEMES[self.scheme].probes(self.choices, documents))

    def cells_of(self, documents: int) -> int:
        """Return the number of cells of a file of so many documents."""
        return int(SCHEMES[self.scheme].cells(self.choices, documents))

    @property
    def checksums(self) -> int:
        """Bits of a checksum: the ones asked for, or those of the shape."""
        by_shape = self.choices.chosen.checksum_bits if self.scheme == "rff" else CHECKSUM_BITS
        return by_shape if self.checksum_bits is None else self.checksum_bits

    @property
    def run_shape(self) -> tuple[int, int, int]:
        """Terms of a run, runs of a window, and the most documents of a run."""
        return self.run_terms, self.run_window, self.run_documents

    @property
    def beside(self) -> tuple[int, int]:
        """Bits that a stored sketch has beside its own: for identity, and for shared text."""
        return self.identity_bits, self.shared_bits

    @property
    def words(self) -> int | None:
        """The words of a document that can be searched for, 0 for all; None for no words."""
        for name in self.index:
            kind, _, count = name.partition(":")
            if kind == "words":
                return int(count or 0)
        return None

    @property
    def thread_count(self) -> int:
        return self.threads or processors()

    def deciding(self) -> dict[str, str]:
        """Return what decides the bytes of the file, by names for people."""
        declared = options_of(Settings)
        chosen = {
            f"the setting {field.name}": repr(getattr(self, field.name))
            for field in dataclasses.fields(self)
            if field.name not in declared or declared[field.name].decides
        }
        if is_file(self.profile):
            status = os.stat(self.profile)
            chosen["size and time of the profile"] = f"{status.st_size}, {status.st_mtime_ns}"
        return chosen

    def __post_init__(self) -> None:
        object.__setattr__(self, "profile", path_of("profile", self.profile))
        super().__post_init__()
        if self.scheme_settings is not None and not isinstance(
            self.scheme_settings, SCHEMES[self.scheme].settings
        ):
            raise ValueError(
                f"scheme_settings are {type(self.scheme_settings).__name__}; scheme "
                f"{self.scheme} has others"
            )
        for name in self.index:
            kind, colon, count = name.partition(":")
            if kind not in INDEXES or (colon and kind != "words"):
                raise self.refused("{index} has {0!r}; it may have {1}", name, ", ".join(INDEXES))
            if colon and not (count.isdecimal() and 1 <= int(count) <= MOST_WORDS):
                raise self.refused(
                    "{index} has {0!r}; of each document there may be words:1 .. words:{1}, or "
                    "`words` for all",
                    name,
                    MOST_WORDS,
                )
        kinds = [name.partition(":")[0] for name in self.index]
        if len(set(kinds)) < len(kinds):
            raise self.refused("{index} has {0}; each may stand in it once", ",".join(self.index))
        if (size := len(self.url_template.encode())) > URL_TEMPLATE_BYTES:
            raise self.refused(
                "{url_template} has {0} bytes; it may have {1}", size, URL_TEMPLATE_BYTES
            )

    def check_choices(self, given: Iterable[str]) -> None:
        """Raise OptionError for choices without effect, and for a template that gives every
        document the same url. given: the names of the options that the user gave.
        """
        self.check_effect(given)
        template = self.url_template
        if template and "{id}" not in template and "{title}" not in template:
            raise self.refused(
                "{url_template} is {0!r}, which has neither {1} nor {2}: every document would "
                "have the same url",
                template,
                "{id}",
                "{title}",
            )


DEFAULTS = Settings()
