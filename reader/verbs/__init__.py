"""The verbs that read: one file each."""
