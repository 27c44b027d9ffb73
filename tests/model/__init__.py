"""Tests of fencecheck.model: declarations, the lowering, its agreement with Python."""
