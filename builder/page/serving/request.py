"""What a request says: whom it names, the fields of its address, and the range of bytes that it
asks for.
"""

from __future__ import annotations

import re
from email.message import Message
from http.client import HTTP_PORT
from urllib.parse import SplitResult, parse_qs, urlsplit

from pocketindex.builder.page.serving.api import Refused

BODY_BYTES = 16 << 20
MOST_FIELDS = 9  # of an address
_OWN_SITES = {"none", "same-origin"}


def check(headers: Message, command: str, hosts: set[str], port: int) -> None:
    """Refuse requests that do not come from pages and programs of this computer. A page elsewhere
    may have had its name point here.

    hosts: the names of this server. Every header of a name counts. Raises Refused.
    """
    host = headers.get_all("Host", [])
    if len(host) != 1 or host[0].lower() not in hosts:
        raise Refused(421, f"this server is http://127.0.0.1:{port}/ only")
    origins = {f"http://{name}" for name in hosts}
    if not origins.issuperset(headers.get_all("Origin", [])) or not _OWN_SITES.issuperset(
        headers.get_all("Sec-Fetch-Site", [])
    ):
        raise Refused(403, "only this server's own page may ask from a browser")
    if headers.get("Transfer-Encoding") is not None:
        raise Refused(411, "give a Content-Length; chunked bodies are not accepted")
    if command != "POST" and any(length != "0" for length in headers.get_all("Content-Length", [])):
        raise Refused(400, f"expected no body, as {command} has none")


def address_of(target: str, hosts: set[str]) -> SplitResult:
    """Return the address that a request line names. Raises Refused."""
    try:
        address = urlsplit(target)
    except ValueError:
        raise Refused(400, "the address is malformed") from None
    if address.scheme and (address.scheme != "http" or address.netloc.lower() not in hosts):
        raise Refused(421, "the address belongs to another server")
    return address


def fields(address: SplitResult) -> dict[str, list[str]]:
    """Return the fields after the ? of an address. Raises Refused."""
    try:
        return parse_qs(address.query, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(400, f"expected at most {MOST_FIELDS} fields after the ?") from None


def asked_range(asked: str, size: int) -> tuple[int, int]:
    """Start and end of the range that a header asks for, in a file of size bytes; nothing where it
    is none, or several.
    """
    found = re.fullmatch(r"bytes=(\d{0,19})-(\d{0,19})", asked, re.ASCII)
    first, last = found.groups() if found else ("", "")
    if first:
        return int(first), min(int(last) + 1, size) if last else size
    return (max(size - int(last), 0), size) if last else (size, size)


def hosts(port: int) -> set[str]:
    """Return the Host headers that name this server: on port 80 they have no port."""
    return {
        f"{name}{end}"
        for name in ("127.0.0.1", "localhost")
        for end in (f":{port}", *([""] if port == HTTP_PORT else []))
    }
