"""The search of a website: its built HTML to the folder _pocketindex/ (docs/site.md, and
docs/format.md 13).
"""
