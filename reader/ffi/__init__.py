"""How the core is called: its statuses as exceptions, Ctrl-C, threads, and libcmph's hashes.

It may import the base: constants and errors.
"""
