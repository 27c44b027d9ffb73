"""Checks of what a model declares: each declaration alone, then all against each other."""
