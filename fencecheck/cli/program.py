"""The program ``fencecheck``: its commands, and what an error or an interrupt turns into.

Commands return their exit code. A mistake of the user is a message on stderr and the exit code of
its class, never a traceback; a fault of fencecheck is one line to report and exit code 70.
Importing this loads click and the commands' thin modules; what is heavy is loaded by the command
that needs it.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from fencecheck.cli.commands.check import check_command
from fencecheck.cli.commands.compare import compare_command
from fencecheck.cli.commands.doctor import doctor
from fencecheck.cli.commands.draw import draw
from fencecheck.cli.commands.drill import drill
from fencecheck.cli.commands.explain import explain_command
from fencecheck.cli.commands.export import export
from fencecheck.cli.commands.fuzz import fuzz
from fencecheck.cli.commands.init import init
from fencecheck.cli.commands.list import list_models
from fencecheck.cli.commands.outside.conform import conform_command
from fencecheck.cli.commands.outside.crosscheck import crosscheck
from fencecheck.cli.commands.outside.drive import drive_command
from fencecheck.cli.commands.replay import replay_command
from fencecheck.cli.commands.walk import walk
from fencecheck.cli.terminal import drop_rest, prepare_streams, put_note
from fencecheck.errors import FencecheckError, InternalError
from fencecheck.explore import interrupt
from fencecheck.explore.machine import address_room
from fencecheck.model.mistakes.carets import told_whole
from fencecheck.report.words.visible import one_line
from fencecheck.version import __version__

USAGE, UNDETERMINED, INTERRUPTED = 2, 3, 130
DEBUG = "FENCECHECK_DEBUG"
LEAST = 64 << 20  # bytes of addresses that a command needs besides those kept in reserve
# what a machine says where a file or a stream cannot be had, whoever asked for it
REFUSALS = (
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO,
    errno.EMFILE, errno.ENFILE, errno.ENAMETOOLONG,
)  # fmt: skip


class Program(click.Group):
    """A group of commands that ends with the exit code its command returned."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line and exit; without ``standalone_mode`` return the exit code."""
        prepare_streams()
        code = self._code(args, prog_name or "fencecheck", complete_var, extra)
        if standalone_mode:
            sys.exit(code)
        return code

    def _code(
        self,
        args: Sequence[str] | None,
        name: str,
        complete_var: str | None,
        extra: dict[str, Any],
    ) -> int:
        if _no_room():
            put_note("undetermined: the address space (ulimit -v) does not hold fencecheck")
            return UNDETERMINED
        try:
            with interrupt.listening():
                code = super().main(args, name, complete_var, standalone_mode=False, **extra)
                if interrupt.heard():
                    raise KeyboardInterrupt
        except click.ClickException as error:
            shown = io.StringIO()
            error.show(file=shown)
            put_note(shown.getvalue().rstrip("\n"))
            return error.exit_code if error.exit_code != 1 else USAGE
        except (click.Abort, KeyboardInterrupt):
            put_note("interrupted")
            return INTERRUPTED
        except FencecheckError as error:
            said = str(error) if error.exit_code == UNDETERMINED else f"error: {told_whole(error)}"
            put_note(said)
            return error.exit_code
        except SystemExit as error:
            return 0 if _left_by_click(error) else _fault(error)
        except (MemoryError, OSError) as error:
            return _machine(error)
        except Exception as error:
            return _memory_full(error) if address_room() == 0 else _fault(error)
        return code if isinstance(code, int) else 0

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which one meets them."""
        return list(self.commands)


def _no_room() -> bool:
    """Tell whether a limit on addresses is too low for what every command loads.

    It is not left to a try: numpy's library ends the process, with exit code 1, where it is.
    """
    space = address_room()
    return space is not None and space < LEAST and "numpy" not in sys.modules


def _left_by_click(error: SystemExit) -> bool:
    """Tell whether click itself left: it does where a help meets a reader that has gone away."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and Path(frames[-1].filename) == Path(click.core.__file__)


def _machine(error: MemoryError | OSError) -> int:
    """Say what the machine refused; return the exit code."""
    if isinstance(error, MemoryError) or error.errno == errno.ENOMEM:
        return _memory_full(error)
    if error.errno in REFUSALS:
        place = f"{error.filename}: " if error.filename else ""
        if not place:
            drop_rest(sys.stdout)  # help, which click writes, meets a full stream like this
        put_note(f"error: {place}{error.strerror}")
        return USAGE
    return _fault(error)


def _memory_full(error: BaseException) -> int:
    """Say that memory was full, by whatever error that showed; return the exit code."""
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    put_note("undetermined: the machine's memory was full; bound the search with --max-states")
    return UNDETERMINED


def _fault(error: BaseException) -> int:
    """Say in one line what went wrong inside fencecheck; return the exit code of such a fault."""
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    said = one_line(error)
    put_note(
        f"internal error: {type(error).__name__}{place}{': ' * bool(said)}{said}; this is a fault "
        f"of fencecheck {__version__}: please report this line with the command and what it reads "
        f"({DEBUG}=1 shows where)"
    )
    return InternalError.exit_code


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fencecheck", message="%(prog)s %(version)s")
def main() -> None:
    """Check agent-execution protocols: explore every interleaving, show the shortest event order
    that breaks a property.

    \b
    Start here:
      fencecheck compare              the designs that ship, against all properties
      fencecheck init my-protocol     a start for a model and a spec of your own
      fencecheck list                 what there is to switch on, bound and check
    """


_ASK = (check_command, compare_command, explain_command, drill, fuzz, walk)
_OUTSIDE = (drive_command, conform_command, crosscheck)
for _command in (*_ASK, *_OUTSIDE, draw, replay_command, export, list_models, init, doctor):
    main.add_command(_command)
