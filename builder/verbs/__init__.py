"""The verbs that build or read documents, one file each.

They may import everything, and nothing imports them but the command.
"""
