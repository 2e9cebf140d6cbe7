"""Tags that are no tags where they stand: within raw text, comments and attributes. The reader puts
marks at tags in the source, and none of them may be seen in a title or a text.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pocketindex.builder.inputs.pages import html
from resiliparse.parse.html import HTMLTree, NodeType

_NOT_SEEN = frozenset(("script", "style", "title", "template", "noembed"))


def title_and_text(page: str) -> tuple[str, str]:
    return html.parsed(page.encode(), "page.html", "", False)[:2]


@pytest.mark.parametrize(
    ("page", "title", "text"),
    [
        ("<title>About the <nav> element</title>z", "About the <nav> element", "z"),
        ("<title>a<p>b <td>c<img>d<p class=toc></title>z", "a<p>b <td>c<img>d<p class=toc>", "z"),
        ("<title>a\x1cb&#28;c\x1fd</title>z", "a b c d", "z"),
        ("<title>open<nav>", "open<nav>", ""),
        ("<title>The <B> and the <NAV></title>z", "The <B> and the <NAV>", "z"),
        ("<table><tr><td>a\0b<td>c<svg>\0</svg></table>", "", "ab\tc\ufffd"),
        ("<svg><title>t</title></svg>z", "", "z"),
        ("<svg><title>t</title></svg><title>a<p></title>z", "a<p>", "z"),
        (
            "<p>z<textarea><p>x<td>y<nav class=toc></textarea>",
            "",
            "z\n\u2004<p>x<td>y<nav class=toc>",
        ),
        (
            "<textarea>a\n <pre>b</pre>\n c</textarea>z",
            "",
            "\u2004a\n\u2004 <pre>b</pre>\n\u2004 c\nz",
        ),
        ("<xmp>a <div>\n<td></xmp>z", "", "\u2004a <div>\n\u2004<td>\nz"),
        ("z<plaintext><nav><p>x</plaintext>", "", "z\n\u2004<nav><p>x</plaintext>"),
        ("<p>a<script>'<p><nav></title></style>'</script>b", "", "ab"),
        ("<p>a<style>/*</title><script>*/</style>b", "", "ab"),
        ("<p>a<script>'<!--<script></script>'--></script>b", "", "ab"),
        ("<p>a<!-- <script> <title> <pre> <nav> -->b", "", "ab"),
        ("<!-- </script> <p> <xmp> -->a<p>b", "", "a\nb"),
        ("<p title='<nav>'>a<i title=\"<script>\">b</i><p alt='a > <title> b'>c", "", "ab\nc"),
        ("<img alt='<p>'>a<input value='<nav> <p>x<td>'>", "", "a <nav> <p>x<td>"),
        ("a<input>b<input type=text name=q>c", "", "a b c"),
        ("<iframe><p>x<nav></iframe>z", "", "z"),
        ("<noembed><p>x</noembed>z", "", "z"),
        ("<head><noscript><p>x<nav>y</noscript></head>z", "", "x\nyz"),
        ("<svg><script/></svg><svg><style/></svg>z", "", "z"),
        ("<svg><metadata>x</metadata><desc>y</desc></svg>z<desc>seen", "", "zseen"),
        ("<svg><text><![CDATA[a <nav> b]]></text></svg>", "", "a\n<nav> b"),
        ("a\x1cb\x1dc\x1ed\x1fe&#28;f&#30;g", "", "a\n\u2004b\nc d e\n\u2004f g"),
        ("<div<p>a</div>z", "", "a\nz"),
        ("<script<p>a</script<p>z", "", "az"),
        ("<svg><div<textarea>a<title>b", "", "a"),
        ("<title>&lt;b<script/></title>z", "<b<script/>", "z"),
        ("<textarea>a<b<p>c<i</textarea>z", "", "\u2004a<b<p>c<i\nz"),
        (
            "<xmp><b&#13;<td><b&#13;<p><b&#13;</td></xmp>",
            "",
            "\u2004<b&#13;<td><b&#13;<p><b&#13;</td>",
        ),
        ("<textarea>a<b&#13;<td>c", "", "\u2004a<b\t<td>c"),
        ("a<p>b<nav", "", "a\nb"),
        ("a<p>b<nav class='x", "", "a\nb"),
        ("a</title></script></textarea></pre>b", "", "a\nb"),
    ],
)
def test_what_is_no_tag_gets_no_mark(page: str, title: str, text: str) -> None:
    assert title_and_text(page) == (title, text)


def walked(node: Any) -> str:
    """Return the text of a tree, by a visit of each node."""
    if node.type == NodeType.TEXT:
        return str(node.value)
    if node.type == NodeType.ELEMENT and node.tag in _NOT_SEEN:
        return ""
    return "".join(map(walked, node.child_nodes))


_PIECES = (
    *("<title>", "</title>", "<textarea>", "</textarea>", "<xmp>", "</xmp>", "<plaintext>"),
    *("<script>", "</script>", "<style>", "</style>", "<!--", "-->", "<noscript>", "</noscript>"),
    *("<svg>", "</svg>", "<pre>", "</pre>", "<p>", "<nav>", "</nav>", "<div class=toc>", "</div>"),
    *("<td>", "<table>", "</table>", "<img>", "<template>", "</template>", "<noembed>"),
    *("<b title='", '<i alt="', "'>", '">', "'", '"', ">", "<", " ", "&lt;", "&#13;", "\r\n"),
    *("one", "two", "zwölf", "]]>", "/>", "<script/>", "<div", "</"),
)


@example("<svg><template>one")
@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
def test_the_text_is_that_of_the_tree(page: str) -> None:
    tree = HTMLTree.parse(page)
    title, text = title_and_text(page)
    assert title.split() == (tree.title or "").split()
    assert "".join(text.split()) == "".join(walked(tree.body).split())
