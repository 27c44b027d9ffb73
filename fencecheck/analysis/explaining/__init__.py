"""Logs explained by a model: the search, what blocks it, and what would explain the rest."""
