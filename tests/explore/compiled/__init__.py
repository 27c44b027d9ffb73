"""Tests of the compiled engine, most of them against the reference engine."""
