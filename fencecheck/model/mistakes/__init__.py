"""Mistakes of a model: gathered while it is loaded, told together, each with its line."""
