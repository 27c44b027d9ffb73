"""Explain: what is enough to break a design, and what is enough to keep it."""
