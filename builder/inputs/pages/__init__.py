"""Texts with markup, one document each or pages of a dump, and the markup taken off.

They may import the base, spill, and source.py and opening of the inputs.
"""
