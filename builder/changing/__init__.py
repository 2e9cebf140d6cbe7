"""Make new files from old ones, without the old texts: update, merge, diff.

This package may import the pipeline.
"""
