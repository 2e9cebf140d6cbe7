"""A pocket file as a folder of static files: a page and scripts, which a double click opens without
a server.
"""
