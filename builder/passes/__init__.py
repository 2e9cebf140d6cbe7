"""The passes of a build, one after the other: reading, choosing a profile, sketching, cells,
shingles and words, writing, measuring.

They may import the base, spill, inputs, schemes, write, and the settings and the report beside
them.
"""
