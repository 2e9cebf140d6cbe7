"""Texts compared by the tf-idf cosine of their words: sketches propose, the words decide. It may
import what its parent may.
"""
