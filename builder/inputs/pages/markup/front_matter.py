"""The front matter of a Markdown file: a block of YAML between two lines of three hyphens, or of
TOML between two lines of three plus signs, at the very beginning.
"""

from __future__ import annotations

import datetime
import re
import sys
from collections.abc import Mapping
from typing import Any

import yaml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_MOST = 1 << 16  # characters: a longer block between two rules is no front matter
_YAML = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
# What begins as a mapping does. Other text between two rules is text.
_BEGINS = re.compile(r"(?:\s*(?:#.*)?\n)*[\"']?[\w.-][\w .-]*[\"']?[ \t]*[:=](?:\s|$)|\s*\[")


def split(source: str) -> tuple[dict[str, str], str, str, str]:
    """Return the fields of the front matter, a block that could not be read, the text after both,
    and a sentence that says why the block could not be read.

    The fields are those with a single value, by their names in lower case. A date stays as it is
    written in YAML, and is in ISO 8601 from TOML. Block and sentence are empty if there is no
    problem.
    """
    begin = source[:_MOST]
    for pattern, language, load in ((_YAML, "YAML", _yaml), (_TOML, "TOML", tomllib.loads)):
        if not (found := pattern.match(begin)) or not _BEGINS.match(found[1]):
            continue
        rest = source[found.end() :]
        try:
            fields = load(found[1])
        except (yaml.YAMLError, tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            why = " ".join(str(error).split())
            return (
                {},
                found[1],
                rest,
                f"its front matter is not {language} and is kept as text: {why}",
            )
        if isinstance(fields, Mapping):
            return _values(fields), "", rest, ""
    return {}, "", source, ""


def _yaml(block: str) -> Any:
    """Load a block; every value is the string that is written there."""
    return yaml.load(block, yaml.BaseLoader)  # noqa: S506, which makes nothing but strings


def _values(fields: Mapping[str, Any]) -> dict[str, str]:
    values = dict[str, str]()
    for name, value in fields.items():
        if isinstance(value, datetime.date | datetime.time):
            value = value.isoformat()
        if isinstance(name, str) and isinstance(value, str | int | float):
            values[name.lower()] = " ".join(str(value).split())
    return values
