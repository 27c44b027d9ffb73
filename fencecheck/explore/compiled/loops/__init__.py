"""The fixed loops, as numba compiles them; loop.py declares what is called from outside."""
