"""Turn reStructuredText into text: title and text of a file, by docutils, which runs in a separate
process (apart.py). Nothing is included, inserted or fetched.

Directives and roles that docutils does not know, as those of Sphinx, are read for what is in them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.core import publish_doctree
from docutils.languages.en import labels
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en
from pocketindex.builder.document import Document, Unfit
from pocketindex.builder.inputs.pages import apart
from pocketindex.builder.inputs.pages.signs import CODE, HEADING, ITEM, code

if TYPE_CHECKING:
    from pocketindex.builder.inputs.pages.single import File

MARKUP_STAYS, PART_LEFT_OUT = "markup stays", "part left out"  # reasons of Notices

_SETTINGS = {
    "_disable_config": True,  # a file in the current folder would change what is read
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "syntax_highlight": "none",
    "report_level": 5,  # what is wrong stands in the tree
    "halt_level": 5,
    "warning_stream": False,
    "line_length_limit": sys.maxsize,  # apart.py has limits that do not lose a line
}
_NAME = r"[\w:.+-]{1,80}"
_DIRECTIVE = re.compile(rf"\.\. +(?:\|[^|\n]*\| +)?({_NAME}?) ?::(?!\S)")
_ROLE = re.compile(rf":({_NAME}):(?=`)|(?<=`):({_NAME}):")
_TARGET = re.compile(r"(?s)(.+?)\s*<[^<>]*>\Z")
# Directives that show nothing where they stand, and those whose content is no prose.
_UNSEEN = frozenset(
    (
        *("codeauthor", "currentmodule", "date", "default-domain", "highlight", "index", "module"),
        *("moduleauthor", "py:currentmodule", "py:module", "sectionauthor", "tabularcolumns"),
        *("testcleanup", "testsetup", "toctree"),
    )
)
_CODE = frozenset(("code", "code-block", "sourcecode"))  # which have more options than docutils has
_LITERAL = _CODE | frozenset(
    ["doctest", "graphviz", "mermaid", "productionlist", "prompt", "testcode", "testoutput"]
)
_HIDDEN = (
    *(nodes.comment, nodes.substitution_definition, nodes.meta, nodes.pending, nodes.raw),
    nodes.target,
)
_TITLED = nodes.document, nodes.section
_HEADINGS = nodes.title, nodes.subtitle, nodes.rubric
_LINES = nodes.literal_block, nodes.doctest_block, nodes.math_block
_DISABLED = re.compile("disabled|deactivated")  # in the message of what would insert a file
_LOST = 3  # the level of messages from which on what they are about is not in the tree


def of_file(file: File) -> Iterator[Document]:
    """Yield the document of a file of reStructuredText.

    A file that takes more work than apart.py allows keeps its markup in the text, so that nothing
    is lost, and a notice says so.
    """
    source = file.text()
    try:
        title, text, problems = apart.read(__name__, source.encode(errors="surrogatepass"))
    except Unfit as unfit:
        why = f"its text is kept with its marks: {unfit.detail}"
        title, text, problems = "", source, [[MARKUP_STAYS, why]]
    for reason, problem in problems:
        file.say(reason, problem)
    yield file.document(title, text)


def parsed(content: bytes) -> tuple[str, str, list[tuple[str, str]]]:
    """Parse a file in UTF-8 in this process: its title, its text, and reasons and sentences for
    what is not as it was meant.
    """
    source = content.decode(errors="surrogatepass")
    # What a file registers would be known in the next one.
    known = dict(directives._directives), dict(roles._roles)
    try:
        for name in {found.lower() for found in _DIRECTIVE.findall(source)}:
            known_ones = {*en.directives, *directives._directive_registry} - _UNSEEN - _CODE
            if name not in known_ones:
                directives.register_directive(name, _Any)
        for pair in _ROLE.findall(source):
            if (name := "".join(pair).lower()) not in {*en.roles, *roles._role_registry}:
                roles.register_local_role(name, _any_role)
        tree = publish_doctree(source, settings_overrides=dict(_SETTINGS))
    finally:
        for names, before in zip((directives._directives, roles._roles), known, strict=True):
            names.clear()
            names.update(before)
    messages = list(tree.findall(nodes.system_message))
    titles = (one for one in tree.findall(nodes.title) if isinstance(one.parent, _TITLED))
    title = next(map(_said, titles), "")
    return title, "\n".join(_lines(tree)), list(_problems(messages))


class _Options(dict[str, Any]):
    """Every option, with any value."""

    def __missing__(self, name: str) -> Any:
        return directives.unchanged


class _Any(Directive):  # type: ignore[misc]
    """A directive that docutils does not know: its argument and its content are text."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = _Options(name=directives.unchanged)

    def run(self) -> list[nodes.Node]:
        if self.name.lower() in _UNSEEN:
            return []
        if (name := self.name.lower()) in _LITERAL:
            lines = [*(self.arguments if name not in _CODE else ()), *self.content]
            return [nodes.literal_block(text="\n".join(lines))]
        found = nodes.container()
        for line in "\n".join(self.arguments).split("\n"):
            found += nodes.paragraph(text=line)
        self.state.nested_parse(self.content, self.content_offset, found)
        return [found]


def _any_role(
    name: str,
    rawtext: str,
    text: str,
    lineno: int,
    inliner: Any,
    options: Mapping[str, Any] | None = None,
    content: Any = None,
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Read a role that docutils does not know: the text of a reference, or else its target, of
    which ~ shows the last part.
    """
    shown = nodes.unescape(text)
    if found := _TARGET.match(shown):
        shown = found[1]
    elif shown.startswith("~"):
        shown = shown[1:].rpartition(".")[2]
    return [nodes.inline(rawtext, shown.lstrip("!"))], []


def _said(node: nodes.Node) -> str:
    return " ".join(node.astext().split())


def _lines(node: nodes.Node) -> Iterator[str]:
    """Yield the lines of a part of a document."""
    if isinstance(node, nodes.system_message):
        if node["level"] >= _LOST:
            yield from (one.astext() for one in node.findall(nodes.literal_block))
    elif isinstance(node, _LINES):
        yield code(node.astext())
    elif isinstance(node, _HEADINGS) and not isinstance(node.parent, nodes.table):
        yield HEADING + _said(node)
    elif isinstance(node, nodes.list_item):
        lines = [line for child in node.children for line in _lines(child)]
        if lines and lines[0][:1] not in (HEADING, ITEM, CODE):
            lines[0] = ITEM + lines[0]
        yield from lines
    elif isinstance(node, nodes.image):
        yield from filter(None, [" ".join(node.get("alt", "").split())])
    elif isinstance(node, nodes.row):
        yield "\t".join(_said(entry) for entry in node)
    elif isinstance(node, nodes.Bibliographic) and isinstance(node, nodes.TextElement):
        yield f"{labels[node.tagname]}: {_said(node)}"
    elif isinstance(node, nodes.TextElement) and not isinstance(node, _HIDDEN):
        yield _said(node)
    elif not isinstance(node, (*_HIDDEN, nodes.Text)) and "contents" not in node["classes"]:
        for child in node.children:
            yield from _lines(child)


def _problems(messages: list[nodes.system_message]) -> Iterator[tuple[str, str]]:
    lost = [one for one in messages if one["level"] >= _LOST]
    if lost:
        first = lost[0]
        yield (
            MARKUP_STAYS,
            f"{len(lost)} of its parts cannot be read as they were meant, and are kept with their "
            f"marks; the first is at line {first.get('line', '?')}: {_said(first.children[0])}",
        )
    off = [one for one in messages if _DISABLED.search(one.children[0].astext())]
    if off:
        yield (
            PART_LEFT_OUT,
            f"{len(off)} of its directives and roles insert what is not in the file, or are for "
            f"other formats; the first is at line {off[0].get('line', '?')}",
        )
