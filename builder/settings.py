"""What a user chooses for a build."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pocketindex.arguments import is_file, path_of
from pocketindex.builder.inputs.fields import OWN_NAMES, Fields
from pocketindex.builder.inputs.options import Options as ReadOptions
from pocketindex.builder.options import BuildOptions
from pocketindex.builder.schemes import SCHEMES
from pocketindex.builder.write.stems import knows
from pocketindex.ffi.threads import processors
from pocketindex.options import options_of

CHECKSUM_BITS = 16  # where no shape says how many
URL_TEMPLATE_BYTES = 1_024
# what a file can answer; words may say how many of each document, as words:32
INDEXES = ("documents", "passages", "words")
MOST_WORDS = 1_000_000
KEYS_ASKED = 262_144  # default probes times tables, at most (docs/format.md 3)


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
    def shingle_shape(self) -> tuple[int, int, int]:
        """Terms of a shingle, shingles of a window, and the most documents of a shingle."""
        return self.run_terms, self.run_window, self.run_documents

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
        if self.stem not in ("auto", "none") and not knows(self.stem):
            raise self.refused(
                "{stem} is {0!r}; it may be auto, none, or a language that Snowball has a stemmer "
                "for, as de or german",
                self.stem,
            )
        if self.lemmas and self.stem == "none":
            raise self.refused("{lemmas} goes with a language; leave it away, or {stem} none")
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
