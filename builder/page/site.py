"""What `pocketindex serve` serves: the page, and each file with its index."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pocketindex.builder.page.cut import asked
from pocketindex.builder.page.folder import LOADED_ONCE, safe_name
from pocketindex.builder.page.links import links_of, templates_of
from pocketindex.builder.page.page import index_html
from pocketindex.builder.page.serving.request import BODY_BYTES
from pocketindex.contents.info import look_up_bytes
from pocketindex.errors import spelled
from pocketindex.joint_index import JointIndex


class Site:
    """What is served: the page, and each file with its index.

    Nothing else of the file system has an address.
    """

    def __init__(
        self,
        paths: list[str],
        title: str = "",
        link_template: str | Sequence[str] = "",
        language: str | None = None,
    ) -> None:
        """Open the files. link_template, language: as in the Settings of a disc. Raises the errors
        of opening an index, and ValueError for a file that no page can read or a template that
        leads nowhere.
        """
        links = links_of([Path(path).stem for path in paths], templates_of(link_template))
        self.many = JointIndex(paths)
        self.indexes = self.many.indexes
        self.files: dict[str, tuple[int, int]] = {}  # descriptor and size by address
        described = []
        for number, index in enumerate(self.indexes):
            info = index.info()
            if info.mph != "pilot":
                raise ValueError(
                    f"{index.path}: a page has no libcmph, and this file's perfect hash is "
                    f"{info.mph}; build it with {spelled('mph', 'pilot', rare=True)}"
                )
            name = Path(index.path).stem
            address = f"c{number}/{safe_name(name)}.pocket"
            self.files[f"/{address}"] = (
                os.open(index.path, os.O_RDONLY | getattr(os, "O_BINARY", 0)),
                info.file_size,
            )
            described.append(
                {
                    "name": name,
                    "folder": f"c{number}",
                    "identity": "",
                    "size": info.file_size,
                    "documents": info.documents,
                    **asked(info),
                    "once": look_up_bytes(info.sections) <= LOADED_ONCE,
                    "link": links[number],
                    "shards": [],
                    "file": address,
                }
            )
        heading = title or ", ".join(str(d["name"]) for d in described)
        self.page = index_html(heading, described, language, {"reads": BODY_BYTES})

    def without_folders(self, text: str) -> str:
        """Return text with the names of the files in place of their paths, which are not for
        clients.
        """
        for index in self.indexes:
            name = os.path.basename(index.path)
            for path in {os.path.abspath(index.path), index.path} - {name}:
                text = text.replace(path, name)
        return text

    def sentence(self, error: Exception) -> str:
        """Return the message of an error for a client, without the folders of this computer."""
        if isinstance(error, OSError) and error.errno is not None:
            return f"the file cannot be read: {os.strerror(error.errno)}"
        return self.without_folders(str(error) or type(error).__name__)

    def close(self) -> None:
        for descriptor, _ in self.files.values():
            os.close(descriptor)
        self.many.close()
