"""Mail messages and what is attached to them.

It may import what pages/ may, and of pages/ the files at its top.
"""
