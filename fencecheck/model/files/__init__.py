"""Model files: their text, what is loaded from it, and what identifies it."""
