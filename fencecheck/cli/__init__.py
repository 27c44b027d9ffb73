"""The command line: the only place that prints, writes files or exits."""

import sys

try:
    from fencecheck.cli.program import main
except KeyboardInterrupt:  # before there is a program that could say so
    sys.exit(130)

__all__ = ["main"]
