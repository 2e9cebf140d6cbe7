"""The documents between the passes of a build: spooled in chunks, sketched, arranged.

These modules may import the base and the rest of spill, which imports none of them.
"""
