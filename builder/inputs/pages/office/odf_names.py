"""The namespaces of OpenDocument files."""

from __future__ import annotations

from pocketindex.builder.inputs.pages.office.walking import Names

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
NAMES = Names(
    {
        **{
            f"{_OASIS}{area}:1.0": short
            for area, short in (
                ("office", "office"),
                ("text", "text"),
                ("table", "table"),
                ("drawing", "draw"),
                ("style", "style"),
                ("presentation", "presentation"),
                ("form", "form"),
                ("dr3d", "dr3d"),
                ("manifest", "manifest"),
                ("svg-compatible", "svg"),
                ("xsl-fo-compatible", "fo"),
            )
        },
        "http://openoffice.org/2009/office": "office",  # comments of slides, by LibreOffice
        "http://purl.org/dc/elements/1.1/": "dc",
        "http://www.w3.org/1998/Math/MathML": "math",
        "http://www.w3.org/1999/xlink": "xlink",
        "http://www.w3.org/XML/1998/namespace": "xml",
    }
)
