"""Small PDF files."""

from __future__ import annotations


def made_pdf(pages: list[str], title: str = "") -> bytes:
    """A PDF with these pages; a line end in a page starts a line."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, page in enumerate(pages):
        drawn = (
            "BT /F1 12 Tf 14 TL 50 750 Td "
            + " ".join(f"({line}) Tj T*" for line in page.split("\n"))
            + " ET"
        )
        place = "/Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page {place} /Contents {5 + 2 * number} 0 R >>")
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    objects.append(f"<< /Title ({title}) >>")
    out, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = (
        f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R "
        f">>\nstartxref\n{len(out)}\n%%EOF\n"
    )
    return (
        out + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n{trailer}"
    ).encode()
