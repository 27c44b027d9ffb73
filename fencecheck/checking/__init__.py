"""Checking: the judges of designs, and the results that they give."""
