"""What the command does, as functions for Python: build, pairs, dedup and check.

`pocketindex.build` and so on are these. The files here may import the pipeline and collections, and
no other room.
"""
