"""What decides which statements of a function run."""
