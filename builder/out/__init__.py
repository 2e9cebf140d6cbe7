"""What a build and the commands write beside pocket files: rows, lines, what was left out, and a
page of sources.

It may import the base, spill and inputs.
"""
