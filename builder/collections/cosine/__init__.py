"""Texts compared by the tf-idf cosine of their words: sketches propose, the words decide.

They may import what their parent may.
"""
