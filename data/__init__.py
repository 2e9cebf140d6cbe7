"""Unicode tables and reference profiles; data/README.md says where they come from."""
