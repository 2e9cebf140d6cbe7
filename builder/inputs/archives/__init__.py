"""Files that hold files: archives, crawls and ZIM files.

They may import the base, work, and source.py, opening and pages of the inputs.
"""
