"""A library that cannot be trusted, for tests of what reads in a process of its own."""

from __future__ import annotations

import os
import sys

from pocketindex.builder.document import Unfit


def parsed(content: bytes, what: str) -> list[str]:
    """Do what is said."""
    if what == "for ever":
        while True:
            content = content[::-1]
    if what == "much":
        return [str(len(bytearray(1 << 31)))]
    if what == "crash":
        os.abort()
    if what == "end":
        os._exit(0)
    if what == "unfit":
        raise Unfit("empty", "nothing here")
    if what == "fail":
        raise ValueError("no such thing")
    if what == "print":
        os.write(1, b"noise\n")
        print("more of it", file=sys.stdout, flush=True)
    return [content.decode("utf-8", "surrogateescape"), what]
