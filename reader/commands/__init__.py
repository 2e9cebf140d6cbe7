"""The commands that read, one file each. rows.py and shards.py have what they share.

They may import all of the reader, and nothing imports them but cli.py and the builder's
commands.
"""
