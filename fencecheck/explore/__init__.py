"""Exploration: every reachable state, breadth first, as a StateGraph."""
