"""The server of `pocketindex serve`: its requests, answers, limits, and what it answers with.

The modules may import what their parent may.
"""
