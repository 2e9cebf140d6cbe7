"""The commands that build or read documents, one file each; arguments/ has what they share.

They may import everything, and nothing imports them but the command.
"""
