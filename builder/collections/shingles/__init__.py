"""Texts compared by the word 5-grams that they share. They may import what their parent may."""
