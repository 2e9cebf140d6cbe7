"""What all answers in Python give: dicts, tables, a line and HTML.

It may import nothing of the package.
"""
