"""Logs of real runs: what is read of them, and in which order their events happened."""
