"""The functions of a model as trees: what they read, change, call and return."""
