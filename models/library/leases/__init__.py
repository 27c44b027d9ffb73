"""Locks that lapse, and clocks that go right or wrong."""
