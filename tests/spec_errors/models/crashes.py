"""A model file that cannot be executed."""

limit = 1 // 0
