"""A model in other checkers: written for them, run there, the answers held against our own."""
