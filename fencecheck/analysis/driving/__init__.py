"""Driving: the event orders of a model carried out by an implementation."""
