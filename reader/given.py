"""What an argument is: an index, a sentence, or the name of plain text, which needs no input of the
builder.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

from pocketindex.arguments import is_file, is_stdio
from pocketindex.constants import MAGIC
from pocketindex.manifest import manifest_at
from pocketindex.streams import give_back

_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
# Thai, Lao, Burmese, Khmer, kana and Chinese characters: sentences have no blanks.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
)
_SUFFIXES = ("", ".txt", ".text")
_MOST = 1 << 24  # bytes of a text that is looked at as a whole
# What a file of another format may begin with. A text that does, too, is left to the inputs.
_OTHER_FORMAT = re.compile(
    rb"\s*[\[{<]|\s*WARC/|From |%PDF-|PAR1|ARROW1|BZh|filedesc:|\xef\xbb\xbf|(?s:.{257})ustar",
    re.IGNORECASE,
)
_CONTROL = re.compile(rb"[\0-\x08\x0b\x0e-\x1f]")
# A word may be broken there, which the inputs join.
_BROKEN_LINE = re.compile(r"[-\u2010\u058a\u00ad\u00ac][ \t]*\r?\n")


def is_pocket(path: str) -> bool:
    """Return whether a path is that of a pocket file: by its first bytes, or by its name where it
    cannot be read.
    """
    if not is_file(path):
        return path.endswith(".pocket")
    with open(path, "rb") as stream:
        return stream.read(len(MAGIC)) == MAGIC


def is_index(path: str) -> bool:
    """Return whether a path is that of a pocket file, of a manifest, or of a manifest's folder."""
    return manifest_at(path) is not None or is_pocket(path)


def check_one_document(command: str, given: Sequence[str], instead: str = "") -> None:
    """Raise ValueError where an argument behind the first and before the last is a file that is no
    index, so that there is more than one document; instead: what to do, for the message.
    """
    for one in given[1:-1]:
        if is_file(one) and not is_index(one):
            raise ValueError(f"{command} takes one document; {one} is not an index{instead}")


def is_sentence(argument: str) -> bool:
    """Return whether an argument is a text and not the name of a file: it has blanks, or letters of
    a script that is written without them, no separator of folders and no suffix, and there is no
    such file.
    """
    return (
        bool(" " in argument.strip() or _UNSPACED.search(argument))
        and not set(argument) & {"/", os.sep}
        and not _SUFFIX.search(argument)
        and not os.path.lexists(argument)
    )


def plain_text(source: str) -> bytes | None:
    """Return the content of a file, or of standard input, that is plain text in UTF-8 beyond doubt.

    None for everything else, including what is not there: the inputs of the builder know what it
    is. They would give the same text, but take a quarter of a second to load. Standard input stays
    unread where None is returned.
    """
    if is_stdio(source):
        content = sys.stdin.buffer.read(_MOST + 1)
        if _is_plain(content):
            return content
        give_back(content)
        return None
    if not is_file(source) or os.path.splitext(source)[1].lower() not in _SUFFIXES:
        return None
    with open(source, "rb") as file:
        content = file.read(_MOST + 1)
    return content if _is_plain(content) else None


def _is_plain(content: bytes) -> bool:
    if len(content) > _MOST or _OTHER_FORMAT.match(content) or _CONTROL.search(content):
        return False
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return False
    return not (text.isspace() or not text or _BROKEN_LINE.search(text))
