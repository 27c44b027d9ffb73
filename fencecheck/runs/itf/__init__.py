"""Traces in the Informal Trace Format (ITF) that other checkers read and write."""
