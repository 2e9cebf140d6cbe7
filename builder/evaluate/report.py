"""The report as one HTML page without references to anything outside it."""

from __future__ import annotations

from html import escape
from typing import Any

from pocketindex.builder.evaluate import plots
from pocketindex.builder.evaluate.edits import KINDS, LOSSES

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.4rem; border-bottom: 1px solid #ddd; }
table { border-collapse: collapse; font-size: .86rem; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #e6e6e6; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1rem; } svg { max-width: 100%; height: auto; }
.note { color: #555; font-size: .9rem; }
"""


def shown(value: float | None, places: int = 3) -> str:
    return "–" if value is None or value != value else f"{value:.{places}f}"


def table(rows: list[list[str]]) -> str:
    head, *body = [
        "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) for tag, row in zip(["th"] + ["td"] * len(rows), rows, strict=False)
    ]
    return f"<table><thead><tr>{head}</tr></thead><tbody>" + "".join(f"<tr>{row}</tr>" for row in body) + "</tbody></table>"


def recall_table(results: list[dict[str, Any]]) -> str:
    at = ("0.5", "0.6", "0.7", "0.8", "0.9", "0.95")
    rows = [["scheme", "probes", "look-up bytes", "candidates", "µs", *(f"recall at {t}" for t in at)]]
    for r in results:
        cells = [
            f"{shown(p['recall'])} ({shown(p['low'], 2)}–{shown(p['high'], 2)}; {p['queries']}{'*' if p['few'] else ''})"
            for p in (r["at"][t] for t in at)
        ]
        rows.append(
            [r["scheme"], r["probes"], shown(r["look_up_bytes"], 1), shown(r["candidates"], 1), shown(r["microseconds"], 0), *cells]
        )
    return table(rows)


def pairs_table(results: list[dict[str, Any]]) -> str:
    at = ("0.5", "0.7", "0.8", "0.9")
    heads = [*(f"pairs found at {t}" for t in at), *(f"precision of similarity ≥ {t}" for t in at), "copies found"]
    rows = [["scheme", "probes", *heads]]
    for r in results:
        found = [f"{shown(p['recall_pairs'])} of {p['pairs']:,}" for p in (r["at"][t] for t in at)]
        right = [f"{shown(p['precision_similar'])} ({p['queries_with_similar']})" for p in (r["at"][t] for t in at)]
        rows.append([r["scheme"], r["probes"], *found, *right, f"{shown(r['copies']['found'])} of {r['copies']['copies']:,}"])
    return table(rows)


def calibration_table(results: list[dict[str, Any]]) -> str:
    rows = [["scheme", "error over hits", "error over queries", "hits ≥ .5", "share at cosine ≥ .5 of those ≥ .7"]]
    for r in results:
        c = r["calibration"]
        rows.append(
            [
                r["scheme"],
                shown(c["error"]),
                shown(c["error_by_query"]),
                str(c["hits"]),
                shown(c["precision_of_similarity_.7_at_cosine_.5"]),
            ]
        )
    return table(rows)


def edits_table(results: list[dict[str, Any]]) -> str:
    names = ["mixed 0.1", "mixed 0.2", "mixed 0.3", *LOSSES]
    rows = [["scheme", *(name.replace("mixed", "edited") for name in names)]]
    rows += [[r["scheme"], *(shown(r["edits"].get(name)) for name in names)] for r in results if r["edits"]]
    return table(rows)


def stress_table(part: dict[str, Any]) -> str:
    at = ("0.3", "0.5", "0.7", "0.8")
    rows = [["embedding", *(f"{what} at {t}" for what in ("precision", "recall") for t in at)]]
    for name, values in part["embeddings"].items():
        rows.append([name, *(shown(values[t][what]) for what in ("precision", "recall") for t in at)])
    return table(rows)


def page(data: dict[str, Any], command: str) -> str:
    results, made = data["results"], data["plagiarism"]
    parts = {"this collection": data["similarity_distribution"], "synthesised plagiarism": made["similarity_distribution"]}
    sections = [
        (
            "Recall and precision",
            f"Over {data['similar_queries']:,} queries that have another document at cosine .5 or more. In brackets: 95 % bootstrap interval over queries, number of "
            "queries with a neighbour at the threshold; * marks fewer than 50. Candidates are averages over random queries. Byte-identical copies of a query are left out, and counted in the second table, with averages over pairs.",
            recall_table(results) + pairs_table(results),
            [
                plots.by_threshold(results, "recall", "Recall"),
                plots.by_threshold(results, "precision", "Precision of all candidates"),
                plots.by_threshold(results, "precision_similar", "Precision of hits at that similarity"),
            ],
        ),
        ("Similarity", "How far `similarity` is from the exact cosine.", calibration_table(results), []),
        (
            "Edited documents",
            f"{results[0]['edits'].get('documents', 0)} random documents; the share that finds its original among all candidates.",
            edits_table(results),
            [plots.edits(results, kind) for kind in KINDS],
        ),
        ("Recall, bytes and time", "", "", [plots.frontier(data["frontier"], t) for t in ("0.7", "0.8")]),
        ("Run time by collection size", "One thread, the best of three rounds; take ratios.", "", [plots.run_time(data["run_time"])]),
        (
            "Synthesised plagiarism",
            f"{made['documents']:,} documents of paragraphs extracted and recombined (Stein & Potthast, DIR 2007, 4.1).",
            recall_table(made["results"]),
            [
                plots.by_threshold(made["results"], "recall", "Recall, plagiarism"),
                plots.by_threshold(made["results"], "precision", "Precision, plagiarism"),
                plots.distributions(parts),
            ],
        ),
        (
            "Stress of embeddings",
            f"All pairs of {data['stress']['documents']} documents, {data['stress']['dimensions']} dimensions (Stein, SIGIR 2007). Y_xi: threshold-optimum.",
            stress_table(data["stress"]),
            [
                plots.stress(data["stress"], "precision_stress", "Precision stress"),
                plots.stress(data["stress"], "recall_stress", "Recall stress"),
                plots.stress(data["stress"], "precision", "Precision of the embedding"),
            ],
        ),
    ]
    body = "".join(
        f"<section><h2>{escape(title)}</h2><p class=note>{escape(note)}</p>{rows}<div class=plots>{''.join(f'<div>{p}</div>' for p in drawn)}</div></section>"
        for title, note, rows, drawn in sections
    )
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'><title>pocketindex evaluate</title>"
        f"<style>{STYLE}</style><h1>How well the schemes find what is similar</h1>"
        f"<p>{data['documents']:,} documents of at least 50 words; profiles learned from the {data['sample']:,} of smallest hash, queries drawn from the others. "
        + (f"rff, open: profile {escape(data['open_profile'])}, learned elsewhere. " if data["open_profile"] else "")
        + f"Truth is the exact tf-idf cosine of all pairs.</p><p class=note><code>{escape(command)}</code></p>{body}</html>\n"
    )
