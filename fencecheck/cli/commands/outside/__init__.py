"""The commands that have to do with other programs."""
