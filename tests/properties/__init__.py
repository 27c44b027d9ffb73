"""Tests of what is judged over explored graphs."""
