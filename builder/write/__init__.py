"""Write the sections of a pocket file, one module each, and the container that has them.

This package may import the base, spill, sections and schemes.
"""
