"""What is written by a script of cbits/ is what the script would write now."""

from __future__ import annotations

from core_sources import script
from places import ROOT
from pocketindex.cbits import lib
from pocketindex.constants import SectionKind, Status


def test_constants_are_those_of_the_headers() -> None:
    made = script(ROOT / "cbits" / "make_constants.py")

    assert made.TARGET.read_text(encoding="utf-8") == made.content()
    assert {status.name: status.value for status in Status} == {
        name.removeprefix("POCKET_"): getattr(lib, name)
        for name in dir(lib)
        if name.removeprefix("POCKET_") in Status.__members__
    }
    assert list(SectionKind) == [*range(1, len(SectionKind) + 1)]


def test_the_stub_is_that_of_the_headers_and_has_every_name() -> None:
    made = script(ROOT / "cbits" / "make_pyi.py")
    text = (ROOT / "cbits" / "_core.pyi").read_text(encoding="utf-8")

    assert text == made.content()
    assert all(f"def {name}(" in text or f"    {name}: " in text for name in dir(lib))
