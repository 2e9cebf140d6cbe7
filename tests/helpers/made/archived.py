"""Archives of files that tests make, in memory."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return a zip archive of files by their paths; a mimetype is not compressed, as OpenDocument
    wants it.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content, zipfile.ZIP_STORED if path == "mimetype" else None)
    return made.getvalue()


def tarred(files: Mapping[str, bytes]) -> bytes:
    """Return a tar archive of files by their paths."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for path, content in files.items():
            member = tarfile.TarInfo(path)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return made.getvalue()
