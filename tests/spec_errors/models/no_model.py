"""A Python file that defines no model."""
