"""Plugins for generators of documentation: after the build of a site they index it, and they put
<pocket-search> where the theme has its search. Imported as `pocketindex.plugins`.

They may import the site. Each imports the generator that it is for, which its extra brings.
"""
