"""The server of `pocketindex serve`: requests, answers and limits.

The modules may import what their parent may.
"""
