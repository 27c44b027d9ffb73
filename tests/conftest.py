"""What holds for every test: Ctrl-C is heard.

A shell that starts the tests in the background has them ignore interrupts, and with them every
process that they start.
"""

import signal


def pytest_configure() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
