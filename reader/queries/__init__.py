"""The ways of asking an open file, each with what it answers: hits, why they are hits, labels,
sources, documents that have a few words.

It may import the base, ffi, contents and wording.
"""
