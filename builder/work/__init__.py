"""The work folder of a build, and what goes on in it: journal, spool, sorted files, threads.

It may import the base (conventions, document), and no other room.
"""
