"""reStructuredText: what a reader sees is text, nothing is fetched or included, and no file changes
how the next one is read.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pocketindex.builder.document import Document
from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.pages.markup import rest
from reading import brief, read

PAGE = """\
=========
The Title
=========

:Author: Ada

.. a comment
.. contents:: On this page
.. _place: https://example.org/target

Some *marked* words, :class:`~a.b.Name`, :ref:`a label <place>`, |put| and place_.

.. |put| replace:: words put in

Section
-------

Code::

    first line
      second line

.. code-block:: python
   :linenos:

   third = "line"

.. note:: A note.

.. versionadded:: 3.2
   With words.

.. py:function:: name(one, *two)

   Does *things*.

.. toctree::

   hidden/page

.. image:: a.png
   :alt: words of a picture

==  ======
a   b c
==  ======
1   2
==  ======

- first item,
  goes on
- second item

term
  definition

| a line
| another

A note [1]_.

.. [1] At the foot.
"""
TEXT = """\
\u2005The Title
Author: Ada
Some marked words, Name, a label, words put in and place.
\u2005Section
Code:
\u2004first line
\u2004  second line
\u2004third = "line"
A note.
3.2
With words.
name(one, *two)
Does things.
words of a picture
a\tb c
1\t2
\u2006first item, goes on
\u2006second item
term
definition
a line
another
A note 1.
1
At the foot."""


def parsed(source: str) -> tuple[str, str, list[tuple[str, str]]]:
    return rest.parsed(source.encode())


def test_the_text_is_what_a_reader_sees(tmp_path: Path) -> None:
    (tmp_path / "a.rst").write_text(PAGE)
    documents, skips = read(tmp_path / "a.rst")
    assert documents == [Document("a.rst", "The Title", TEXT)]
    assert skips == []
    assert read(tmp_path)[0] == documents


@pytest.mark.parametrize(
    "directive",
    [
        ".. include:: {path}",
        ".. include:: {path}\n   :literal:",
        ".. csv-table:: c\n   :file: {path}",
        ".. csv-table:: c\n   :url: file://{path}",
        ".. raw:: html\n   :file: {path}",
        ".. raw:: html\n\n   secret",
        ".. role:: html(raw)\n   :format: html\n\n:html:`secret`",
    ],
)
def test_nothing_is_inserted_and_that_is_said(directive: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret, secret")
    source = f"Words.\n\n{directive.format(path=tmp_path / 'secret.txt')}\n\nMore words.\n"
    _, text, problems = parsed(source)
    shown = text.replace(str(tmp_path), "").replace(":html:`secret`", "")
    assert shown.startswith("Words.\n")
    assert "More words." in shown or ":html:" in source
    assert "secret" not in shown.replace("secret.txt", "")
    assert "part left out" in [reason for reason, _ in problems]


def test_what_cannot_be_read_keeps_its_marks_and_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.rst").write_text("Words.\n\n+---+---+\n| broken | table |\n+---+\n\nMore.\n")
    (document,), (notice,) = read(tmp_path / "a.rst")
    assert "| broken | table |" in document.text
    assert document.text.endswith("More.")
    assert brief([notice]) == [("a.rst", "markup stays")]
    assert "the first is at line 4: Malformed table" in notice.detail


@pytest.mark.slow
def test_a_file_that_is_too_much_work_keeps_its_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "SECONDS", 1.0)
    laughs = "".join(
        f".. |a{n}| replace:: {f'|a{n - 1}| ' * 20}\n" if n else ".. |a0| replace:: ha\n"
        for n in range(9)
    )
    for name, source in (("a.rst", f"{laughs}\nWords, |a8|\n"), ("b.rst", "* " * 3000 + "words")):
        (tmp_path / name).write_text(source)
        (document,), (notice,) = read(tmp_path / name)
        assert document.text.strip() == source.strip()
        assert brief([notice]) == [(name, "markup stays")]


def test_a_file_does_not_change_how_the_next_is_read() -> None:
    before = parsed("Some :new:`words`.")
    parsed(".. role:: new(code)\n.. default-role:: new\n.. new::\n\n`a` :new:`b` :other:`c`")
    assert parsed("Some :new:`words`.") == before == ("", "Some words.", [])
    assert parsed("A `title`.")[1] == "A title."


def test_the_day_of_the_build_is_not_in_the_text() -> None:
    assert parsed(".. |today| date:: %Y\n\nOn |today|.")[1] == "On |today|."


def test_a_file_of_settings_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docutils.conf").write_text("[general]\nraw_enabled: yes\nsectnum_xform: no\n")
    monkeypatch.chdir(tmp_path)
    assert "secret" not in parsed(".. raw:: html\n\n   secret\n\nWords.")[1]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*"\n\n  *`|:_.=-+~<>[]", "::", ".. ", ".. x::", ":a:`", "word", "word", "\\", "1. "]
        ),
        max_size=60,
    ).map("".join)
)
def test_no_word_is_lost_unseen(source: str) -> None:
    """Of marks in any order a word stays, unless what it stands in is not seen."""
    text = parsed(f"first\n\n{source}\n\nlast\n")[1]
    assert text.startswith("first")
    if ".." not in source and "_" not in source:
        assert text.count("word") == source.count("word"), text
