"""Sources that are read, and of which the records that stay are written again.

They may import what their parent may.
"""
