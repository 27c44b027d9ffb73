"""Representatives: one state for all that differ only in numbers that are compared, or in names."""
