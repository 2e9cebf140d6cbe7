"""Plugins for generators of documentation. After the build of a site they index it, and they put
<pocket-search> in place of the theme's search. Imported as `pocketindex.plugins`.

They may import the site. Each imports the generator it is for, which its extra installs.
"""
