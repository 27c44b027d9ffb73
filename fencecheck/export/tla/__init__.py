"""The readable form: the functions of a model as operators of a TLA+ module."""
