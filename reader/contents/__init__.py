"""What a file keeps, read as it lies: documents, labels, whole texts, and what it says of itself.

It may import the base and ffi.
"""
