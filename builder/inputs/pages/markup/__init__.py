"""Texts with light markup: Markdown and its front matter.

It may import what pages/ may, and of pages/ the files at its top.
"""
