"""Inflating gives zlib's verdict and zlib's bytes, and stays inside its buffers."""

from __future__ import annotations

import ctypes
import hashlib
import subprocess
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
from compiled import HARNESSES, compile_c, compile_fuzzer, core_file
from hypothesis import given
from hypothesis import strategies as st

Inflate = Callable[[bytes, int], "bytes | None"]

STRATEGIES = [
    zlib.Z_DEFAULT_STRATEGY,
    zlib.Z_FILTERED,
    zlib.Z_HUFFMAN_ONLY,
    zlib.Z_RLE,
    zlib.Z_FIXED,
]
LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
END = 256
WORDS = (
    b"the of and in to a is was for on as by with he that from at his it an were are which "
    b"this also be has or had first"
).split()

runs = st.builds(
    lambda piece, times: piece * times, st.binary(min_size=1, max_size=20), st.integers(1, 700)
)
payloads = st.one_of(
    st.binary(max_size=600),
    st.lists(st.sampled_from(WORDS), max_size=3000).map(b" ".join),
    st.lists(runs, max_size=6).map(b"".join),
)
samples = [
    b"",
    b"A",
    bytes(300_000),
    b"".join(bytes([i]) * (1 << i) for i in range(17)),  # codewords up to 15 bits
    b" ".join(WORDS[i * i % len(WORDS)] + b"%d" % i for i in range(4000)),  # several blocks
    hashlib.shake_128(b"noise").digest(70_000),
]


@pytest.fixture(scope="module")
def inflate(tmp_path_factory: pytest.TempPathFactory) -> Inflate:
    path = compile_c(
        tmp_path_factory.mktemp("inflate") / "inflate.so",
        [core_file("inflate.c")],
        "-shared",
        "-fPIC",
    )
    core = ctypes.CDLL(str(path))
    begin, until, end = core.inflate_begin, core.inflate_until, core.inflate_end
    begin.restype, until.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_size_t)
    end.argtypes = (ctypes.c_void_p,)
    begin.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t)

    def run(data: bytes, length: int) -> bytes | None:
        """The content, or None; in and out have no byte more than they say, and what lies behind
        out stays as it was.
        """
        out = ctypes.create_string_buffer(b"\xa5" * (length + 32), length + 32)
        inflater = begin(data, len(data), ctypes.cast(out, ctypes.c_char_p), length)
        status = until(inflater, length)
        end(inflater)
        assert out.raw[length:] == b"\xa5" * 32
        assert status in (0, -1)
        return out.raw[:length] if status == 0 else None

    return run


def deflate(data: bytes, level: int = 9, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    squeeze = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
    return squeeze.compress(data) + squeeze.flush()


def by_zlib(data: bytes) -> bytes | None:
    stream = zlib.decompressobj(-15)
    try:
        content = stream.decompress(data)
    except zlib.error:
        return None
    return content if stream.eof and not stream.unused_data else None


def written(data: bytes) -> int:
    """How many bytes zlib can give before it stops, for whatever reason."""
    stream, count = zlib.decompressobj(-15), 0
    try:
        for i in range(len(data)):
            count += len(stream.decompress(data[i : i + 1]))
    except zlib.error:
        pass
    return count


def agree(inflate: Inflate, data: bytes) -> bytes | None:
    """Both verdicts, which must be the same."""
    content = by_zlib(data)
    for length in {0, written(data)} if content is None else {len(content)}:
        assert inflate(data, length) == content
    return content


class Bits:
    """Writes a stream by hand: numbers lowest bit first, codewords highest bit first (RFC 1951,
    3.1.1).
    """

    def __init__(self) -> None:
        self.bits: list[int] = []

    def number(self, value: int, width: int) -> Bits:
        self.bits += [value >> i & 1 for i in range(width)]
        return self

    def codeword(self, word: str) -> Bits:
        self.bits += map(int, word)
        return self

    def bytes(self) -> bytes:
        return bytes(
            sum(bit << i for i, bit in enumerate(self.bits[at : at + 8]))
            for at in range(0, len(self.bits), 8)
        )


def canonical(lengths: Sequence[int]) -> dict[int, str]:
    """The codeword of each symbol (RFC 1951, 3.2.2); not checked."""
    words: dict[int, str] = {}
    code = 0
    for length in range(1, 16):
        code <<= 1
        for symbol in (i for i, n in enumerate(lengths) if n == length):
            words[symbol] = f"{code:0{length}b}"
            code += 1
    return words


def dynamic(literals: Sequence[int], distances: Sequence[int]) -> Bits:
    """The head of a last, dynamic block: each length spelt out in a code of 16 codewords of four
    bits.
    """
    out = (
        Bits()
        .number(1, 1)
        .number(2, 2)
        .number(len(literals) - 257, 5)
        .number(len(distances) - 1, 5)
        .number(19 - 4, 4)
    )
    for symbol in LENGTH_ORDER:
        out.number(4 if symbol < 16 else 0, 3)
    for length in [*literals, *distances]:
        out.codeword(f"{length:04b}")
    return out


def lengths(count: int, given: dict[int, int]) -> list[int]:
    return [given.get(i, 0) for i in range(count)]


def fixed(symbols: Iterable[int | str]) -> bytes:
    """A last block of the fixed codes: symbols, or bits as they are."""
    code = canonical([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8)
    out = Bits().number(1, 1).number(1, 2)
    for symbol in symbols:
        out.codeword(symbol if isinstance(symbol, str) else code[symbol])
    return out.bytes()


@pytest.mark.parametrize("level", range(10))
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_reads_what_zlib_writes(inflate: Inflate, level: int, strategy: int) -> None:
    for data in samples:
        assert inflate(deflate(data, level, strategy), len(data)) == data


@given(data=payloads, level=st.integers(0, 9), strategy=st.sampled_from(STRATEGIES))
def test_reads_anything_that_zlib_writes(
    inflate: Inflate, data: bytes, level: int, strategy: int
) -> None:
    assert inflate(deflate(data, level, strategy), len(data)) == data


@given(data=payloads, other=st.integers(-70, 70))
def test_another_length_is_refused(inflate: Inflate, data: bytes, other: int) -> None:
    stream = deflate(data)
    for length in {len(data) - 1, len(data) + 1, len(data) + other} - {len(data)}:
        assert length < 0 or inflate(stream, length) is None


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("level", [0, 9])
def test_every_shorter_and_longer_stream_is_refused(
    inflate: Inflate, level: int, strategy: int
) -> None:
    data = b" ".join(WORDS) * 3
    stream = deflate(data, level, strategy)
    for end in range(len(stream)):
        assert inflate(stream[:end], len(data)) is None
        assert inflate(stream[:end], written(stream[:end])) is None
    for more in (b"\0", b"\xff", b"\3\0", bytes(9)):
        assert inflate(stream + more, len(data)) is None


@given(
    data=payloads,
    level=st.integers(0, 9),
    strategy=st.sampled_from(STRATEGIES),
    flips=st.lists(st.integers(0, 1 << 30), max_size=4),
)
def test_a_damaged_stream_gets_zlibs_verdict(
    inflate: Inflate, data: bytes, level: int, strategy: int, flips: list[int]
) -> None:
    stream = bytearray(deflate(data, level, strategy))
    for flip in flips:
        stream[(flip >> 3) % len(stream)] ^= 1 << (flip & 7)
    agree(inflate, bytes(stream))


@given(data=st.binary(max_size=300))
def test_any_bytes_get_zlibs_verdict(inflate: Inflate, data: bytes) -> None:
    agree(inflate, data)


@given(
    kinds=st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from(STRATEGIES), st.binary(max_size=90)),
        max_size=8,
    ),
    data=payloads,
)
def test_blocks_of_all_kinds_in_one_stream(
    inflate: Inflate, kinds: list[tuple[int, int, bytes]], data: bytes
) -> None:
    stream, content = b"", b""
    for level, strategy, piece in kinds:
        squeeze = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
        stream += squeeze.compress(piece) + squeeze.flush(zlib.Z_FULL_FLUSH)
        content += piece
    assert inflate(stream + deflate(data), len(content + data)) == content + data


def test_the_bits_after_the_end_do_not_matter(inflate: Inflate) -> None:
    stream = fixed([65, END])
    assert len(stream) == 3
    assert inflate(stream[:2] + bytes([stream[2] | 0xC0]), 1) == b"A"


def stored(data: bytes) -> bytes:
    """A block of bytes as they are, not the last."""
    return (
        b"\0" + len(data).to_bytes(2, "little") + (len(data) ^ 0xFFFF).to_bytes(2, "little") + data
    )


history = b"".join(i.to_bytes(2, "little") for i in range(32_000))


@pytest.mark.parametrize("distance", [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17])
@pytest.mark.parametrize("length", [3, 4, 8, 9, 17, 258])
@pytest.mark.parametrize("rest", [0, 1, 7, 8, 9, 30])
def test_repeats_that_overlap_themselves(
    inflate: Inflate, distance: int, length: int, rest: int
) -> None:
    start = bytes(range(65, 65 + distance))
    data = start + bytes(start[i % distance] for i in range(length)) + bytes(range(128, 128 + rest))
    assert inflate(deflate(data), len(data)) == data


def test_repeats_from_all_distances(inflate: Inflate) -> None:
    """One repeat of eight bytes a distance code, from the least and the greatest distance that it
    can say, up to 32768.
    """
    for code in range(30):
        extra = max(code // 2 - 1, 0)
        base = 1 + (code if code < 4 else (2 + code % 2) << extra)
        for more in (0, (1 << extra) - 1):
            repeat = fixed(
                [END + 6, f"{code:05b}" + "".join(str(more >> i & 1) for i in range(extra)), END]
            )
            from_there = (history[-(base + more) :] * 8)[:8]
            assert inflate(stored(history) + repeat, len(history) + 8) == history + from_there
    assert base + more == 32_768


@pytest.mark.parametrize(
    ("symbol", "extra", "distance", "length"),
    [
        (286, 6, "00000", 323),
        (287, 6, "00000", 387),
        (260, 0, "11110" + "0" * 14, 6),
        (260, 0, "11111" + "0" * 14, 6),
    ],
)
def test_symbols_that_are_reserved_are_not_the_next_in_the_series(
    inflate: Inflate, symbol: int, extra: int, distance: str, length: int
) -> None:
    stream = stored(history) + fixed([symbol, "0" * extra + distance, END])
    assert agree(inflate, stream) is None
    assert inflate(stream, len(history) + length) is None


A_AND_END = {65: 1, END: 1}
A_AND_REPEAT = {65: 2, END: 1, 257: 2}
DEEP = [*range(1, 15), 15, *[0] * 241, 15]
DEEP_DISTANCES = [15, *range(15, 0, -1)]
GOOD = {
    "one distance codeword of one bit": (dynamic(lengths(258, A_AND_REPEAT), [1]).codeword("10" "11" "0" "0"), b"AAAA"),
    "no distance code, literals only": (dynamic(lengths(257, A_AND_END), [0]).codeword("0" "0" "1"), b"AA"),
    "end of block alone, one bit": (dynamic(lengths(257, {END: 1}), [0]).codeword("0"), b""),
    "literals of 1 to 15 bits": (dynamic(DEEP, [0]).codeword("".join(canonical(DEEP)[i] for i in (*range(15), END))), bytes(range(15))),
    "a distance of 15 bits": (
        dynamic(lengths(258, A_AND_REPEAT), DEEP_DISTANCES).codeword("10" "10" "11" + canonical(DEEP_DISTANCES)[1] + "0"),
        b"AAAAA",
    ),
}  # fmt: skip
BAD = {
    "no bytes": b"",
    "reserved kind of block": Bits().number(7, 3).bytes(),
    "stored: wrong complement": b"\1\1\0\0\0A",
    "stored: longer than the input": b"\1\2\0\xfd\xffA",
    "stored: head cut off": b"\1\1\0\xfe",
    "distance before the start": fixed([257, "00000", END]),
    "distance one too far": fixed([65, 257, "00001", END]),
    "distance far too far": fixed([65, 257, "11101" + "1" * 13, END]),
    "fixed length symbol 286": fixed([65, 286, "00000", END]),
    "fixed length symbol 287": fixed([65, 287, "00000", END]),
    "fixed distance symbol 30": fixed([65, 257, "11110", END]),
    "fixed distance symbol 31": fixed([65, 257, "11111", END]),
    "no end of block": dynamic(lengths(257, {65: 1, 66: 1}), [0]).codeword("0").bytes(),
    "no literals at all": dynamic([0] * 257, [0]).bytes(),
    "literals: too many codewords": dynamic(lengths(257, {65: 1, 66: 1, END: 1}), [0]).codeword("1").bytes(),
    "literals: too few codewords": dynamic(lengths(257, {65: 2, 66: 2, END: 2}), [0]).codeword("10").bytes(),
    "literals: end of block alone, two bits": dynamic(lengths(257, {END: 2}), [0]).codeword("00").bytes(),
    "literals: the codeword that is none": dynamic(lengths(257, {END: 1}), [0]).codeword("1").bytes(),
    "287 literal codes": dynamic(lengths(287, A_AND_END), [0]).codeword("01").bytes(),
    "288 literal codes": dynamic(lengths(288, A_AND_END), [0]).codeword("01").bytes(),
    "31 distance codes": dynamic(lengths(257, A_AND_END), [0] * 31).codeword("01").bytes(),
    "32 distance codes": dynamic(lengths(257, A_AND_END), [0] * 32).codeword("01").bytes(),
    "distances: too many codewords": dynamic(lengths(257, A_AND_END), [1, 1, 1]).codeword("01").bytes(),
    "distances: too few codewords": dynamic(lengths(257, A_AND_END), [2, 2, 2]).codeword("01").bytes(),
    "distances: one codeword of two bits": dynamic(lengths(257, A_AND_END), [2]).codeword("01").bytes(),
    "distances: the codeword that is none": dynamic(lengths(258, A_AND_REPEAT), [1]).codeword("10" "11" "1" "0").bytes(),
    "distances: a repeat without any": dynamic(lengths(258, A_AND_REPEAT), [0]).codeword("10" "11" "0" "0").bytes(),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_unusual_streams_that_are_well_formed(inflate: Inflate, name: str) -> None:
    stream, content = GOOD[name]
    assert agree(inflate, stream.bytes()) == content


@pytest.mark.parametrize("name", BAD)
def test_ill_formed_streams(inflate: Inflate, name: str) -> None:
    assert agree(inflate, BAD[name]) is None
    assert all(inflate(BAD[name], length) is None for length in range(12))


def code_lengths(code: dict[int, int], symbols: Iterable[tuple[int, int, int]], end: str) -> bytes:
    """A block of nothing whose code lengths are spelt by (symbol, extra value, extra width), for
    257 literals and 1 distance.
    """
    out = Bits().number(1, 1).number(2, 2).number(0, 5).number(0, 5).number(15, 4)
    for symbol in LENGTH_ORDER:
        out.number(code.get(symbol, 0), 3)
    words = canonical([code.get(i, 0) for i in range(19)])
    for symbol, extra, width in symbols:
        out.codeword(words[symbol]).number(extra, width)
    return out.codeword(end).bytes()


ONE = (1, 0, 0)
ZEROS_256 = [(18, 127, 7), (18, 107, 7)]


CODE_LENGTHS: list[tuple[dict[int, int], list[tuple[int, int, int]], str, bool]] = [
    ({1: 1, 18: 1}, [*ZEROS_256, ONE, ONE], "0", True),
    ({1: 2, 18: 2, 16: 1}, [ONE, (18, 127, 7), (18, 106, 7), ONE, ONE], "1", True),
    ({1: 1, 18: 2, 17: 2}, [(18, 127, 7), (18, 104, 7), (17, 0, 3), ONE, ONE], "0", True),
    ({1: 1, 18: 2, 17: 2}, [(18, 127, 7), (18, 104, 7), (17, 0, 3), ONE, ONE], "1", False),
    (
        {1: 2, 18: 2, 16: 1},
        [(16, 0, 2), (18, 127, 7), (18, 104, 7), ONE, ONE],
        "0",
        False,
    ),  # nothing to repeat
    (
        {1: 1, 18: 1},
        [*ZEROS_256, ONE, (18, 0, 7)],
        "0",
        False,
    ),  # eleven zeros where there is room for one
    ({1: 1, 18: 2, 17: 2}, [*ZEROS_256, ONE, (17, 0, 3)], "0", False),
    ({1: 2, 18: 2, 16: 1}, [*ZEROS_256, ONE, (16, 0, 2)], "0", False),
    ({1: 1, 18: 1, 0: 1}, [*ZEROS_256, ONE, ONE], "0", False),  # too many codewords
    ({1: 2, 18: 2}, [*ZEROS_256, ONE, ONE], "0", False),  # too few
    ({18: 1}, [(18, 127, 7), (18, 109, 7)], "0", False),  # one
    ({}, [], "0", False),
]


@pytest.mark.parametrize(("code", "symbols", "end", "good"), CODE_LENGTHS)
def test_the_code_of_code_lengths(
    inflate: Inflate,
    code: dict[int, int],
    symbols: list[tuple[int, int, int]],
    end: str,
    good: bool,
) -> None:
    assert (agree(inflate, code_lengths(code, symbols, end)) is not None) == good


def test_under_sanitizers(tmp_path: Path) -> None:
    """Some rounds of tests/c/fuzz_inflate.c over the streams above; its head says how to let it run
    for longer.
    """
    sources = [HARNESSES / "fuzz_inflate.c", core_file("inflate.c")]
    binary, seeds = compile_fuzzer(tmp_path / "fuzz_inflate", sources, "-lz"), tmp_path / "seeds"
    seeds.mkdir()
    streams = [stream.bytes() for stream, _ in GOOD.values()] + list(BAD.values())
    streams += [
        deflate(b" ".join(WORDS), level, strategy) for level in (0, 1, 9) for strategy in STRATEGIES
    ]
    for i, data in enumerate(b"\0" + stream for stream in streams):
        (seeds / f"{i}").write_bytes(data)
    for i in range(50):
        (seeds / f"written {i}").write_bytes(bytes([0xC0 + i, i]) + b" ".join(WORDS))
    done = subprocess.run(
        [binary, "-runs=15000", "-seed=1", "-max_len=500", seeds],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr[-4000:]
