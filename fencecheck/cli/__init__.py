"""The command line: the only place that prints, writes files or exits.

An address space (``ulimit -v``) that does not hold even the program is told like memory that is
full later: nothing was found, exit code 3.
"""

import os
import sys

# a thread of numpy's linear algebra takes 40 MiB of addresses for each core; none is used
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    from fencecheck.cli.program import main
except KeyboardInterrupt:  # before there is a program that could say so
    sys.exit(130)
except (MemoryError, OSError, ImportError, SystemError):
    try:
        import resource

        limited = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    except (MemoryError, ImportError):  # not even that: it is there on every system served
        limited = True
    if not limited:
        raise
    sys.stderr.write("undetermined: the address space (ulimit -v) does not hold fencecheck\n")
    sys.exit(3)

__all__ = ["main"]
