"""The verbs that build: one file each."""
