"""The base of all answers in Python: dicts, tables, a line of text and HTML.

It may import nothing of the package.
"""
