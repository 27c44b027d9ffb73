"""``fencecheck crosscheck``: the same models in other checkers, and whether they say the same."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.completion import complete_file
from fencecheck.cli.files import check_folder, slug, write
from fencecheck.cli.option_types import SearchCommand
from fencecheck.cli.options import (
    DEFAULT_OUT,
    SearchSettings,
    format_option,
    gathered,
    out_option,
    quiet_option,
    unsaved_search_options,
)
from fencecheck.cli.progress import Progress
from fencecheck.cli.terminal import paint, put_note, put_text, screen_width
from fencecheck.errors import FencecheckError, UsageError

if TYPE_CHECKING:
    from fencecheck.analysis.crosscheck.crosscheck import Crosschecked
    from fencecheck.analysis.crosscheck.peer import Installed, Peer
    from fencecheck.report.outside.crosscheck import CheckedSpec, CheckedVariant
    from fencecheck.spec.values import Spec, Variant

FORMATS = ("text", "json")


class NoPeer(FencecheckError):
    """No other checker is there, or not one that was named."""

    exit_code = 3


@dataclass(frozen=True)
class PeersAsked:
    """Which peers are asked what, and where files are kept; the fields are the options' names."""

    peers: str | None
    tlc: str | None
    part: str | None
    form: str
    out: str
    quiet: bool

    @property
    def names(self) -> list[str] | None:
        """Return the peers that are named; None: all that are there."""
        return None if self.peers is None else [name.strip() for name in self.peers.split(",")]


@click.command("crosscheck", cls=SearchCommand)
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", shell_complete=complete_file)
@unsaved_search_options
@click.option(
    "--with",
    "peers",
    metavar="PEER,...",
    help="Ask these: rumur, spin, tlc. Without it every one that is there.",
)
@click.option(
    "--tlc",
    type=click.Path(exists=True, dir_okay=False),
    metavar="JAR",
    help="Where TLC is, tla2tools.jar; FENCECHECK_TLC names it too.",
)
@click.option(
    "--part",
    type=click.Choice(["counts", "properties"]),
    help="Compare only counts of states and transitions, or only properties.",
)
@format_option(FORMATS, "text", "How results are printed.")
@out_option("Where the model is kept of which two checkers say different things.", DEFAULT_OUT)
@quiet_option
@gathered("asking", PeersAsked)
def crosscheck(specs: tuple[str, ...], search: SearchSettings, asking: PeersAsked) -> int:
    """Ask other checkers about the same models, and compare what they say.

    Each variant of each SPEC is written in the language of Rumur (Debian package rumur) and of
    SPIN (spin), which need a C compiler, and of TLC, which needs a Java, and searched there.
    Nothing is downloaded. Compared are states, transitions,
    and of each invariant, transition property and deadlock the verdict, the fewest events that
    break it and whether it was ever put to the test. What a checker cannot be asked is named.
    Where something differs, bounds are lowered as long as it does.

    \b
    Exit code: 0  every variant agrees with a checker, in all that was compared
               1  something differs
               2  wrong usage, an unreadable spec, a model that goes wrong
               3  no checker is there, or a search was cut or failed, here or there
    """
    from fencecheck.report.outside.crosscheck import crosscheck_json, spec_lines, totals_text

    check_folder(Path(asking.out))
    begun, peers = time.monotonic(), _peers(asking)
    loaded = search.load(specs)
    done = list["CheckedSpec"]()
    for spec in loaded:
        done.append(_checked(spec, peers, search, asking))
        if asking.form == "text":
            put_text("\n".join(spec_lines(done[-1], screen_width(), paint)))
    if asking.form == "json":
        put_text(crosscheck_json(done))
    elif not asking.quiet:
        put_text(totals_text(done, time.monotonic() - begun))
    return _exit_code(done)


def _peers(asking: PeersAsked) -> list[tuple[Peer, Installed]]:
    """Return whom to ask; raises NoPeer where nobody is there, or not one that is named."""
    from fencecheck.analysis.crosscheck.crosscheck import TLC, chosen_peers

    TLC.jar = asking.tlc
    found, missing = chosen_peers(asking.names)
    if not found or (asking.names is not None and missing):
        told = "; ".join(f"{name} needs {what}" for name, what in missing.items())
        raise NoPeer(f"undetermined: no other checker to ask: {told}")
    if missing and not asking.quiet:
        put_note(f"not asked, as it is not there: {', '.join(missing)}")
    return found


def _checked(
    spec: Spec, peers: Sequence[tuple[Peer, Installed]], search: SearchSettings, asking: PeersAsked
) -> CheckedSpec:
    from fencecheck.report.outside.crosscheck import CheckedSpec

    progress, variants = Progress(asking.quiet), list["CheckedVariant"]()
    name = spec.path or spec.family.name
    try:
        for variant in spec.variants:
            progress.say(f"asking about {name}: {variant.name} ...")
            variants.append(_variant(spec, variant, peers, (search, asking)))
    finally:
        progress.clear()
    return CheckedSpec(name, spec.title, variants)


def _variant(
    spec: Spec,
    variant: Variant,
    peers: Sequence[tuple[Peer, Installed]],
    given: tuple[SearchSettings, PeersAsked],
) -> CheckedVariant:
    from fencecheck.analysis.crosscheck.crosscheck import PARTS, crosscheck_design
    from fencecheck.analysis.crosscheck.differences import explained_difference
    from fencecheck.analysis.crosscheck.exported import export_variant
    from fencecheck.analysis.crosscheck.peer import PeerLimits
    from fencecheck.report.outside.crosscheck import CheckedVariant

    search, asking = given
    options = search.options()
    limits = PeerLimits(search.timeout, search.max_memory, options.threads)
    try:
        design = export_variant(spec, variant, options)
        parts = PARTS if asking.part is None else (asking.part,)
        found = [crosscheck_design(design, peer, parts, limits) for peer in peers]
    except UsageError as error:
        raise UsageError(f'{spec.path or spec.title}: variant "{variant.name}": {error}') from None
    told = CheckedVariant(design.head, found)
    for peer, checked in zip(peers, found, strict=True):
        if checked.differs:
            checked.difference = explained_difference(
                design, checked, (peer, parts), (options, limits)
            )
            told.files[checked.peer] = _kept(spec, checked, asking)
    return told


def _kept(spec: Spec, checked: Crosschecked, asking: PeersAsked) -> str:
    """Keep the model of a difference, and return the path of its folder."""
    stem = slug(Path(spec.path or spec.family.name).stem)
    folder = Path(asking.out) / stem / f"{slug(checked.variant)}.{checked.peer}"
    for name, text in checked.difference.files.items() if checked.difference else ():
        write(folder / name, text.encode())
    return str(folder)


def _exit_code(specs: Sequence[CheckedSpec]) -> int:
    """Return 2 for a model that goes wrong, 1 for a difference, 3 where nobody agrees, else 0."""
    variants = [variant.peers for spec in specs for variant in spec.variants]
    if any(one.wrong and one.agrees for peers in variants for one in peers):
        return 2
    if any(one.differs for peers in variants for one in peers):
        return 1
    return 0 if variants and all(any(one.agrees for one in peers) for peers in variants) else 3
