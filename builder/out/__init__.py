"""What a build and the verbs write beside pocket files: rows, lines, and what was left out.

It may import the base, work and inputs.
"""
