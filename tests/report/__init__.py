"""Tests of formats and pictures, and what they share: results and traces written by hand."""
