"""Searches past one process: many on the machines of a Ray cluster, or one over all of them."""
