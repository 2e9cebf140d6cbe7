"""The arguments that several commands have, and what is read by them: sources, test sets, settings.

They may import all rooms but the commands.
"""
