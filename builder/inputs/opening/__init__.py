"""Opening a source: compressions, encodings, and reading it piece by piece.

They may import the base, spill and inputs/source.py.
"""
