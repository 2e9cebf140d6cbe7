"""Compare texts by the tf-idf cosine of their words. Sketches find the candidates, and the words of
both texts decide.

They may import what their parent may.
"""
