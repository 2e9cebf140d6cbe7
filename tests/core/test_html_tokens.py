"""A page in texts and tags, as the core takes it apart, and as the tags say it one by one."""

from __future__ import annotations

import html
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pocketindex.builder.site.elements import HOLDERS, JOINED, SPECIAL, UNREAD, VOID
from pocketindex.builder.site.markup import _NAMES, APART, tokens
from pocketindex.cbits import ffi, lib

NAMED = HOLDERS | {"a", "dt"}
TOKEN = re.compile(r'<(/?)([a-zA-Z][^\s/>]*)((?: [^\s=>]+="[^"]*")*)>|([^<]+)')
SVG = ("svg", "", "/svg")
HIDDEN = re.compile("[\u200b\u2060\ufeff]")

TEXT = st.text(st.sampled_from("ab é\t\n\xa0\u2003\u200b\ufeff\x1d\x1e&<>#中"), max_size=8)
NAME = st.sampled_from(
    ["p", "b", "span", "a", "div", "h1", "dt", "section", "nav", "td", "script", "unknown", "x-y"]
)
ATTRIBUTES = st.lists(
    st.sampled_from(
        [
            *('id="x"', 'name="y"', 'class="b"', 'data-pagefind-ignore=""'),
            *('title="a > b"', 'title="&lt; id="', 'data-pagefind-x="a\x1db"', 'ids="z"'),
        ]
    ),
    max_size=2,
    unique=True,
)


def written(text: str) -> str:
    return html.escape(text, quote=False).replace("\xa0", "&nbsp;")


def element(parts: tuple[str, list[str], list[str]]) -> str:
    name, attributes, inside = parts
    content = "a < b </scr" if name in UNREAD else "".join(inside)
    return f"<{' '.join([name, *attributes])}>{content}</{name}>"


EMPTY = st.sampled_from(
    ["<br>", "<hr>", '<img src="a">', "<wbr>", '<input name="n">', "<!-- <p> -->"]
)
PARTS = st.recursive(
    TEXT.map(written) | EMPTY,
    lambda inner: st.tuples(NAME, ATTRIBUTES, st.lists(inner, max_size=4)).map(element),
    max_leaves=20,
)
PAGES = st.lists(PARTS, max_size=6).map("".join)


def one_by_one(page: str) -> list[str]:
    """Texts and tags by the rules of cbits/ingest/pocket_ingest.h."""
    page = re.sub("<!--.*?-->", "", page, flags=re.S)
    page = re.sub(r"(<script[^>]*(?:\"[^\"]*\"[^>]*)*>)a < b </scr(?=</script>)", r"\1", page)
    found, stack = [""], list[bool]()
    for closing, name, attributes, text in TOKEN.findall(page):
        if text:
            found[-1] += HIDDEN.sub("", re.sub("[\x1c-\x1f]", " ", html.unescape(text)))
            continue
        told = stack.pop() if closing else is_told(name, attributes)
        if told:
            attributes = re.sub("[\x1c-\x1f]", " ", attributes)
            found += [f"/{name}" if closing else name + attributes, ""]
        elif name == "br":
            found[-1] += " "
        elif name not in JOINED:
            found[-1] += APART
        if not closing and name not in VOID:
            stack.append(told)
    return [spaced(text) if i % 2 == 0 else text for i, text in enumerate(found)]


def is_told(name: str, attributes: str) -> bool:
    names = set(re.findall(' ([^ =]+)="[^"]*"', attributes))
    says = any(own.startswith("data-pagefind-") for own in names)
    return name in SPECIAL or (name in NAMED and bool(names & {"id", "name"})) or says


def spaced(text: str) -> str:
    """One space for white space, and none beside what is apart, but for a text of spaces alone."""
    first, *others = re.sub(r"(?:(?!\x1e)\s)+", " ", text).split(APART)
    if not others:
        return first
    *middle, last = others
    blocks = [own.strip(" ") for own in middle]
    return APART.join(
        [
            first.rstrip(" ") or first,
            *(own for own in blocks if own),
            last.lstrip(" ") or last,
        ]
    )


@given(PAGES)
def test_texts_and_tags_are_those_of_one_after_the_other(page: str) -> None:
    assert tokens(page) == one_by_one(page)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('a<a class="headerlink" href="#x">¶</a>b', ["ab"]),
        ('a<a href="#x"> <span>#</span>&nbsp;<svg><path></path></svg></a>b', ["ab"]),
        ('a<a class="x header-anchor"><!-- c -->\U0001f517\ufe0f</a>b', ["ab"]),
        ('a<a class="my-anchors">#</a>b', ["a#b"]),
        ('a<a href="#x">C#</a>b', ["aC#b"]),
        ('<a href="#x"><svg></svg> Text</a>b<a><svg></svg></a>', ["", *SVG, " Textb", *SVG, ""]),
        ('a<a id="x" href="#x">#</a>', ["a", 'a id="x" href="#x"', "#", "/a", ""]),
        ("<p>a<br>b</p><p> c </p>", [f"{APART}a b{APART}c{APART}"]),
        ("<b>a</b><i>b</i><!-- </p> -->c", ["abc"]),
        ("a &amp;lt; b&amp;", ["a &lt; b&"]),
        ("<iframe><p></iframe>a", [f"{APART}a"]),
        ("a</p>b", [f"a{APART}b"]),
        ("a < b<", ["a < b<"]),
    ],
)
def test_by_hand(page: str, expected: list[str]) -> None:
    assert tokens(page) == expected


def test_the_core_knows_every_name() -> None:
    assert len(_NAMES) <= lib.POCKET_HTML_NAMES
    assert max(len(ffi.string(row.name)) for row in _NAMES) < lib.POCKET_HTML_NAME


@pytest.mark.parametrize(
    "unit",
    ["<", "<p", "<p ", "<!--", '<a b="', '<a href="#">#', '<a href="#"><svg>', "<script>", "</"],
)
def test_time_grows_with_the_page(unit: str) -> None:
    begin = time.process_time()
    tokens(unit * 100_000)
    assert time.process_time() - begin < 3
