"""``--open``: a command's results as a page, written to a file and opened in the browser.

The option stands beside ``--format``, which says what is printed: with ``--open`` the page is
written too, and where the page is the format, it is opened and not printed.
"""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from fencecheck.cli.options import DEFAULT_OUT
from fencecheck.cli.terminal import put_note, put_text

PageCommand = TypeVar("PageCommand", bound=Callable[..., object])
_ASKED = "fencecheck.cli.pages"


def open_option(text: str) -> Callable[[PageCommand], PageCommand]:
    """Return the option ``--open`` of a command; the command asks ``is_opened`` whether it is on.

    It is no argument of the command: where it is on changes nothing but where the page goes.
    """

    def heard(context: click.Context, option: click.Parameter, value: bool) -> None:
        context.meta[_ASKED] = value

    return click.option("--open", is_flag=True, expose_value=False, callback=heard, help=text)


def is_opened() -> bool:
    """Tell whether the command that runs was asked to open a page."""
    return bool(click.get_current_context().meta.get(_ASKED, False))


def put_results(text: str, form: str) -> None:
    """Print results in a format, unless they are a page that is opened instead."""
    if form != "html" or not is_opened():
        put_text(text)


def show_page(render: Callable[[], str], out: str | None, name: str) -> None:
    """Write the page that ``render`` returns to --out and open it, where that is asked for."""
    if not is_opened():
        return
    from fencecheck.cli.files import write

    path = Path(DEFAULT_OUT if out is None else out) / name
    open_file(write(path, render().encode("utf-8", "surrogatepass")))


def open_file(path: Path) -> None:
    """Open a file in the browser, and say where it is."""
    opened = webbrowser.open(path.resolve().as_uri())
    put_note(f"opened {path}" if opened else f"no browser was found to open {path}")
