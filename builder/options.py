"""The options of a build: each is declared here, and nowhere else."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from pocketindex.builder.inputs.options import ReadingOptions
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.write.perfect_hash import MPHS
from pocketindex.builder.write.tables import MOST_KEYS_PER_PART
from pocketindex.contents.texts import KEPT
from pocketindex.options import COMMON, SET, Options, option
from pocketindex.wording.snippet import CHARACTERS, MOST_CHARACTERS

T = TypeVar("T")
Path: TypeAlias = str | os.PathLike[str]

# documents that terms are counted in; more change no weight that matters (docs/decisions.md, 8)
SAMPLE = 20_000
MEMORY, LEAST_MEMORY = 1 << 30, 1 << 27
MOST_THREADS = 256
MOST_TITLE_WEIGHT = 100


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
        "words in each shingle (k-gram) that passages are made of",
        least=1,
        most=16,
        metavar="N",
        only_with=("index", "passages"),
    )
    run_window: int = option(
        12,
        "keep one shingle in N; a smaller N finds more edited passages and takes more bytes",
        least=1,
        most=256,
        metavar="N",
        only_with=("index", "passages"),
    )
    run_documents: int = option(
        50,
        "of a shingle that more than N documents have, say how many they are, and name three",
        least=1,
        most=1000,
        metavar="N",
        shown=SET,
        only_with=("index", "passages"),
    )
    title_weight: int = option(
        3,
        "how many times a word of a title counts among the heaviest words (words:N); 0 leaves "
        "titles out of `search`",
        least=0,
        most=MOST_TITLE_WEIGHT,
        metavar="N",
        shown=SET,
        only_with=("index", "words"),
    )
    stem: str = option(
        "auto",
        "let `search` find other forms of a word, by a stemmer: auto tells the language by the "
        "words, or none, or a language, as de",
        metavar="auto|none|LANG",
        only_with=("index", "words"),
    )
    lemmas: bool = option(
        False,
        "let it find irregular forms, too (mice, mouse), by the lemmas of simplemma",
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
