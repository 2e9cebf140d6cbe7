"""The work folder of a build, and what goes on in it: journal, sorted files, threads, disk space.
chunks/ has the documents in it.

It may import the base (conventions, document), and no other room.
"""
