"""``python -m fencecheck``: the command line, for environments whose scripts are not on PATH."""

from fencecheck.cli import main

main()
