"""The plots of a report: a font that cannot be read is an error that says so."""

from __future__ import annotations

import io
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from matplotlib import font_manager
from pocketindex.builder.evaluate import plots


class _Font(io.BytesIO):
    """A file that can be read only so many times."""

    left = 0

    def read(self, *arguments: Any) -> bytes:
        _Font.left -= 1
        if _Font.left < 0:
            raise OSError(5, "Input/output error", "Sans.ttf")
        return super().read(*arguments)


def forget_fonts() -> None:
    fonts: Any = font_manager
    fonts._get_font.cache_clear()


@plots.fonts_are_read()
def drawn() -> str:
    figure, axes = plots.figure("Recall", "similarity", "recall")
    return plots.svg(figure, axes)


@pytest.mark.parametrize("reads", [0, 5, 200])
def test_a_font_that_cannot_be_read_is_an_error_of_the_system(
    reads: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = io.open

    def opened(name: Any, *arguments: Any, **more: Any) -> Any:
        if str(name).endswith(".ttf"):
            return _Font(whole(name, "rb").read())
        return whole(name, *arguments, **more)

    forget_fonts()
    _Font.left = reads
    with monkeypatch.context() as patch:
        patch.setattr(io, "open", opened)
        with pytest.raises(OSError, match=r"Input/output error: 'Sans.ttf'"):
            drawn()
    assert "Traceback" not in capfd.readouterr().err
    forget_fonts()
    assert drawn().startswith("<svg")
