"""<pocket-related>: plain links to similar pages, written at the build."""

from __future__ import annotations

import json
from pathlib import Path

import pocketindex
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pocketindex.builder.site.linking import has_related, relative, with_related, without_related

PAGE = b"<h1>A</h1><pocket-related data-x=1>\n</pocket-related><p>B"
TEXT = " ".join(f"The keeper of lighthouse {n} wrote about the sea." for n in range(40))


def test_links_are_text_of_the_page_in_any_encoding() -> None:
    page = with_related(PAGE, [("b.html?a&b", "Fähre <b>"), ("../c/", "C")], "de-AT")

    assert page == (
        b'<h1>A</h1><pocket-related data-x=1><nav aria-label="Verwandte Seiten">'
        b"<p>Verwandte Seiten</p><ul>"
        b'<li><a href="b.html?a&amp;b">F&#228;hre &lt;b&gt;</a></li>'
        b'<li><a href="../c/">C</a></li></ul></nav></pocket-related><p>B'
    )


def test_a_language_without_a_table_has_the_english_name() -> None:
    assert b">Related pages<" in with_related(PAGE, [("b", "B")], "xx")


def test_without_similar_pages_the_element_is_empty() -> None:
    assert with_related(PAGE, [], "en") == without_related(PAGE)
    assert b"data-x=1></pocket-related>" in without_related(PAGE)


def test_a_page_without_the_element_stays_as_it_is() -> None:
    page = b"<p>pocket-related</p>\xff"

    assert not has_related(page)
    assert with_related(page, [("b", "B")], "en") == page == without_related(page)


@given(st.lists(st.tuples(st.text(), st.text())), st.text())
def test_links_are_replaced_and_taken_out_whatever_they_say(
    links: list[tuple[str, str]], language: str
) -> None:
    once = with_related(PAGE, links, language)

    assert with_related(once, links, language) == once
    assert without_related(once) == without_related(PAGE)


@pytest.mark.parametrize(
    ("address", "here", "way"),
    [
        ("a.html", "b.html", "a.html"),
        ("a.html", "", "a.html"),
        ("", "b.html", "./"),
        ("", "guide/b.html", "../"),
        ("guide/", "guide/b.html", "./"),
        ("guide/", "guide/", "./"),
        ("guide/a/", "guide/b/", "../a/"),
        ("de/a.html", "en/b.html", "../de/a.html"),
        ("x:y.html", "b.html", "./x:y.html"),
    ],
)
def test_the_way_from_a_page_to_another(address: str, here: str, way: str) -> None:
    assert relative(address, here) == way


def test_a_build_writes_the_links_and_another_one_reads_no_page_anew(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for name in "abc":
        (site / f"{name}.html").write_text(
            f"<html lang=en><title>Page {name}</title><p>{TEXT}<pocket-related></pocket-related>"
        )
    pocketindex.site(site)
    first = {path.name: path.read_bytes() for path in site.glob("*.html")}
    again = pocketindex.site(site)

    assert b'<a href="b.html">Page b</a>' in first["a.html"]
    assert b'href="a.html"' not in first["a.html"]
    assert (again.parsed, again.written) == (0, 0)
    assert first == {path.name: path.read_bytes() for path in site.glob("*.html")}
    assert not (site / "_pocketindex" / "related.json").exists()


def test_related_says_how_many_and_writes_a_list_for_templates(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for name in "abcd":
        (site / f"{name}.html").write_text(
            f"<html lang=en><title>Page {name}</title><p>{TEXT}<pocket-related></pocket-related>"
        )
    pocketindex.site(site, related=2)

    listed = json.loads((site / "_pocketindex" / "related.json").read_text())
    assert [len(others) for others in listed.values()] == [2] * 4
    assert (site / "a.html").read_text().count("<li>") == 2
