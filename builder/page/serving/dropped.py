"""Read the text of a file that a visitor drops on the page, with the readers of a build."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pocketindex.builder.document import Notice
from pocketindex.builder.inputs.one_text import text_of
from pocketindex.builder.inputs.source import SourceError
from pocketindex.builder.page.serving.api import Refused

_SUFFIX = re.compile(r"(?:\.[A-Za-z0-9]{1,10}){1,2}\Z")


def _reason(error: SourceError) -> str:
    """Return the reason of an error, without advice that only concerns the command."""
    return "; ".join(clause for clause in error.problem.split("; ") if " --" not in clause)


def read(name: str, content: bytes | bytearray) -> dict[str, Any]:
    """Return the text of a file, and notes on what was not read exactly as it is. name: the name of
    the file, which may tell its format.

    Raises Refused with the reason where there is no text in it, or more than one document.
    """
    suffix = _SUFFIX.search(name)
    notes = list[str]()

    def tell(notice: Notice) -> None:
        notes.append(notice.detail)

    with TemporaryDirectory(prefix="pocketindex-") as folder:
        path = Path(folder) / f"dropped{suffix[0] if suffix else ''}"
        path.write_bytes(content)
        try:
            text = text_of(str(path), tell=tell)
        except SourceError as error:
            raise Refused(422, _reason(error).replace(str(path), name)) from None
    return {"text": text.decode(errors="replace"), "notes": notes}
