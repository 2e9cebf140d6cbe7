"""The sections of a pocket file, a module for each, and the container that they go into.

It may import the base, spill, sections and schemes.
"""
