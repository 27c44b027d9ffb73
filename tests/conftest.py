"""What holds for every test: Ctrl-C is heard, and lines are as wide as without a terminal.

A shell that starts the tests in the background has them ignore interrupts, and with them every
process that they start.
"""

import os
import signal


def pytest_configure() -> None:
    os.environ.pop("COLUMNS", None)
    signal.signal(signal.SIGINT, signal.default_int_handler)
