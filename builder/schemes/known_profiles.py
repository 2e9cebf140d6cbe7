"""Profiles that exist already: shipped in data/, learned before, or inside another pocket file."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

from pocketindex.arguments import file_of
from pocketindex.builder.schemes.profile import Profile
from pocketindex.builder.sections.pocket_file import PocketFile
from pocketindex.constants import MAGIC
from pocketindex.errors import NotAPocketFile, PocketError

SHIPPED = ("en", "de")


class NoSuchProfile(PocketError):
    """A profile that is neither shipped nor a file."""


def of_scheme(scheme: str) -> tuple[str, ...]:
    """Return the names of the profiles that are shipped for a scheme; most schemes have none."""
    return tuple(name for name in SHIPPED if _shipped(name, scheme).is_file())


def for_languages(languages: Counter[str], scheme: str) -> str | None:
    """Return the shipped profile for a collection: of its commonest language, None where there is
    none for that or no language is named.
    """
    named: Counter[str] = Counter()
    for tag, count in languages.items():
        named[tag.lower().replace("_", "-").split("-")[0]] += count
    named.pop("", None)
    language = min(named, key=lambda name: (-named[name], name), default=None)
    return language if language in of_scheme(scheme) else None


def load(choice: str, scheme: str) -> Profile:
    """Return the scheme's shipped profile named so, or the one in the file of that path (.profile
    or .pocket).

    Raises NoSuchProfile, or Damaged and TooNew where the file's profile is not in order.
    """
    shipped = of_scheme(scheme)
    if choice in shipped:
        return Profile(_shipped(choice, scheme).read_bytes(), choice)
    path = Path(file_of("profile", choice, "a profile", "a .profile or .pocket file"))
    if not path.is_file():
        expected = ", ".join(("auto", "learn", *shipped))
        raise NoSuchProfile(
            f"{choice}: no such profile of scheme {scheme}: expected {expected}, or the path "
            "of a "
            ".profile or .pocket file"
        )
    data = path.read_bytes() if path.suffix == ".profile" else _of_pocket(path)
    return Profile(data, choice)


def _shipped(name: str, scheme: str) -> Any:
    return files("pocketindex.data").joinpath(f"profiles/{scheme}-{name}.profile")


def _of_pocket(path: Path) -> bytes:
    """Return the profile section of a pocket file (docs/format.md, section 1)."""
    with path.open("rb") as stream:
        if stream.read(8) != MAGIC:
            raise NotAPocketFile(str(path))
    with PocketFile(path) as file:
        return file.profile
