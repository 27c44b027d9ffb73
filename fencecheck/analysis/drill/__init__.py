"""Drills: what each control is for, and how each failure is recovered from."""
