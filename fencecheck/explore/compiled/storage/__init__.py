"""Storage: packed states in a log, the table that finds them, and both on disk."""
