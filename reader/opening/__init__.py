"""Where the bytes of a pocket file come from: a path, memory, a file object or an address.

It may import the base and ffi.
"""
