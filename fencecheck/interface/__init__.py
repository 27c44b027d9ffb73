"""What ``import fencecheck as fc`` offers: check, compare, explain, load, and their results."""
