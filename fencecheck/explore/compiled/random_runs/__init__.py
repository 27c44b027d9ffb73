"""Random runs of whole ranges of seeds with a compiled kernel."""
