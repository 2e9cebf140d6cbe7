"""Markdown files: what a reader of the page sees is text, and front matter says the title."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.pages.markup import markdown, markdown_text
from reading import brief, read


def text(source: str) -> str:
    return markdown_text.parsed(source.encode())[1]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("See <https://a.example/b%20c?d=e&f> or <mailto:me@a.example>.",
         "See https://a.example/b%20c?d=e&f or mailto:me@a.example."),
        ("Ask <me@a.example>.", "Ask me@a.example."),
        ("Run\n\n    a <b>\n      *c*\n\nnow", "Run\n\n\u2004a <b>\n\u2004  *c*\n\nnow"),
        ("~~~ python\na\n\n\n  b\n~~~", "\u2004a\n\u2004\n\u2004\n\u2004  b"),
        ("`` a ` b ``", "a ` b"),
        ("He said [sic](what he meant), [2] a[i].", "He said [sic](what he meant), [2] a[i]."),
        ("words\n[note]: a remark that goes on", "words\n[note]: a remark that goes on"),
        ("[a *link*](/to \"title\"), [b][c] and [c]\n\n[c]: /target 'title'", "a link, b and c"),
        ("[js](javascript:x)", "js"),
        ("![a *b* <i>c</i>](c.png) [![d](e)](f)", "a b c d"),
        ("Claimed[^1], too[^n].\n\n[^1]: Ibid.\n[^n]: The note.",
         "Claimed[^1], too[^n].\n\n[^1]: Ibid.\n[^n]: The note."),
        ("- [ ] open\n- [x] done\n- [y] else", "\u2006open\n\u2006done\n\u2006[y] else"),
        (
            "1. one\n2. two\n\n   more\n> said\n> - so",
            "\u2006one\n\u2006two\n\nmore\nsaid\n\u2006so",
        ),
        ("a | b\n--|:-:\n1 | *2*\n3 |", "a\tb\n1\t2\n3"),
        ("# One #\nTwo\n===\nthree ~~four~~\\\nfive", "\u2005One\n\u2005Two\n\nthree four\nfive"),
        ("snake_case and 2*3*4 \\*so\\* &eacute;&#64;", "snake_case and 234 *so* é@"),
        ("a\r\nb\rc", "a\nb\nc"),
        # HTML
        ("H<sub>2</sub>O, line<br>two, a<!-- hidden -->b &lt;", "H2O, line\ntwo, ab <"),
        ("x <script>let y</script> <b class='>'>z</b>", "x  z"),
        ("<div align=\"center\">\n<p>One *two*</p><p>three &amp; four</p>\n</div>",
         "One *two*\n\nthree & four"),
        ("<details>\n<summary>Open</summary>\n\n*inner*\n\n</details>\n", "Open\n\ninner"),
        ("<style>\np {}\n</style>\nwords", "words"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a\tb"),
        ("|a|b|c|\n|-|-|-|\n|1||3|\n\nend", "a\tb\tc\n1\t\t3\n\nend"),
        ("<h1 align=center>Big</h1><ul><li>one<li><p>two</ul>",
         "\u2005Big\n\n\n\u2006one\n\u2006two"),
        ("<table><tr><th>a</th> <td>b</td></tr>\n<tr><td>c", "a \tb\n\n\nc"),
        ("<pre>\n  a\n\n  b</pre>", "\u2004  a\n\u2004\n\u2004  b"),
        ("words\n\n<p \"b\nc", "words"),
    ],
)  # fmt: skip
def test_what_a_reader_sees(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("---\ntitle: Over  the harbour # not\ndate: 2024-01-05\nlang: de\n---\n# Head\n",
         ("Over the harbour", "2024-01-05", "de")),
        ("---\ntitle: 'It''s: so'\nlanguage: en\n...\nwords", ("It's: so", "", "en")),
        ('---\n# a comment\n\n"title": "\\u00c9t\\u00e9"\ntags: [a, b]\n---\n', ("Été", "", "")),
        ("---\nTitle: >\n  One\n  two\nauthor: {name: x}\n---\n", ("One two", "", "")),
        ("---\ntitle: 2024\ndraft: true\n---\n# Head", ("2024", "", "")),
        ("---\ntags: [a]\n---\n# Head\n", ("Head", "", "")),
        ("---\ntitle:\n---\nHead\n----\n", ("Head", "", "")),
        ("+++\ntitle = 'Copper \"kettles\"'\ndate = 2024-01-05T10:00:00Z\n[x]\nlang = 'x'\n+++\n",
         ('Copper "kettles"', "2024-01-05T10:00:00+00:00", "")),
        ("+++\n[params]\ntitle = 'inner'\n+++\n#\n## Second", ("Second", "", "")),
        ("no heading", ("", "", "")),
    ],
)  # fmt: skip
def test_front_matter_says_title_date_and_language(
    source: str, expected: tuple[str, str, str]
) -> None:
    found = markdown.read(source)
    assert (found.title, found.date, found.lang) == expected
    assert not found.problem
    assert "title" not in found.text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("---\nFoo\n---\nBar\n---\n", "\u2005Foo\n\n\u2005Bar"),
        ("words\n\n---\ntitle: x\n---\n", "words\n\n\u2005title: x"),
        ("---\nHe said: no.\n", "He said: no."),
        ("+++\nwords\n+++\n", "+++\nwords\n+++"),
    ],
)
def test_text_between_rules_is_no_front_matter(source: str, expected: str) -> None:
    found = markdown.read(source)
    assert (found.text, found.problem) == (expected, "")


def test_front_matter_that_cannot_be_read_is_kept_and_said(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntitle: One: two\nkey: [\n---\n# Head\nwords")
    (tmp_path / "b.md").write_text("+++\ntitle = unquoted\n+++\nwords")
    documents, skips = read(tmp_path)
    assert documents == [
        Document("a.md", "Head", "title: One: two\nkey: [\n\n\u2005Head\nwords"),
        Document("b.md", "b", "title = unquoted\n\nwords"),
    ]
    assert brief(skips) == [("a.md", "markup stays"), ("b.md", "markup stays")]
    assert skips[0].detail.startswith(
        "its front matter is not YAML and is kept as text: mapping values are not allowed here"
    )
    assert skips[1].detail.startswith("its front matter is not TOML and is kept as text: ")


def test_values_of_front_matter_grow_no_further(tmp_path: Path) -> None:
    grown = "".join(f"a{n + 1}: &a{n + 1} [{f'*a{n}, ' * 10}]\n" for n in range(12))
    source = f"---\na0: &a0 words\n{grown}title: T\n---\nwords"
    assert markdown.read(source).title == "T"
    assert markdown.read(f"---\na: {'[' * 30_000}\n---\nwords").text.endswith("words")


def test_what_nests_deeper_than_the_library_reads_stays(tmp_path: Path) -> None:
    for source in (
        ">" * 300 + " words",
        "".join(f"{' ' * 2 * n}- item{n}\n" for n in range(200)),
    ):
        found = markdown.read(source)
        assert found.text == source
        assert found.problem == (
            "its text is kept with its marks: its quotes and lists are nested 100 deep"
        )
    fine = "".join(f"{' ' * 2 * n}- item{n}\n" for n in range(40))
    assert markdown.read(fine).text.split("\n") == [f"\u2006item{n}" for n in range(40)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_file_that_takes_too_long_keeps_its_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library takes the square of the time for brackets that never close."""
    monkeypatch.setattr(apart, "SECONDS", 0.5)
    source = "[" * 200_000
    (tmp_path / "a.md").write_text(source)
    (tmp_path / "b.md").write_text("*words*")
    documents, skips = read(tmp_path)
    assert [(one.id, one.text) for one in documents] == [("a.md", source), ("b.md", "words")]
    assert [skip.detail for skip in skips] == [
        "its text is kept with its marks: its reader needed more than 0.7 s"
    ]


_MARKS = ["*", "_", "**", "#", "> ", "- ", "1. ", "`", "~~", "[", "]", "![", "\\", "\t", "    "]
_MARKS += ["---\n", "===\n", "  \n", "\n", "\n\n", " ", "|", "^", "'", '"', ".", "+", "é", "日本"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(_MARKS), st.text("abc", min_size=1, max_size=3))))
def test_marks_that_name_nothing_lose_no_word(pieces: list[str]) -> None:
    """Info strings of fences, targets and surplus cells are no text; nothing here makes any."""
    source = "".join(pieces)
    assume("```" not in source and "~~~" not in source and not re.search(r"\|[^\n]*\n.*-", source))
    number = re.compile(r"(?m)^[>\s#+-]*(?:1\.[>\s#+-]+)*")
    expected = re.findall(r"[a-cé日本]+", number.sub("", source.replace("*", "").replace("_", "")))
    assert "".join(expected) == "".join(
        re.findall(r"[a-cé日本]+", text(source).replace("*", "").replace("_", ""))
    )


@pytest.mark.parametrize(
    "mark", ["<?", "<!--", "<!A", "<![CDATA[", "</a", "<a b=", "*a _b", "`a ``"]
)
def test_marks_that_nothing_ends_take_a_time_in_proportion(mark: str) -> None:
    def seconds(size: int) -> float:
        source = f"a {mark} ".encode() * (size // len(mark))
        began = time.process_time()
        markdown_text.parsed(source)
        return time.process_time() - began

    short, long = (min(seconds(size) for _ in range(2)) for size in (2_000, 8_000))
    assert long < 9 * max(short, 0.001), (short, long)  # sixteen times would be the square
