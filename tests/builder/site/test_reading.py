"""What is read of a page: each attribute, and what a browser makes of markup."""

from __future__ import annotations

from typing import Any

import pytest
from pocketindex.builder.site import html_page
from pocketindex.builder.site.attributes import Named, named, weight_of

pytest.importorskip("resiliparse")


def read(body: str, head: str = "", attributes: str = "") -> dict[str, Any]:
    page = f"<!doctype html><html lang=EN><head>{head}</head><body {attributes}>{body}"
    return html_page.record_of(page.encode(), "page.html", "page", "", "")


def text(body: str, **more: str) -> str:
    return " ".join(part[3] for part in read(body, **more)["parts"]).replace("\n", " ")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>a<p>b", "a. b."),
        ("in<b>li</b>ne", "inline."),
        ("Line<br>break", "Line break."),
        ("<p>Done!<p>Colon:<p>(so)", "Done! Colon: (so)."),
        ("<ul><li>one<li>two</ul>", "one. two."),
        ("a&amp;lt;b&#8203;c", "a&lt;bc."),
        ("<NAV>out</NAV><HEADER>in</HEADER>", "in."),
        ("<script>1</script><style>2</style><!-- 3 --><svg><text>4</text></svg>5", "5."),
        ("<form>no</form><label>no</label><footer>no</footer><textarea>yes</textarea>", "yes."),
        ("<p hidden>seen", "seen."),
        ("<p data-pagefind-ignore>a<p>b", "b."),
        ("<p>a <span data-pagefind-ignore=TRUE>no</span> b", "a b."),
        ("<p data-pagefind-ignore=all>a<p data-pagefind-ignore=odd>b<p>c", "c."),
        ("out<main data-pagefind-body>in</main>out", "in."),
        ("<i data-pagefind-body>a</i>b<i data-pagefind-body>c</i>", "ac."),
        ("<div data-pagefind-body>a<p data-pagefind-body>b</p>c</div>d", "a. b. c."),
        ("<div data-pagefind-ignore>a<p data-pagefind-body>b</div>", "b."),
        ("<div data-pagefind-ignore=all><p data-pagefind-body>a</div>b", "b."),
        ("<p data-pagefind-body data-pagefind-ignore>a", "a."),
        ('<img title=t alt="a b" data-pagefind-index-attrs="alt, title,none">', "a b. t."),
        ("<nav><img alt=a data-pagefind-index-attrs=alt></nav>b", "b."),
        ("<img alt=a data-pagefind-index-attrs=alt data-pagefind-ignore>b", "b."),
        ('<a href="x" title=">">a</a>b', "ab."),
        ('<p><a href="x"">a</a>b<a href="\\" y.html\\"">c</a>', "abc."),
    ],
)
def test_the_text_of_a_page(body: str, expected: str) -> None:
    assert text(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<p data-pagefind-meta="k">a <i>b</i>', {"k": "a b"}),
        ('<p data-pagefind-meta="k[title], l[none], m:x, y: z" title=" a ">', {"k": "a"}),
        ('<p data-pagefind-meta="k">', {}),
        ('<p data-pagefind-meta="k:1"><p data-pagefind-meta="k:2">', {"k": "2"}),
        ('<p data-pagefind-meta="k">a <i data-pagefind-meta="k">b</i>', {"k": "a b"}),
        ('<p data-pagefind-default-meta="k:1"><p data-pagefind-meta="k:2">', {"k": "2"}),
        ('<p data-pagefind-default-meta="k:1">', {"k": "1"}),
        ('<nav><p data-pagefind-meta="k">a</nav>', {"k": "a"}),
        ('<p data-pagefind-ignore=all><i data-pagefind-meta="k">a</i>', {}),
        ('<p data-pagefind-meta="k">a <i data-pagefind-ignore>b</i>', {"k": "a"}),
    ],
)
def test_metadata(body: str, expected: dict[str, str]) -> None:
    found = read(body)["meta"]

    assert {key: found[key] for key in found if key in expected or key == "k"} == expected


def test_all_forms_on_one_element() -> None:
    assert named("a, b[src], c:rest, of: it") == [
        Named("a"),
        Named("b", None, "src"),
        Named("c", "rest, of: it"),
    ]
    assert named(" , a[ b") == [Named("a", None, "b")]


@pytest.mark.parametrize(
    ("body", "head", "expected"),
    [
        ("<h1> A \n b</h1><h1>c</h1>", "<title>t</title>", "A b"),
        ("<header><h1>Site</h1></header><h1>Page</h1>", "", "Page"),
        ("<header><h1>Site</h1></header>", "<title>t</title>", "Site"),
        ("<h2>less</h2>", "<title>t &amp; u</title>", "t & u"),
        ("<h1></h1>", "", "page"),
        ("<p data-pagefind-ignore><h1>Still</h1>", "", "Still"),
        ("<div data-pagefind-ignore=all><h1>no</h1></div><h1>yes</h1>", "", "yes"),
        ('<h1>no</h1><p data-pagefind-meta="title">own', "", "own"),
        ("<svg><title>no</title></svg>", "<title>yes</title>", "yes"),
    ],
)
def test_the_title(body: str, head: str, expected: str) -> None:
    assert read(body, head)["meta"]["title"] == expected


def test_the_image_is_the_first_behind_the_title() -> None:
    body = "<img src=a><h1>T</h1><img alt=none><img src=b alt=' B '><img src=c>"
    own = '<img src=o alt=p data-pagefind-meta="image[src]">'

    assert read(body)["meta"] == {"title": "T", "image": "b", "image_alt": "B"}
    assert read(body + own)["meta"] == {"title": "T", "image": "o"}


def test_filters_have_many_values_and_sorts_the_last() -> None:
    found = read(
        '<p data-pagefind-filter="k">a<p data-pagefind-filter="k:b"><p data-pagefind-filter="k:a">'
        '<p data-pagefind-filter="any:x"><p data-pagefind-sort="s:1"><p data-pagefind-sort="s:2">'
    )

    assert found["filters"] == {"k": ["a", "b"]} or found["filters"] == {"k": ["b", "a"]}
    assert found["sorts"] == {"s": "2"}
    assert found["warnings"] == ["'any' cannot be the key of a filter"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a<h2 id=x>X</h2>b", [("", "a."), ("x", "X. b.")]),
        ("<h2>X</h2>b", [("", "X. b.")]),
        ("<p id=x>a", [("", "a.")]),
        ("<h2 id=x></h2>b", [("", "b.")]),
        ("<h2 id=x data-pagefind-ignore>X</h2>b", [("", "b.")]),
        ("<h2><a id=x></a>X</h2>", [("", ""), ("x", "X.")]),
        ("<a name=x></a> <h2>X</h2>", [("", ""), ("x", "X.")]),
        ("<a name=x></a>text<h2>X</h2>", [("", "text. X.")]),
        ("<section id=x><h2>X</h2><h3>Y</h3></section>", [("", ""), ("x", "X. Y.")]),
        ("<section id=x><h1>X</h1></section>", [("", "X.")]),
        ("<div id=x><div><h2>X</h2></div></div>", [("", ""), ("x", "X.")]),
        ("<div id=x>a<h2>X</h2></div>", [("", "a. X.")]),
        ("<dl><dt id=x class='sig py'>f(a)<dd>b</dl>", [("", ""), ("x", "f(a). b.")]),
        ("<dl><dt id=x>f<dd>b</dl>", [("", "f. b.")]),
        ("<div id=x data-pagefind-title='A name'><h2>Y</h2></div>", [("", ""), ("x", "Y.")]),
    ],
)
def test_parts_begin_at_headings_with_an_id(body: str, expected: list[tuple[str, str]]) -> None:
    parts = [(part[0], part[3].replace("\n", " ")) for part in read(body)["parts"]]

    assert parts == expected


@pytest.mark.parametrize(
    "heading",
    [
        '<h2 id=x>Alpha<a class=headerlink href="#x">¶</a></h2>',
        '<h2 id=x><a href="#x" aria-label=link>#</a> Alpha</h2>',
        "<h2 id=x>Alpha <span data-pagefind-ignore>[edit]</span></h2>",
        '<h2 id=x>Alpha<a class="hash-link" href="#x">&#8203;</a></h2>',
        '<h2 id=x>Alpha<a class="headerlink" href="#x">&#xF0C1;</a></h2>',
        '<h2 id=x><a class=anchor href="#x">Alpha</a></h2>',
    ],
)
def test_signs_that_link_to_a_heading_are_not_its_title(heading: str) -> None:
    assert read(heading)["parts"][1][1] == "Alpha"


def test_an_object_is_named_without_its_kind_and_arguments() -> None:
    found = read("<dl><dt id=x class=sig><em>class </em>a.B(c, d)<dd>e</dl>")

    assert (found["headings"], found["parts"][1][1]) == (["a.B"], "class a.B")


def test_weights() -> None:
    found = read("<h1>a</h1><h6>b</h6><p data-pagefind-weight=.5>c <b>d</b><h2>e</h2>")["weighted"]
    within = read("<div data-pagefind-weight=.5><h2>a</h2><p data-pagefind-weight=20>b</div>")

    numbered = [(12, ["c d."], [2]), (48, ["b."], [1]), (144, ["e."], [3]), (168, ["a."], [0])]
    assert found == numbered
    assert within["weighted"] == [(12, ["a."], [0]), (240, ["b."], [1])]
    assert [weight_of(w) for w in ("10", "11", "-1", "x", "nan", ".1")] == [240, 240, 0, 24, 24, 2]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<meta name=ROBOTS content='follow, NoIndex'>", (True, "", "")),
        ("<meta name=robots content=none>", (True, "", "")),
        (
            "<meta name=googlebot content=noindex><meta name=robots content=nofollow>",
            (False, "", ""),
        ),
        ("<link rel=canonical href='/x'>", (False, "/x", "")),
        ("<meta http-equiv=Refresh content='0; URL=\"a.html\"'>", (False, "", "a.html")),
        ("<meta http-equiv=refresh content='5; url=a.html'>", (False, "", "")),
        ("<meta http-equiv=refresh content='0'>", (False, "", "")),
    ],
)
def test_what_the_head_says(head: str, expected: tuple[bool, str, str]) -> None:
    found = read("a", head)

    assert (found["noindex"], found["canonical"], found["refresh"]) == expected
    assert found["lang"] == "en"


def test_selectors_choose_what_is_read() -> None:
    page = b"<html lang=de><title>t</title><main><h1>A</h1><i class=x>b</i></main><p>c"
    found = html_page.record_of(page, "a.html", "a", "main", ".x")

    assert (found["lang"], found["parts"]) == ("de", [("", "A", 1, "A.")])
    assert html_page.record_of(page, "a.html", "a", "article", "")["why"] == "root"


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "empty"), (b" \n", "empty"), (b"<p>a", "fragment"), (b"<body>", None)],
)
def test_fragments_are_no_pages(content: bytes, why: str | None) -> None:
    assert html_page.record_of(content, "a.html", "a", "", "").get("why") == why
