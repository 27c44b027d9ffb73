"""Reports of logs that a model explains, or does not."""
