"""The wording of texts, whatever they are of: their beginnings, and what two have in common.

It may import nothing but itself.
"""
