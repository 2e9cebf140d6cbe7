"""The passes of a build, in order: reading, choosing a profile, sketching, cells, shingles and
words, writing, measuring.

They may import the base, spill, inputs, schemes and write, and the settings and the report.
"""
