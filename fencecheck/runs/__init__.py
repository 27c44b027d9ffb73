"""Runs: what happens when events are executed, said once for all that explore, judge or tell."""
