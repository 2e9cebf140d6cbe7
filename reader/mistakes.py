"""Say what was probably meant by a command line that is wrong."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pocketindex.arguments import is_file
from pocketindex.given import is_index, is_pocket

# What other programs call it.
_COMMANDS = {
    "help": "--help",
    "version": "--version",
    **dict.fromkeys(("index", "create", "make", "new"), "build"),
    **dict.fromkeys(("add", "append", "insert", "remove", "delete"), "update"),
    **dict.fromkeys(("join", "concat", "combine"), "merge"),
    **dict.fromkeys(("compare", "changes"), "diff"),
    **dict.fromkeys(("ask", "find", "similar", "lookup"), "query"),
    **dict.fromkeys(("grep", "words"), "search"),
    **dict.fromkeys(("label", "predict"), "classify"),
    **dict.fromkeys(("duplicates", "clusters"), "pairs"),
    **dict.fromkeys(("deduplicate", "unique", "uniq"), "dedup"),
    **dict.fromkeys(("stat", "stats", "describe", "inspect"), "info"),
    **dict.fromkeys(("validate", "test", "fsck"), "verify"),
    **dict.fromkeys(("show", "cat", "list", "export"), "get"),
    **dict.fromkeys(("page", "site", "iso"), "disc"),
    **dict.fromkeys(("server", "web", "http"), "serve"),
    **dict.fromkeys(("bench", "benchmark"), "evaluate"),
    **dict.fromkeys(("hash", "simhash"), "fingerprint"),
}
_OPTIONS = {
    **dict.fromkeys(("-n", "-k", "--limit", "--max", "--count", "--number", "--num"), "--top"),
    **dict.fromkeys(("-t", "--threshold", "--similarity", "--cutoff"), "--min-similarity"),
    **dict.fromkeys(("-q", "--quiet", "--silent"), "--progress none"),
    **dict.fromkeys(("-j", "--jobs", "--workers"), "--threads"),
    **dict.fromkeys(("-f", "--overwrite"), "--force"),
    **dict.fromkeys(("--memory", "--ram"), "--max-memory"),
    **dict.fromkeys(("--out", "-O"), "--output"),
    **dict.fromkeys(("--continue",), "--resume"),
    **dict.fromkeys(("--charset",), "--encoding"),
    **dict.fromkeys(("--type", "--input-format"), "--format"),
    **dict.fromkeys(("--jsonl", "--output-format"), "--json"),
}
_DASH = re.compile("[\u2010-\u2015\u2212\ufe58\uff0d]+(?=[A-Za-z])")  # that a word processor makes
_PATTERN = re.compile(r"[*?\[]")


def check_dashes(words: Sequence[str]) -> None:
    """Raise ValueError if an option begins with a dash that is not a hyphen."""
    for word in words:
        if (found := _DASH.match(word)) and not os.path.lexists(word):
            raise ValueError(f"{word}: this is not a hyphen; type --{word[found.end() :]}")


def no_command(word: str, known: Collection[str]) -> str:
    """Return the message for a command that does not exist."""
    if is_pocket(word) and is_file(word):
        name = shlex.quote(word)
        return f"{word} is an index; to query it: pocketindex query {name} DOCUMENT"
    meant = _COMMANDS.get(word.lower()) or _nearest(word.lower(), known)
    return (
        f"there is no command {word!r}"
        + (f"; did you mean {meant!r}?" if meant else "")
        + ("; `pocketindex --help` lists the commands" if not meant else "")
    )


def unknown_words(
    command: str, words: Sequence[str], typed: Sequence[str], options: Mapping[str, Any]
) -> str:
    """Return the message for arguments that a command does not understand.

    words: these arguments; typed: all that were typed; options: those of the command.
    """
    word = words[0]
    see = f"see `pocketindex {command} --help`"
    if not word.startswith("-"):
        return f"{command}: there is one argument too many, {word!r}; {see}"
    if os.path.lexists(word):
        return f"{word} is a file; write ./{word}"
    name = word.partition("=")[0]
    meant = _option(word, typed, options)
    question = f"; did you mean {meant}?" if meant else ""
    if command == "search" and not name.startswith("--"):
        return (
            f"search has no option {name}{question or ';'} to leave a word out, write -- before "
            f"the files: pocketindex search -- FILE.pocket WORDS {word}"
        )
    return f"{command} has no option {name}{question}{' S' if meant else '; s'}{see[1:]}"


def _option(word: str, typed: Sequence[str], options: Mapping[str, Any]) -> str:
    """Return the option that a word begins or is spelled like; for --set, a setting with its value.

    A word that another program calls so is one of the options, too.
    """
    rare = getattr(options.get("--set"), "rare", {})
    settings = {name.replace("_", "-"): one for name, one in rare.items()}
    meant = {name.strip("-"): name for name in options if name.startswith("--")}
    for name, option in _OPTIONS.items():
        if option.partition(" ")[0] in options:
            meant.setdefault(name.strip("-"), option)
    name, _, value = word.partition("=")
    name = name.strip("-").replace("_", "-")
    near = _nearest_option(name, [*meant, *settings])
    if near not in settings:
        return meant.get(near, "")
    behind = typed[typed.index(word) + 1 :][:1]
    if settings[near].kind == "bool":
        value = "yes"
    elif not value:
        value = "VALUE" if not behind or behind[0].startswith("-") else shlex.quote(behind[0])
    return f"--set {settings[near].name}={value}"


def _nearest_option(name: str, known: Sequence[str]) -> str:
    """Return the name itself, one that it begins, or one of nearly the same letters, or ''."""
    if name in known:
        return name
    begun = [one for one in known if len(name) > 2 and one.startswith(name)]
    like = [one for one in known if one[0] == name[:1] or sorted(one) == sorted(name)]
    return begun[0] if begun else _nearest(name, like)


def _nearest(word: str, known: Collection[str]) -> str:
    import difflib  # only for a mistake

    return next(iter(difflib.get_close_matches(word, known, 1)), "")


def check_order(command: str, parser: argparse.ArgumentParser, parsed: argparse.Namespace) -> None:
    """Raise ValueError if an index comes after the documents or sources."""
    places = [action for action in parser._actions if not action.option_strings]
    is_disc = command == "disc"  # whose sources may be indexes, but not its folder
    first = str(places[0].metavar) if places else ""
    if command == "classify" or not (is_disc or first.startswith("FILE.pocket")):
        return
    if len(places) == 1 and " " not in str(places[0].metavar):
        return
    words = list[str]()
    for action in places:
        value = getattr(parsed, action.dest)
        words += value if isinstance(value, list) else [value]
    if not words or (is_index(words[0]) and not is_disc):
        return
    for word in words[-1:] if is_disc else words[1:]:
        if is_file(word) and is_pocket(word):
            others = " ".join(shlex.quote(other) for other in words if other != word)
            raise ValueError(
                f"{word} is an index and comes first: pocketindex {command} {shlex.quote(word)} "
                f"{others}"
            )


def expand_patterns(parser: argparse.ArgumentParser, parsed: argparse.Namespace) -> None:
    """Replace a pattern by the indexes that match it, because some shells do not."""
    for action in parser._actions:
        if str(action.metavar).startswith("FILE.pocket") and action.nargs == "+":
            found = [one for word in getattr(parsed, action.dest) for one in _expanded(word)]
            setattr(parsed, action.dest, found)


def _expanded(word: str) -> list[str]:
    if not _PATTERN.search(word) or os.path.lexists(word):
        return [word]
    if not (os.path.dirname(word) or ".pocket" in word):
        return [word]  # words to search for may look like that
    import glob

    found = sorted(glob.glob(word, recursive=True))
    return found if found and all(map(is_index, found)) else [word]
