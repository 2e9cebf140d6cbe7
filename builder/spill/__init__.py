"""The work folder of a build: its journal, sorted files, threads and disk space. chunks/ has the
documents in it.

This package may import the base (conventions, document), and no other room.
"""
