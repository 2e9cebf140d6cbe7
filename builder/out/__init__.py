"""Write the outputs of builds and commands other than pocket files: rows, lines, the list of
skipped records, and a page of sources.

This package may import the base, spill and inputs.
"""
