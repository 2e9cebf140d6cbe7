"""Measure schemes on a collection: exact truth, queries that no profile has seen, a report with
plots. Needs the extra `evaluate`.
"""
