"""Documents between the passes of a build: spooled in chunks, sketched, arranged.

They may import the base and the rest of work, which imports none of them.
"""
