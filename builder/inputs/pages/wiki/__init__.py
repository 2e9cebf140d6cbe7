"""Dumps of a MediaWiki, and its wikitext.

It may import what pages/ may, and of pages/ the files at its top.
"""
