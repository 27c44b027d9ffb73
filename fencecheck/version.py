"""The version of fencecheck, which is part of every result and of every cache's key."""

__version__ = "0.1.0"
