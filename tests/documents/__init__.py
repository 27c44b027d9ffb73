"""Tests of the documents: what they show is what the program does."""
