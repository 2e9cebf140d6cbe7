"""Tell addresses (URLs) from paths, and show them without what is secret in them."""

from __future__ import annotations

import os
import re

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
# In a text: an address ends where a quote, a bracket or white space does.
_ANYWHERE = re.compile(r"""[a-z][a-z0-9+.-]+://[^\s'"<>]*""", re.IGNORECASE)
# A user or a token of these, and whatever has a password, even one with a slash in it.
_USER = re.compile(r"(?<=://)[^/?#@]*:(?!\d*(?:[/?#]|\Z))[^@]*@|(?<=://)[^/?#]*:[^/?#]*@")
_WEB_USER = re.compile(r"(?<=://)[^/?#]*@")
_WEB = re.compile(r"(?:https?|ftps?|sftp|ssh|smb|web(?:dav|hdfs)s?|davs?)://", re.IGNORECASE)
_HIDDEN = "..."


def is_address(given: object) -> bool:
    """Return whether a string is an address, as https://host/file, and not the name of a file or
    folder that exists.
    """
    return isinstance(given, str) and bool(_ADDRESS.match(given)) and not os.path.lexists(given)


def masked(text: str) -> str:
    """Return a text with its addresses as messages may show them: without users and passwords, and
    without the values of their queries, which may be signatures.
    """
    if "://" not in text:
        return text
    return _ANYWHERE.sub(lambda found: masked_address(found[0]), text)


def masked_address(address: str) -> str:
    """Return one address as masked() has it; it may have spaces and quotes."""
    begin, end, fragment = address.partition("#")
    begin, mark, query = begin.partition("?")
    begin = _USER.sub(f"{_HIDDEN}@", begin)
    if _WEB.match(begin):
        begin = _WEB_USER.sub(f"{_HIDDEN}@", begin)
    if mark:
        parts = [
            f"{name}{sign}{_HIDDEN if value else ''}" if sign else _HIDDEN
            for name, sign, value in (part.partition("=") for part in query.split("&"))
        ]
        query = "&".join(parts)
    return begin + mark + query + end + (_HIDDEN if "=" in fragment else fragment)


def check_no_address(name: object, what: str, instead: str) -> None:
    """Raise ValueError where an address is given for what has to be a path. what: that, for
    messages; instead: what to do.
    """
    if is_address(name):
        raise ValueError(f"{masked(str(name))}: {what} cannot be an address; {instead}")
