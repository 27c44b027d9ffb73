"""The command line: the only place that prints, writes files or exits."""

from fencecheck.cli.program import main

__all__ = ["main"]
