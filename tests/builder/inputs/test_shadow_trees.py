"""Declarative shadow trees: a browser shows them in place of what their element has, and that in
their slots.
"""

from __future__ import annotations

import pytest
from pocketindex.builder.document import Unfit
from pocketindex.builder.inputs.pages import html

OPEN = "<template shadowrootmode=open>"


def text_and_words(page: str) -> tuple[str, int, int]:
    _, text, _, _, words, left, _ = html.parsed(page.encode(), "page.html")
    return text, words, left


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (f"<div>{OPEN}<h2>Title</h2>one</template></div>two", "\u2005Title\none\ntwo"),
        (f"<x-a>{OPEN}before <slot></slot> after</template>middle</x-a>", "before middle after"),
        (f"<p>{OPEN}<b>a</b><p><slot>b</slot></template><!-- -->", "a\nb"),
        (f"<div>{OPEN}tree</template>content without a slot</div>z", "tree\nz"),
        (
            f"<x-a>{OPEN}<h1><slot name=t></slot></h1><slot></slot><slot name=u>none</slot>"
            "</template>\n <p>text</p><p slot=t>Title</p><p slot=v>lost</p></x-a>",
            "\u2005Title\ntext\nnone",
        ),
        (f"<div>{OPEN}<slot>1<slot></slot></slot><slot>2</slot></template>x</div>", "x2"),
        (f"<div>{OPEN}a{OPEN}no</template><x-b>{OPEN}b</template></x-b></template></div>", "ab"),
        (
            f"<x-a>{OPEN}<x-b>{OPEN}<i>[<slot></slot>]</i></template><slot></slot></x-b>"
            "</template><pre>x\n  y</pre></x-a>",
            "[\n\u2004x\n\u2004  y\n]",
        ),
        (f"<div>{OPEN}<table><tr><td>a<td>b\0</table></template></div>", "a\tb"),
        (f"<div>{OPEN}a\x1eb&#30;<slot></slot></template>c</div>", "a b c"),
        ("<DIV><TEMPLATE class='>' ShadowRootMode=Closed>x</TEMPLATE></DIV>", "x"),
        (f"<div>{OPEN}<style>p {{}}</style><script>no</script>x</template></div>", "x"),
        (f"<div>{OPEN}1</template>{OPEN}2</template></div>", "1"),
        (f"<div><template shadowrootmode>no</template>{OPEN}é</template>a&</div>", "é"),
        ("<div><template shadowrootmode=x>no</template>y</div>", "y"),
        ("<div><template>no</template>y</div>", "y"),
        (f"<ul>{OPEN}no list has one</template><li>y</ul>", "\u2006y"),
        (f"<div hidden>{OPEN}no</template></div>y", "y"),
        (f"<div>{OPEN}a<b hidden>no</b></template></div>", "a"),
    ],
)
def test_what_a_person_sees_of_a_shadow_tree(page: str, text: str) -> None:
    assert text_and_words(page) == (text, len(text.split()), 0)


def test_navigation_in_a_shadow_tree_is_left_out() -> None:
    page = f"<x-a>{OPEN}<nav>to all</nav>text <slot></slot></template>of<nav>it</nav></x-a>"
    assert text_and_words(page) == ("text of", 5, 3)


def test_trees_that_are_nested_too_deeply_are_said() -> None:
    nested = f"<div>{OPEN}<p>x"
    assert html.read((nested * 100).encode(), "page.html").text == "\n".join("x" * 100)
    with pytest.raises(Unfit) as caught:
        html.read((nested * 101).encode(), "page.html")
    assert caught.value.detail == "its shadow trees are nested more than 100 deep"
