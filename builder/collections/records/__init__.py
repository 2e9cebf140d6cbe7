"""Records compared by weighted words, in order: titles, questions, addresses, products.

They may import what their parent may.
"""
