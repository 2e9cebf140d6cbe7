"""Inputs whose records have named fields: a document a row.

They may import the base, spill, and source.py, fields.py and opening of the inputs.
"""
