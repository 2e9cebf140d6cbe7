"""Collections that change: a new file of an old one, without the old texts.

This room may import the pipeline.
"""
