"""Compare: the designs of a spec side by side, with costs, scripted orders and claims."""
