"""Lower: the functions of a model, from the subset of Python to formulas over a state."""
