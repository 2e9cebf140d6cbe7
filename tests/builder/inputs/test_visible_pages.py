"""What of an HTML page becomes text: everything that a person sees, and no navigation."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pocketindex
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pocketindex.builder import shortened
from pocketindex.builder.document import Shortened
from pocketindex.builder.inputs.options import Css
from pocketindex.builder.inputs.pages import html
from pocketindex.builder.inputs.pages.navigation import NAVIGATION
from pocketindex.builder.shortened import ShortenedPages
from pocketindex.cli import main
from reading import brief, read


def text(page: str, main: bool = True) -> str:
    return html.parsed(page.encode(), "page.html", "", main)[1]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "<p>bread<ul><li>flour<li>oil</ul><ol><li>salt</ol><p>end",
            "bread\n\u2006flour\n\u2006oil\n\u2006salt\nend",
        ),
        ("<dl><dt>term<dd>what it is</dl>", "term\nwhat it is"),
        (
            "<div class=sidebar><p>Born in a town.</div><aside>beside</aside>",
            "Born in a town.\nbeside",
        ),
        ("<h2>one <i>head</i>ing</h2>and <b>h</b>alf", "\u2005one heading\nand half"),
        ("昨日<a href=x>川</a>と<a href=x>山</a>へ", "昨日川と山へ"),
        ("a<br>b<hr>c<BR/>d", "a\nb\nc\nd"),
        ("<table><caption>c</caption><tr><th>A<th>B<tr><td>1<td></table>x", "c\nA\tB\n1\nx"),
        ("<table><tr><td><table><tr><td>in<td>ner</table><td>out</table>", "in\tner\nout"),
        (
            "a  b\n\tc<pre>\nif x:\n\ty  = 1\n\n  <b>z</b></pre>d",
            "a b c\n\u2004if x:\n\u2004\ty  = 1\n\u2004\n\u2004  z\nd",
        ),
        ("<div class=x><pre>open  end", "\u2004open  end"),
        ("<h2><button>How?</button></h2><button>A</button><button>B</button>", "\u2005How?\nA B"),
        ("<label>Name</label> <input value=Ada> <input type=submit value=Go>", "Name Ada Go"),
        ("<input type=hidden value=no><input type=password value=no>yes", "yes"),
        ("<p>x<textarea>\n a <b>\n</textarea>", "x\n\u2004 a <b>"),
        ("<select><option>one<option selected>two</select>", "one\ntwo"),
        ("<fieldset><legend>Colour</legend>red</fieldset>", "Colour\nred"),
        ("on <time datetime=2020>12 Brumaire</time>", "on 12 Brumaire"),
        ("<iframe srcdoc='<p>in a <b>f</b>rame<iframe>'>old</iframe>x", "in a frame\nx"),
        ("<frameset><frame><noframes><p>no &amp; frames</noframes></frameset>", "no & frames"),
        ("<details><summary>More</summary><p>closed</details>", "More\nclosed"),
        ("<figure>x<figcaption>below</figcaption></figure>", "x\nbelow"),
        ("<noscript>without a program</noscript>", "without a program"),
        ("<p aria-hidden=true>seen<p role=note>noted", "seen\nnoted"),
        ("a<p hidden>b<p style='color:red; DISPLAY: none'>c<i hidden=''>d</i>", "a"),
        ("a<p STYLE='DISPLAY:NONE'>b", "a"),
        ("a<p style='display :\tnone'>b<p style='list-style:none'>c", "a\nc"),
        ("a<p hidden=until-found>b<p style='display: block'>c", "a\nb\nc"),
        ("<body style='visibility:hidden'>until a program has run", "until a program has run"),
        ("a<script>b</script><style>c</style><template>d</template><title>e</title>f", "af"),
        ("<nav>n<script>no()</script></nav><p>a<script>'<p>'</script>b", "ab"),
        ("<!-- <script> -->seen<!-- </script> <pre> -->", "seen"),
        ("<!--[if IE]>no<![endif]--><![if !IE]>yes<![endif]>", "yes"),
        ("<svg><title>t</title><desc>d</desc><text>one</text><text>two</text></svg>", "one\ntwo"),
        ("<math><mi>x</mi><annotation>\\x</annotation></math>", "x"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>", "漢字(kanji)"),
        ("10<sup>th</sup> H<sub>2</sub>O note<sup><a href=#n>1</a></sup>", "10th H2O note 1"),
        ("<h2>One<a class=headerlink href='#one' title=here>¶</a></h2>x", "\u2005One\nx"),
        ("<h2><A HREF=#two> &para;&#182; </A >Two</h2>", "\u2005Two"),
        ("C<a href=#c>#</a> <a href=/sharp>#</a> <a href=#d># 4</a> <a href=#e></a>", "C # # 4"),
        ("long<wbr>word, lan&shy;tern, a&nbsp;b", "longword, lantern, a b"),
        ("<p>a</body></html>after<p>b", "a\nafter\nb"),
        ("a\fb\r\nc<plaintext>1 <b>\n 2", "a b c\n\u20041 <b>\n\u2004 2"),
        ("<DIV><P>Capital<TD>letters</DIV><PRE>a  b</PRE>", "Capital\tletters\n\u2004a  b"),
        ("<base href=/x><p>x <img alt=alt src=y>y", "x y"),
        ("a < b <3 &lt;p&gt;", "a < b <3 <p>"),
    ],
)
def test_what_a_person_sees(page: str, expected: str) -> None:
    assert text(page) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<nav>n</nav><div role=navigation>n</div>content", "content"),
        ("<div class='x toc y'>n</div><ul id=breadcrumbs><li>n</ul>content", "content"),
        ("<header>n</header><div id=header>n</div><footer>n</footer>content", "content"),
        ("<div role=banner>n</div><div role=contentinfo>n</div>content", "content"),
        ("<header><h1>Heading</h1><p>author</header>content", "\u2005Heading\nauthor\ncontent"),
        (
            "<article><header>Heading</header>content<footer>end</footer></article>",
            "Heading\ncontent\nend",
        ),
        ("<div id=PROTOCOL-FLOW>a</div><div class=guimenuitem>b</div>", "a\nb"),
        ("<div class=toctree-wrapper><ul><li>One<li>Two</ul></div>", "\u2006One\n\u2006Two"),
        (
            "<p>press <b class=menu>File</b> in the <span class=navbar>bar</span>",
            "press File in the bar",
        ),
        ("<section id=navigation><h2>Navigation</h2>words</section>", "\u2005Navigation\nwords"),
        ("<div class=section id=menu>words</div><h2 id=footer>Footer</h2>", "words\n\u2005Footer"),
        ("<table><tr class=header><th>Size<tr><td>12</table>", "Size\n12"),
        ("<ul class=menu><li><a>Home</a><li><a>All</a></ul>content", "content"),
        (
            "<div class=menu><p>Soup 4.50<p>Bread 1.20 <a>more</a></div>",
            "Soup 4.50\nBread 1.20 more",
        ),
        ("<body class=nav><main class=navbar>content</main>", "content"),
        ("<div class=navbar><main>content</main></div>", "content"),
        ("<nav>only a menu</nav>", "only a menu"),
    ],
)
def test_navigation_by_whole_names(page: str, expected: str) -> None:
    assert text(page) == expected
    assert html.parsed(page.encode(), "page.html", "", False)[5] == 0  # of a book all is text


@given(
    st.sampled_from(sorted(NAVIGATION - {"header", "footer", "menu"})), st.text("abc-", max_size=3)
)
def test_a_name_is_navigation_only_as_a_whole(name: str, more: str) -> None:
    assert text(f"<p>content<div class='a {name} b'>left</div>") == "content"
    assert text(f"<p>content<div class='x{more}{name}'>stays</div>") == "content\nstays"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "<head><title/><script src='x'/></head><body><p>a<i/>b<div class='toc'/><p>c</p>",
            "ab\nc",
        ),
        ("<body><p>1 <![CDATA[<2> & <br/>]]> 3<br/>4</p></body>", "1 <2> & <br/> 3\n4"),
        ("<body><p>a<?php echo '>' ?>b</p></body>", "ab"),
        ("<body><p>a<br/>b/>c<i/> d> /></p></body>", "a\nb/>c d> />"),
    ],
)
def test_xhtml(page: str, expected: str) -> None:
    root = '<html xmlns="http://www.w3.org/1999/xhtml">'
    for begin in (f'<?xml version="1.0"?>\n{root}', f"<!DOCTYPE html>{root}"):
        assert text(f"{begin}{page}</html>") == expected
    assert (
        text('<?xml version="1.0"?><!DOCTYPE html [<!ENTITY w "words">]><p>&w; &amp;</p>')
        == "words &"
    )
    prefixed = '<x:html xmlns:x="http://www.w3.org/1999/xhtml"><x:p>a</x:p><x:p>b</x:p></x:html>'
    assert text(prefixed) == "a\nb"


def test_title_and_language() -> None:
    page = html.read(
        b"<!DocType HTML><html lang=de-AT><title>\n Der  Titel<b></title><p>x", "page.html"
    )
    assert (page.title, page.lang, page.text) == ("Der Titel<b>", "de-AT", "x")
    assert html.read(b"<html xml:lang=fr><svg><title>t</title></svg>", "page.html").lang == "fr"
    assert html.read(b"", "page.html") == html.Page("", "", "")


@pytest.mark.parametrize(
    ("content", "charset", "expected"),
    [
        ("<p>it’s".encode(), "", "<p>it’s"),
        ("<meta charset=koi8-r>it’s".encode(), "koi8-r", "it’s"),  # UTF-8, whatever is said
        ('<?xml version="1.0" encoding="iso-8859-1"?>é'.encode(), "", "é"),
        (b'<meta charset="shift_jis">' + "日本".encode("shift_jis"), "", "日本"),
        (
            b"<meta http-equiv=content-type content='text/html; charset=koi8-r'>"
            + "мир".encode("koi8-r"),
            "",
            "мир",
        ),
        (b"<!--" + b"x" * 2_000 + b"--><meta charset=koi8-r>" + "мир".encode("koi8-r"), "", "мир"),
        (b"<meta charset=shift_jis>" + "①".encode("cp932"), "", "①"),
        (b"<meta charset=iso-8859-1>\x93", "", "“"),  # the label means windows-1252
        (b"<!-- <meta charset=utf-8> --><meta charset=latin1>\xe9", "", "é"),
        (b'<?xml version="1.0" encoding="koi8-r"?>' + "мир".encode("koi8-r"), "", "мир"),
        ("мир".encode("koi8-r"), "koi8-r", "мир"),
        (b"<meta charset=utf-8>" + "мир".encode("koi8-r"), "koi8-r", "мир"),
        (b"<meta charset=iso-2022-jp>" + "日本".encode("iso-2022-jp"), "", "日本"),
        ("日本の本".encode("iso-2022-jp"), "iso-2022-jp", "日本の本"),
        (b"\xef\xbb\xbf" + "é".encode(), "koi8-r", "é"),  # a byte order mark wins over all
        ("é".encode("utf-16"), "", "é"),
        ("é".encode("utf-16-be").join([b"\xfe\xff", b""]), "latin1", "é"),
        ("<p>é日".encode("utf-16-le"), "", "<p>é日"),
        ("<p>é日".encode("utf-16-be"), "latin1", "<p>é日"),
        (b"<meta charset=hz-gb-2312>~{VPND~}", "", "中文"),
        (b"<meta charset=hz-gb-2312>~~", "", "~"),
        (b"<meta charset=nonsense>" + "é".encode(), "more nonsense", "é"),
        (b"<meta charset=a\0b>words", "\0", "words"),
    ],
)
def test_encodings(content: bytes, charset: str, expected: str) -> None:
    found, problem = html.decoded(content, "page.html", charset)
    assert found.endswith(expected)
    assert problem == ""


@pytest.mark.parametrize(
    ("content", "begin"),
    [
        (b"<meta charset=utf-8><p>caf\xe9", "expected UTF-8, byte 27 is 0xe9"),
        (b"<meta charset=utf-16><p>caf\xe9", "expected UTF-8, byte 28 is 0xe9"),  # cannot be true
        (b'<?xml version="1.0"?><p>caf\xe9', "expected UTF-8, byte 28 is 0xe9"),
        (b"<meta charset=shift_jis><p>\x83\xff", "expected CP932, byte 28 is 0x83"),
        (b"<p>caf\xe9", "it declares no encoding and is not UTF-8; "),
    ],
)
def test_bytes_that_do_not_fit_are_said(tmp_path: Path, content: bytes, begin: str) -> None:
    (tmp_path / "page.html").write_bytes(content)
    documents, notices = read(tmp_path)
    assert len(documents) == 1
    assert brief(notices) == [("page.html", "wrong encoding")]
    assert notices[0].detail.startswith(begin)
    assert main(["build", str(tmp_path), "-o", str(tmp_path / "x.pocket"), "--strict"]) == 2
    documents, notices = read(tmp_path, encoding="cp1252")
    assert notices == []
    assert "\ufffd" not in documents[0].text


def test_select_and_exclude(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_text(
        "<nav>menu</nav><main>a <div class=x>b <nav>c</nav></div><p id=y>d</main>end"
    )
    (tmp_path / "b.html").write_text("<p>b")
    for css, expected in (
        (Css("main"), "a\nb\nc\nd"),
        (Css(".x, main"), "a\nb\nc\nd"),
        (Css(".x, #y"), "b\nc\nd"),
        (Css("main", ".x"), "a\nd"),
        (Css("", "main"), "end"),
        (Css("body"), "menu\na\nb\nc\nd\nend"),
    ):
        assert next(one.text for one in read(tmp_path / "a.html", css=css)[0]) == expected
    notices = [one for one in read(tmp_path, css=Css("main"))[1] if "b.html" in one.place]
    assert (notices[0].reason, notices[0].detail) == (
        "not selected",
        'nothing on the page matches select="main"',
    )
    target = str(tmp_path / "x.pocket")
    assert main(["build", str(tmp_path), "-o", target, "--select", "p["]) == 2
    assert "--select is 'p[', which is not a CSS selector" in capsys.readouterr().err
    (tmp_path / "d.jsonl").write_text('{"id": "1", "text": "words"}')
    assert main(["build", str(tmp_path / "d.jsonl"), "-o", target, "--exclude", "nav"]) == 2
    assert "it has no pages of HTML; omit --select and --exclude" in capsys.readouterr().err


def test_the_report_says_what_was_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(12):
        menu = "<li>entry" * number
        (pages / f"{number:02}.html").write_text(f"<nav>{menu}</nav><p>{'word ' * 10}{number}")
    target, skipped = str(tmp_path / "x.pocket"), tmp_path / "s.jsonl"
    command = ["build", str(pages), "-o", target, "--skipped", str(skipped), "--strict"]
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["pages"]
    assert {key: found[key] for key in ("pages", "visible_words", "left_out", "share")} == {
        "pages": 12,
        "visible_words": 12 * 11 + 66,
        "left_out": 66,
        "share": 0.3333,
    }
    assert len(found["shortened"]) == 11
    assert found["shortened"][0]["place"].endswith("11.html")
    assert found["shortened"][0]["share"] == 0.5
    lines = [json.loads(line) for line in skipped.read_text().splitlines()]
    assert [Path(line["place"]).stem for line in lines] == [
        f"{number:02}" for number in range(3, 12)
    ]
    assert lines[0] == {
        "place": str(pages / "03.html"),
        "reason": "navigation",
        "detail": "3 of 14 visible words are left out as navigation; --select body keeps them",
    }
    assert main(command) == 0
    said = capsys.readouterr().err
    assert "33.3% of 198 visible words on 12 pages of HTML were left out; most of these" in said
    assert said.count(".html\n") == 10
    assert f"50.0% (11) of {pages / '11.html'}" in said


def test_a_fifth_is_the_limit() -> None:
    assert not Shortened.of("a", 10, 2).is_much
    assert Shortened.of("a", 9, 2).is_much


@pytest.mark.parametrize(
    "content",
    [
        b"<div>" * 200_000 + b"words",
        b"<article>" * 100_000 + b"words",
        b"<meta " * 100_000 + b"\xe9",
        b"<!--" * 300_000,
        b"\0" * 100_000,
        b"<?xml?>" + b"/>" * 200_000,
        b"<?xml?>" + b"<![CDATA[" * 100_000,
        b"<?xml?>" + b"<a " * 200_000,
        b"<?xml?><" + b"a" * 400_000 + b">/>",
        b"<select>" * 50_000,
        b"<a href=#" * 100_000,
        b"<p hidden><a href=#>" + b"#  " * 200_000,
    ],
    ids=lambda content: content[:12].decode("latin-1"),
)
def test_hostile_pages_take_no_time(content: bytes) -> None:
    assert html.read(content, "page.html").text in ("", "words") or content.startswith(b"<?xml")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *(b"<div>", b"</p>", b"<table>", b"<meta charset=", b"utf-16", b"<!--", b"<svg>"),
                *(
                    b"\xff",
                    b"\0",
                    b"&#x110000;",
                    b"<title>",
                    b"<pre>",
                    b"</pre>",
                    b"<nav>",
                    b"<ruby>",
                ),
                *(b"<iframe srcdoc=x>", b"<frameset>", b"<body hidden>", b"<?xml", b"<![CDATA["),
                *(b"<textarea>", b"<td>", b"words", b"<noframes>", b"<input value=1>", b"<sup><a>"),
                *(b"<template shadowrootmode=open>", b"</template>", b"<slot>", b"<x-a>"),
            ]
        )
    )
)
def test_any_page_gives_a_text_that_can_be_written(pieces: list[bytes]) -> None:
    page = html.read(b"".join(pieces), "page.html")
    (page.title + page.text + page.lang).encode()
    assert 0 <= page.left <= page.words


def test_every_page_is_listed_whatever_memory_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that lost most come first."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(100):
        menu = "<li>entry" * (number * 37 % 100)
        (folder / f"{number:02}.html").write_text(f"<nav>{menu}</nav><p>{'word ' * 9}{number}")
    command = ["build", str(folder), "-o", str(tmp_path / "x.pocket"), "--json"]
    assert main(command) == 0
    whole = json.loads(capsys.readouterr().out)["pages"]["shortened"]
    assert [one["left_out"] for one in whole] == list(range(99, 0, -1))

    monkeypatch.setattr(shortened, "_MOST", 7)
    monkeypatch.setattr(shortened, "_AT_ONCE", 2)
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["pages"]["shortened"] == whole
    report = pocketindex.build(folder, tmp_path / "y.pocket", progress=False)
    assert report.as_dict()["pages"]["shortened"] == whole


def test_what_lists_the_pages_takes_no_memory_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortened, "_MOST", 400)
    pages = ShortenedPages()
    tracemalloc.start()
    try:
        for number in range(20 * shortened._MOST):
            left = number % 1000 + 1
            pages.add(Shortened(f"folder/{number}.html", "navigation", "", 2000, left))
        before = -1.0
        for page in pages.losses():
            assert page.share <= -before
            before = -page.share
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2_000 * shortened._MOST
