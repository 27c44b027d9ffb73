"""Loops over arrays as machine code: declared, translated by numba once, kept on disk."""
