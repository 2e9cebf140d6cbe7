"""Control words of RTF: what they write, and which groups they begin."""

from __future__ import annotations

CHARS = {
    "line": "\n",
    "lbr": "\n",
    "softline": "\n",
    "tab": "\t",
    "emdash": "\u2014",
    "endash": "\u2013",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
    "bullet": "\u2022",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "zwj": "\u200d",
    "zwnj": "\u200c",
}
HEADS = frozenset(
    ("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf")
)
# Of a font, or of the file where no font is being described.
PROPERTIES = frozenset(("fcharset", "cpg", "ansicpg", "deff", "ansi", "mac", "pc", "pca"))
# Groups whose text nobody sees, or that stand in for others: a picture for a shape, plain
# paragraphs for a table in a table, the numbers of lists.
UNSEEN = frozenset(
    (
        *("colortbl", "stylesheet", "info", "filetbl", "listtable", "listoverridetable", "revtbl"),
        *("pict", "nonshppict", "shprslt", "sp", "sn", "sv", "objdata", "objclass"),
        *("fldinst", "fldtype", "formfield", "datafield", "xe", "tc", "tcn", "rxe", "txe"),
        *("bkmkstart", "bkmkend", "pn", "pntext", "pntxta", "pntxtb", "listtext", "pnseclvl"),
        *("nonesttables", "upr", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn"),
        *("annotation", "atnid", "atnauthor", "atnref", "atntime", "atndate", "atnparent"),
        *("atnicn", "atrfstart", "atrfend", "private", "template", "themedata", "datastore"),
        *("colorschememapping", "latentstyles", "rsidtbl", "generator", "xmlnstbl", "docvar"),
        *("falt", "panose", "fontemb", "nextfile", "keycode", "background", "mmathPict"),
    )
)
# Groups that begin with \*, for who knows them, and have text all the same.
SEEN_IN_STARRED = frozenset(
    ("shpinst", "do", "nesttableprops", "moMath", "moMathPara", "mr", "result")
)
MATH = ("Pr", "Chr")  # ends of the words for how a formula looks
