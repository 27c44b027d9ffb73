"""Implementations that the tests drive: right ones, and ones with a single defect each."""
