"""Files that hold files: archives, crawls and ZIM files.

They may import the base, spill, and source.py, opening and pages of the inputs.
"""
