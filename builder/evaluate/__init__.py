"""Measure schemes on a collection: exact truth, queries that no profile has seen, a report with
plots.

It needs the extra `evaluate`. It may import everything but collections, page and commands.
"""
