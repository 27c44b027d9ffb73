"""Results for review threads: a matrix, folded counterexamples, never longer than a comment."""
