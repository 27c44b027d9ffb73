"""Processes: a real process held at its points, and killed there by SIGKILL.

It reads lines on its input and answers by lines on its output; where it comes to a point it waits.
Nothing of a killed process may be read but what it left on disk: a new one is started on that.
"""

from __future__ import annotations

import os
import selectors
import subprocess
from collections.abc import Mapping, Sequence

from fencecheck.conform.points import PIPES


class Process:
    """A program that is started at once, and again after it was killed.

    ``at`` is the point it stands at, None where it stands at none.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        self.command, self._env = list(command), dict(os.environ if env is None else env)
        self.at: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._points, self._may, self._rest = -1, -1, b""
        self.start()

    def start(self) -> None:
        """Start it, where it does not run."""
        if self._process is not None:
            return
        self._points, told = os.pipe()
        heard, self._may = os.pipe()
        env = {**self._env, PIPES: f"{told},{heard}"}
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            pass_fds=(told, heard),
            env=env,
        )
        os.close(told)
        os.close(heard)
        self.at, self._rest = None, b""

    def send(self, line: str) -> None:
        """Give it a line to read."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    def on(self) -> str | None:
        """Let it go on; return the line that it answers, or None where it comes to a point.

        ``at`` has the point's name then. Raises EOFError where it ends without either.
        """
        if self.at is not None:
            self.at = None
            os.write(self._may, b".")
        while True:
            line, newline, rest = self._rest.partition(b"\n")
            if newline:
                self._rest = rest
                return line.decode()
            if self._heard():
                return None

    def ask(self, line: str) -> str | None:
        """Give it a line, and let it go on."""
        self.send(line)
        return self.on()

    def end(self) -> str:
        """Let it go on past every point, and return the line that it answers."""
        while (line := self.on()) is None:
            pass
        return line

    def _heard(self) -> bool:
        """Wait for what it says; tell whether that is a point."""
        assert self._process is not None
        assert self._process.stdout is not None
        output = self._process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            selector.register(self._points, selectors.EVENT_READ)
            ready = {key.fd for key, _ in selector.select()}
        if self._points in ready:
            name = os.read(self._points, 4096)
            if name:
                self.at = name.decode().strip()
                return True
        content = os.read(output, 65536) if output in ready else b""
        if not content:
            code = self._process.wait()
            raise EOFError(f"{' '.join(self.command)} ended with {code}")
        self._rest += content
        return False

    def kill(self) -> None:
        """Kill it where it stands, by SIGKILL, and wait until it is gone."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        os.close(self._points)
        os.close(self._may)
        self._process, self.at = None, None

    def restart(self) -> None:
        """Kill it, and start a new one."""
        self.kill()
        self.start()
