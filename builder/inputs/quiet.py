"""Running other people's imports without a trace."""

from __future__ import annotations

import contextlib
import io
import locale
import os
import warnings
from collections.abc import Iterator


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Print nothing and show no warning within the block; after it folder and locale are what they
    were.

    It holds for the whole process, so a generator must not yield within the block.
    """
    language, folder = locale.setlocale(locale.LC_ALL), _folder()
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        if folder is not None and folder != _folder():
            os.chdir(folder)
        if locale.setlocale(locale.LC_ALL) != language:
            locale.setlocale(locale.LC_ALL, language)


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it was deleted
        return None
