"""Read packages: zip archives of XML parts, as office files are. Parts are read with limits, and
without entities.
"""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from typing import Any

from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.opening.stream import EXPANSION
from pocketindex.builder.inputs.source import needed

PART_BYTES, ALL_BYTES = 1 << 26, 1 << 28  # of a part, and of all parts that are read of a package
# What a damaged archive raises.
_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ArithmeticError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    ValueError,
)
# OpenOffice 1 to 3 name a file of their own in each formula, which nobody needs for reading one.
_KNOWN_TYPES = "-//OpenOffice.org//DTD "


class PartError(Exception):
    """A part of a package that is missing, damaged or refused; its text is the path and why."""


class Package:
    """The parts of a package, by paths without a leading slash."""

    def __init__(self, content: bytes, what: str) -> None:
        """Read the directory of a package; what: names its kind in messages, such as "DOCX file".

        Raises Unfit "unreadable" for a file that is not a zip archive, is cut short or is
        encrypted.
        """
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except _ERRORS as error:
            problem = f"not a valid {what}, cut short or damaged: {error}"
            raise Unfit("unreadable", problem) from None
        # Names of parts are compared without case (ECMA-376, part 2).
        self._parts = {
            info.filename.replace("\\", "/").lstrip("/").lower(): info
            for info in self._archive.infolist()
        }
        self._left = ALL_BYTES

    def __contains__(self, path: str) -> bool:
        return path.lower() in self._parts

    def read(self, path: str) -> bytes:
        """Return the bytes of a part.

        Raises PartError for one that is missing or damaged, Unfit "bomb" or "too long" for more
        bytes than PART_BYTES or ALL_BYTES, and "unreadable" for an encrypted one.
        """
        info = self._parts.get(path.lower())
        if info is None:
            raise PartError(f"{path} is missing")
        if info.flag_bits & 1:
            raise Unfit("unreadable", f"{path} in it is encrypted; give a copy without a password")
        if info.file_size > min(PART_BYTES, self._left):
            expands = info.file_size > EXPANSION * info.compress_size
            raise Unfit(
                "bomb" if expands else "too long",
                f"{path} has {info.file_size:,} bytes, compressed to {info.compress_size:,}, "
                f"expected at most {PART_BYTES:,}, and {ALL_BYTES:,} in all",
            )
        self._left -= info.file_size
        try:
            return self._archive.read(info)
        except _ERRORS as error:
            raise PartError(f"{path} is damaged: {error}") from None

    def xml(self, path: str) -> Any:
        """Return the root element of a part. Raises as read and parse do."""
        return parse(self.read(path), path)


def parse(content: bytes, path: str) -> Any:
    """Return the root element of XML, an lxml one, without comments; path: names it in messages.

    Raises PartError for XML that is not well-formed, and for a document type that declares entities
    or names another file. Nothing is fetched.
    """
    etree = needed("lxml.etree", "office", path, "it is XML")
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise PartError(f"{path} is damaged: {error}") from None
    types = root.getroottree().docinfo.internalDTD
    if types is not None and (
        any(types.iterentities())
        or (types.system_url and not (types.external_id or "").startswith(_KNOWN_TYPES))
    ):
        raise PartError(
            f"{path} has a document type that declares entities or names another file, which is "
            "refused; save the document again with the program that made it"
        )
    return root
