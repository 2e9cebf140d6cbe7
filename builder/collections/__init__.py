"""What lies twice in a collection, or in two: pairs, dedup, and contamination of test sets.

It may import everything but evaluate, page and commands.
"""
