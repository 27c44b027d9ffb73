"""Tests of fencecheck.explore: the reference engine and the choice of counterexamples."""
