"""The search of a website: its built HTML becomes the folder _pocketindex/ (docs/site.md, and
docs/format.md 13).

It may import the pipeline, collections, functions and page.
"""
