"""A disc's page whose files are damaged, in browsers: each fault is named."""

from __future__ import annotations

import re
import shutil
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from made_up import made_up
from pages import Shown, index_of
from pocketindex.builder.page.folder import Settings, write
from static_server import serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Documents of the collection, whole, in part and edited."""
    out = [d["text"] for d in made_up(300)[:12]]
    out += [text[: len(text) // 2] for text in out[:4]]
    return [*out, out[3].upper(), " ".join(out[:3]), out[5].replace(" the ", " a ")]


@pytest.fixture(scope="module")
def disc(pocket: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(
        [str(pocket)], tmp_path_factory.mktemp("disc") / "out", Settings(title="Made up")
    ).folder


ESCAPED: dict[str, str | int | None] = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}


def packed(number: int, identity: str, data: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    string = (
        (packer.compress(data) + packer.flush()).decode("latin-1").translate(str.maketrans(ESCAPED))
    )
    return f'pocketShard("{identity}",{number},"{string}");\n'


def unpacked(string: str) -> bytes:
    plain = re.sub(
        r'\\([\\"nr])', lambda escape: {"n": "\n", "r": "\r"}.get(escape[1], escape[1]), string
    )
    return zlib.decompress(plain.encode("latin-1"), -15)


def rewritten(script: str, change: Any) -> str:
    """A shard with other bytes, its script whole."""
    call = re.fullmatch(r'pocketShard\("(\w+)",(\d+),"(.*)"\);\n', script, re.S)
    assert call
    return packed(int(call[2]), call[1], change(unpacked(call[3])))


def flipped(data: bytes) -> bytes:
    """A bit here and there: some in every block of a shard."""
    return bytes(byte ^ (i % 500 == 250) for i, byte in enumerate(data))


DAMAGE: dict[str, tuple[str, Any, str]] = {
    "missing": (
        "l00/l0000.js",
        lambda s: None,
        "The file c0/{} cannot be loaded. Is the whole folder here?",
    ),
    "missing heads": ("heads.js", lambda s: None, "The file c0/{} cannot be loaded."),
    "missing titles": ("d00/d0000.js", lambda s: None, "The file c0/{} cannot be loaded."),
    "empty": (
        "l00/l0000.js",
        lambda s: "",
        "The file c0/{} is damaged. Copy or download the folder again.",
    ),
    "cut off": ("l00/l0000.js", lambda s: s[: len(s) // 2], "The file c0/{} is damaged."),
    "not deflated": (
        "l00/l0000.js",
        lambda s: s.replace('",1,"', '",1,"!!', 1),
        "The file c0/{} is damaged.",
    ),
    "a line feed as it is": (
        "l00/l0000.js",
        lambda s: s.replace('",1,"', '",1,"\n', 1),
        "The file c0/{} is damaged.",
    ),
    "a bit of the tables": (
        "l00/l0000.js",
        lambda s: rewritten(s, flipped),
        "The file c0/{} is damaged.",
    ),
    "a bit of the sketches": (
        "l00/l0001.js",
        lambda s: rewritten(s, flipped),
        "The file c0/{} is damaged.",
    ),
    "a bit of the titles": (
        "d00/d0000.js",
        lambda s: rewritten(s, flipped),
        "The file c0/{} is damaged.",
    ),
    "a bit of the heads": (
        "heads.js",
        lambda s: rewritten(s, flipped),
        "“docs” is damaged (profile)",
    ),
    "a byte less": (
        "l00/l0000.js",
        lambda s: rewritten(s, lambda data: data[:-1]),
        "The file c0/{} is damaged.",
    ),
    "another edition": (
        "l00/l0000.js",
        lambda s: s.replace('("', '("0', 1),
        "The file c0/{} belongs to another edition of this collection.",
    ),
    "another number": (
        "l00/l0000.js",
        lambda s: s.replace('",1,"', '",2,"'),
        "The file c0/{} belongs to another edition",
    ),
}


# What the page finds by itself in a shard that it fetched.
FETCHED = ("missing", "empty", "cut off", "not deflated", "another edition", "another number")


@pytest.mark.parametrize(
    ("over", "name"),
    [*(("folder", name) for name in DAMAGE), *(("HTTP", name) for name in FETCHED)],
)
def test_damage_is_named(
    over: str, name: str, browser: Any, disc: Path, texts: list[str], tmp_path: Path
) -> None:
    file, change, message = DAMAGE[name]
    folder = Path(shutil.copytree(disc, tmp_path / "out"))
    path = folder / "c0" / file
    before = path.read_bytes().decode("latin-1")
    after = change(before)
    assert after != before
    if after is None:
        path.unlink()
    else:
        path.write_bytes(after.encode("latin-1"))
    with serving(folder, ranges=False) as server:
        shown = Shown(browser, index_of(folder) if over == "folder" else server.url + "index.html")
        assert shown.ask(texts[2]) == []
        assert shown.problem.startswith(message.format(file))
        shown.close()


def test_files_that_are_no_pocket_files(
    browser: Any, disc: Path, pocket: Path, texts: list[str], tmp_path: Path
) -> None:
    data = pocket.read_bytes()
    offset, length = struct.unpack_from("<QQ", data, 32 + 40 + 8)
    cases = {
        "text.pocket": (b"just a text", "“text.pocket” is not a pocket file."),
        "long.pocket": (b"just a text" * 99, "“long.pocket” is not a pocket file."),
        "new.pocket": (
            data[:8] + b"\x02" + data[9:],
            "“new.pocket” was made by a newer version of pocketindex than this page.",
        ),
        "cut.pocket": (
            data[:-9],
            f"“cut.pocket” should have {len(data):,} bytes, but has {len(data) - 9:,}. Copy or "
            "download it again.",
        ),
        "head.pocket": (
            data[:40] + bytes([data[40] ^ 8]) + data[41:],
            "“head.pocket” is damaged (header).",
        ),
        "lines.jsonl": (
            b'{"id": "a", "text": "words"}\n' * 99,
            "“lines.jsonl” is not a pocket file. Choose a file that",
        ),
        "short.txt": (b"abc", "“short.txt” is not a pocket file. Choose a file that"),
    }
    shown = Shown(browser, index_of(disc))
    for name, (content, message) in cases.items():
        (tmp_path / name).write_bytes(content)
        shown.answered(lambda name=name: shown.page.set_input_files("#pocket", tmp_path / name))
        assert shown.problem.startswith(message)
    (tmp_path / "block.pocket").write_bytes(
        data[: offset + length - 5]
        + bytes([data[offset + length - 5] ^ 1])
        + data[offset + length - 4 :]
    )
    shown.page.set_input_files("#pocket", tmp_path / "block.pocket")
    shown.page.wait_for_selector("#status:has-text('is open')")
    shown.ask(texts[0])
    assert re.match(
        r"“block.pocket” is damaged \(tables, block \d+\)\. Copy or download it again\.",
        shown.problem,
    )
    assert shown.said == []
    shown.close()
