"""Tests of what is put together from many checks, and of scripted orders."""
