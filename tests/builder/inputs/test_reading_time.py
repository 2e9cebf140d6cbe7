"""Sources that would keep an expression busy: reading takes a time in proportion to the source, or
one file of a stranger stops a build.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from pocketindex.builder.inputs import INPUTS
from pocketindex.builder.inputs.one_text import text_of
from pocketindex.wording.passages import passages
from pocketindex.wording.snippet import snippet

SIZE = 150_000  # bytes
SECONDS = 4.0  # an expression in proportion to the square takes ten and more

# What is repeated.
UNITS = [
    "\u00a0", " ", "\t", "\n", " \n", "\r", "a", "a ", "é", "\u2028",
    "<", "<a ", '<a "', "<a '", "<a \"'", '""', "</", "<!", "<!--", "<!-- -", "-->", "<!-", "<?",
    "<?xml ", "<meta ", "<meta charset", "<meta charset=", "<title/", "<title ", "<script",
    "<style>", "&", "&#", "&amp", "]]>", "<![CDATA[",
    "[", "]", "![", "[a](", "](", "](a(", "[a]:", "[a]: ", "[a]\n: ", "`", "``a", "` ``", "*", "_",
    "**a", "_a_", "~~", "\\", "\\*", "#", "# ", "- ", "> ", "1. ", "-\n", "|", "|-", "| - ", ":-",
    "---\n", "\n---  ", "+++\n", "=", "=\n", "  ", "    ", "<http:", "<a@",
    "{{", "}}", "{|", "|}", "[[", "]]", "''", "'''", "==", "{{{", "<ref>", "<ref ", "<nowiki>",
    "-{", "__", "http://a ",
    "\n\n", "\r\n\r\n", "; ", "; a=b", ";", "=?utf-8?q?a?= ", "=?", "a \n", "--b\n", "@", "1",
    "11:11x", "From ", ">From ", "\nFrom a@b\n", "<style ", "\nWARC/1.0\r\n", "{", '"', "\\'", ",",
    "[{",
]  # fmt: skip
BEFORE = {
    "html": ["", "<html><body>", "<meta ", "<!--", '<a x="', "<?xml "],
    "md": ["", "---\n", "+++\n", "[a](", "<!--", "`"],
    "txt": [""],
    "xml": [],
    "eml": [
        "",
        *("Subject: ", "From: ", "Date: ", "Content-Type: ", "Content-Type: text/plain; name="),
        "Content-Type: multipart/mixed; boundary=b\n\n",
        "Content-Type: text/plain; format=flowed\n\n",
        "Content-Type: text/enriched\n\n",
        "Content-Type: multipart/alternative; boundary=b\n\n--b\n\na\n--b\n"
        "Content-Type: text/html\n\n",
    ],
    "mbox": ["From a@b\n\n", "From a@b\n\n\nFrom "],
    "warc": [
        "",
        "WARC/1.0\r\n",
        "WARC/1.0\r\nContent-Type: ",
        "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Length: 99999\r\n\r\n",
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999\r\n\r\nHTTP/1.0 200 OK\r\n",
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999\r\n\r\nHTTP/1.0 200 OK\r\n"
        "Transfer-Encoding: chunked\r\n\r\n",
    ],
    "csv": ["", "text\n", 'text\n"'],
    "json": ["", "[", '{"text": "', '{"id": '],
    "rtf": [r"{\rtf1 "],
}


def dump(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return (
        '<mediawiki xml:lang="en"><page><title>A</title><ns>0</ns><id>1</id><revision><text>'
        f"{escaped}</text></revision></page></mediawiki>"
    )


def timed(name: str, source: Path, text: str, kind: str) -> str:
    """Read a source; returns what took too long."""
    source.write_text(dump(text) if kind == "xml" else text, encoding="utf-8")
    began = time.process_time()
    try:
        if kind == "xml":
            list(INPUTS["mediawiki"].documents(str(source), lambda _: None, lambda *_: None))
        else:
            text_of(str(source))
    except Exception as error:  # what is no text is refused, which may not take long either
        del error
    took = time.process_time() - began
    return f"{name}: {took:.1f} s" if took > SECONDS else ""


@pytest.mark.slow
@pytest.mark.parametrize("kind", BEFORE)
def test_every_format_is_read_in_time(kind: str, tmp_path: Path) -> None:
    wrong = []
    for unit in UNITS:
        for before in BEFORE[kind] or [""]:
            text = before + unit * (SIZE // len(unit.encode()))
            wrong.append(timed(repr(before + unit), tmp_path / f"a.{kind}", text, kind))

    assert list(filter(None, wrong)) == []


@pytest.mark.slow
def test_passages_and_snippets_are_found_in_time() -> None:
    for unit in UNITS:
        text = unit * (SIZE // len(unit))
        began = time.process_time()
        passages(text, "one two three four five six seven")
        snippet(text, 200)
        assert time.process_time() - began < SECONDS, repr(unit)
