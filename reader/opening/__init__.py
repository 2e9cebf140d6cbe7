"""The sources of a pocket file's bytes: a path, memory, a file object or an address.

It may import the base and ffi.
"""
