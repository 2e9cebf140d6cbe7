"""The sections of a finished file, read as they lie, for what makes a new file of an old one.

It may import the base (conventions, document) and spill.
"""
