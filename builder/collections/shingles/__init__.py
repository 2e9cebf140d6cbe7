"""Texts compared by the word 5-grams that they share. It may import what its parent may."""
