"""What a user chooses for a build."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pocketindex.arguments import check_fields, check_whole, is_file
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.options import Options
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.write.perfect_hash import MPHS
from pocketindex.builder.write.tables import MOST_KEYS_PER_PART
from pocketindex.calls.threads import processors
from pocketindex.contents.texts import KEPT
from pocketindex.wording.snippet import CHARACTERS, MOST_CHARACTERS

# documents that terms are counted in; more change no weight that matters (docs/decisions.md, 8)
SAMPLE = 20_000
CHECKSUM_BITS = 16  # where no shape says how many
URL_TEMPLATE_BYTES = 1_024
MEMORY, LEAST_MEMORY = 1 << 30, 1 << 27
MOST_THREADS = 256
# what a file can answer; words may say how many of each document, as words:32
INDEXES = ("documents", "passages", "words")
MOST_WORDS, MOST_TITLE_WEIGHT = 1_000_000, 100
KEYS_ASKED = 262_144  # default probes times tables, at most (docs/format.md 3)
_NO_BYTE = (
    "max_memory",
    "threads",
    "measure",
    "refuse_shrink",
    "force",
)  # of these settings none decides one of the file


@dataclass(frozen=True)
class Settings:
    """Choices of a build; together with the input they decide every byte of the file, but for
    max_memory, threads, measure, refuse_shrink and force.

    format: of the sources, None to find out; encoding: of texts, whatever pages say, None for UTF-8
    and what pages say; select, exclude: CSS selectors, of what alone counts in a page of HTML, and
    of what does not; fields: the names of their records' fields; drop: what is left out of the
    texts of a format that has it ("tables", "references"); add: what is added to the texts of a
    format that has it ("comments", "notes"); follow_links: of folders, also links
    that lead out of them; scheme: `rff`, `ff`; scheme_settings: its choices, used when the profile
    is learned (None: its defaults); profile: "auto" (terms weighed in the collection from 50
    documents on, else shipped for their commonest language), "learn", a shipped one ("en", "de"),
    or the path of a .profile or .pocket file; detect_language: whether that of documents which do
    not say it is guessed for this choice; mph: minimal perfect hash; checksum_bits: 0, 8, 16 or 32,
    None for those of the shape; identity_bits: 0, 8, 16 or 32, of the hash that tells
    byte-identical texts; shared_bits: 0, 64, 128 or 256, to estimate how much text two documents
    share; keys_per_part: ~60,000 where the file will sit in memory, ~2,000 where it is read cold,
    of passages 4,000 at most; probes: the file's default (None: those of the
    shape, or the scheme's); sample: documents that terms are weighed in, those with the smallest
    hash of their id; keep: of each text `none`, a `snippet` of at most that many characters, or the
    whole `text`; titles: whether they can be looked up by their beginnings; index: what the file
    answers, "documents" always, and "passages", "words" or "words:N", the N heaviest words of each
    document; run_terms, run_window, run_documents: terms of a run, runs of a window, and the most
    documents that a run may have (docs/format.md 6.3); title_weight: how often a word of a title
    counts for `words`, 0 for not at all; url_template: with {id} and {title}; strict: the first
    skipped record is an error (see Report); keep_going: a source that cannot be read to its end is
    none, what was read of it is kept, and so is what is there where most records are bad
    (MostlyBad); refuse_shrink: a file of less than half of the documents of the one it would
    replace is an error (Shrunk), not a note; force: outputs replace files of any kind; max_memory:
    bytes that the build may take; threads: None for those of the machine, at most 4; measure: the
    finished file is asked with documents of its own, and compared with their exact neighbours
    (Report.measured).
    """

    format: str | None = None
    encoding: str | None = None
    select: str = ""
    exclude: str = ""
    fields: Fields = OWN_NAMES
    drop: Sequence[str] = ()
    follow_links: bool = False
    add: Sequence[str] = ()
    scheme: str = "rff"
    scheme_settings: Any = None
    profile: str = "auto"
    detect_language: bool = False
    mph: str = "pilot"
    checksum_bits: int | None = None
    identity_bits: int = 8
    shared_bits: int = 0
    keys_per_part: int = 60_000
    probes: int | None = None
    sample: int = SAMPLE
    keep: str = "none"
    snippet: int = CHARACTERS
    titles: bool = False
    index: Sequence[str] = ("documents",)
    run_terms: int = 4
    run_window: int = 12
    run_documents: int = 50
    title_weight: int = 3
    url_template: str = ""
    strict: bool = False
    keep_going: bool = False
    refuse_shrink: bool = False
    force: bool = False
    max_memory: int = MEMORY
    threads: int | None = None
    measure: bool = False

    @property
    def reading(self) -> Options:
        """How sources are read."""
        names = [field.name for field in dataclasses.fields(Options)]
        return Options(**{name: getattr(self, name) for name in names})

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
        names = [field.name for field in dataclasses.fields(self) if field.name not in _NO_BYTE]
        chosen = {f"the setting {name}": repr(getattr(self, name)) for name in names}
        if is_file(self.profile):
            status = os.stat(self.profile)
            chosen["size and time of the profile"] = f"{status.st_size}, {status.st_mtime_ns}"
        return chosen

    def __post_init__(self) -> None:
        check_fields(self)
        if self.scheme not in SCHEMES:
            raise ValueError(f"scheme is {self.scheme!r}; it must be one of {', '.join(SCHEMES)}")
        if self.scheme_settings is not None and not isinstance(
            self.scheme_settings, SCHEMES[self.scheme].settings
        ):
            raise ValueError(
                f"scheme_settings are {type(self.scheme_settings).__name__}; scheme "
                f"{self.scheme} "
                "has others"
            )
        for name, value, allowed in (
            ("mph", self.mph, tuple(MPHS)),
            ("checksum_bits", self.checksums, (0, 8, 16, 32)),
            ("identity_bits", self.identity_bits, (0, 8, 16, 32)),
            ("shared_bits", self.shared_bits, (0, 64, 128, 256)),
            ("keep", self.keep, tuple(KEPT.values())),
        ):
            if value not in allowed:
                raise ValueError(
                    f"{name} is {value!r}; it must be one of {', '.join(map(str, allowed))}"
                )
        for name in self.index:
            kind, colon, count = name.partition(":")
            if kind not in INDEXES or (colon and kind != "words"):
                raise ValueError(f"index has {name!r}; it may have {', '.join(INDEXES)}")
            if colon and not (count.isdecimal() and 1 <= int(count) <= MOST_WORDS):
                raise ValueError(
                    f"index has {name!r}; of each document there may be words:1 .. "
                    f"words:{MOST_WORDS}, or `words` for all"
                )
        kinds = [name.partition(":")[0] for name in self.index]
        if len(set(kinds)) < len(kinds):
            raise ValueError(f"index has {','.join(self.index)}; each may stand in it once")
        for name, number, least, most in (
            ("title_weight", self.title_weight, 0, MOST_TITLE_WEIGHT),
            ("run_terms", self.run_terms, 1, 16),
            ("run_window", self.run_window, 1, 256),
            ("run_documents", self.run_documents, 1, 1000),
            ("keys_per_part", self.keys_per_part, 1, MOST_KEYS_PER_PART),
            ("probes", self.probes, 1, 65_536),
            ("sample", self.sample, 1, None),
            ("threads", self.threads, 1, MOST_THREADS),
        ):
            if number is not None:
                check_whole(name, number, least, most)
        if not 1 <= self.snippet <= MOST_CHARACTERS:
            raise ValueError(
                f"snippet is {self.snippet}; it must be 1 .. {MOST_CHARACTERS} characters"
            )
        if len(self.url_template.encode()) > URL_TEMPLATE_BYTES:
            raise ValueError(
                f"the url template has {len(self.url_template.encode())} bytes; it may have "
                f"{URL_TEMPLATE_BYTES}"
            )
        if self.max_memory < LEAST_MEMORY:
            raise ValueError(
                f"max_memory is {self.max_memory}; it must be {LEAST_MEMORY} (128M) or more"
            )


DEFAULTS = Settings()


def check_url_template(template: str) -> None:
    """Raise ValueError where a template gives every document the same url."""
    if template and "{id}" not in template and "{title}" not in template:
        raise ValueError(
            f"the url template {template!r} has neither {{id}} nor {{title}}: every document "
            "would have the same url"
        )
