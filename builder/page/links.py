"""Where the hits of each collection lead: templates of links, for all collections or for one by its
name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

FLAG = "--link-template"
# What stands before "=" is the name of a collection only where it can be no part of an address.
_NAMED = re.compile(r"([^={}:/?#]+)=(.+)", re.DOTALL)


def check_link_template(template: str) -> None:
    """Raise ValueError where a template makes other places than those that the page makes a link
    of.
    """
    if not template:
        return
    if "{id}" not in template and "{title}" not in template:
        raise ValueError(
            f"{FLAG} {template!r} has neither {{id}} nor {{title}}: every hit would have the same "
            "link"
        )
    scheme = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", template)
    if scheme and scheme[0].lower() not in ("http:", "https:", "file:"):
        raise ValueError(
            f"{FLAG} {template!r} must be a relative path or begin with http:, https: or file:"
        )


def templates_of(given: str | Sequence[str]) -> dict[str, str]:
    """Return templates by the names of their collections, "" for all that have none of their own.

    given: templates, or NAME=TEMPLATE. Raises ValueError for a template that leads nowhere, or two
    for the same collection.
    """
    found = dict[str, str]()
    for one in [given] if isinstance(given, str) else given:
        named = _NAMED.fullmatch(one)
        name, template = (named[1], named[2]) if named else ("", one)
        check_link_template(template)
        if name in found:
            whose = f"of {name!r}" if name else "of all collections"
            raise ValueError(
                f"{FLAG}: {found[name]!r} and {template!r} are both {whose}; give NAME=URL for a "
                "collection"
            )
        found[name] = template
    return found


def links_of(names: Sequence[str], templates: dict[str, str]) -> list[str]:
    """Return the template of each collection, "" for its own addresses.

    Raises ValueError for a template of a collection that there is not.
    """
    for name in templates:
        if name and name not in names:
            raise ValueError(
                f"{FLAG}: there is no collection {name!r} (there are: {', '.join(names)})"
            )
    return [templates.get(name, templates.get("", "")) for name in names]
