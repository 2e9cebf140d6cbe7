"""The core refuses what the plain reader refuses: the same faults under checksums that agree with them, the same place named."""

from __future__ import annotations

from pathlib import Path

import pocketindex
import pytest
from plain_writer import FF, Section, Settings, assemble, sections
from pocketindex.errors import Damaged, PocketError, TooNew
from pocketindex.plain import PlainIndex
from test_plain_damage import GOOD, OPEN, TEXTS, VERIFY, Change, parameter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.pocket"


def refused(data: bytes, path: Path, verify: bool) -> PocketError:
    path.write_bytes(data)
    with pytest.raises(PocketError) as caught:
        if verify:
            with pocketindex.open(path) as index:
                index.verify()
        else:
            pocketindex.open(path)
    return caught.value


def place(error: PocketError) -> tuple[str, str, int | None]:
    if isinstance(error, Damaged):
        return "damaged", error.section, error.block
    return type(error).__name__, "", None


def plain_refusal(data: bytes) -> PocketError:
    with pytest.raises(PocketError) as caught:
        PlainIndex.open(data).verify()
    return caught.value


@pytest.mark.parametrize("change", [pytest.param(change, id=name) for name, change, _ in OPEN])
def test_open_refuses(change: Change, path: Path) -> None:
    data = assemble(change(list(GOOD)))
    error = refused(data, path, verify=False)

    assert isinstance(error, Damaged)
    # The plain reader calls every fault of the section table one of the header; the core names the section when it can.
    expected = plain_refusal(data)
    assert isinstance(expected, Damaged)
    if expected.section != "header":
        assert error.section == expected.section


@pytest.mark.parametrize("change", [pytest.param(change, id=name) for name, change, _ in VERIFY])
def test_verify_refuses(change: Change, path: Path) -> None:
    data = assemble(change(list(GOOD)))

    assert isinstance(refused(data, path, verify=True), Damaged)


@pytest.mark.parametrize(
    "change",
    [
        parameter(1, 0, "H", 9),
        parameter(1, 2, "H", 3),
        parameter(2, 4, "I", 5),
        parameter(2, 16, "I", 1),
        lambda known: [*known, Section(9, b"", flags=1)],
    ],
)
def test_too_new(change: Change, path: Path) -> None:
    error = refused(assemble(change(list(GOOD))), path, verify=False)

    assert isinstance(error, TooNew)
    assert str(error).endswith("; upgrade pocketindex")


def test_an_unknown_section_without_the_flag_is_passed_over(path: Path) -> None:
    path.write_bytes(assemble([*GOOD, Section(9, b"12345678", ((1, b"xyz"),), flags=0)]))
    with pocketindex.open(path) as index:
        index.verify()
        assert len(index) == len(TEXTS)
        assert index.query("alpha beta gamma") == pocketindex.open(written(path.with_name("b.pocket"))).query("alpha beta gamma")


def written(path: Path) -> Path:
    path.write_bytes(assemble(sections(TEXTS, FF(), Settings(part_keys=5, posting_bits=5, per_block=8, content=100))))
    return path
