"""Hold what another checker says of a design against what we say: counts, verdicts, lengths.

Takes variants of specs and the peers to ask; gives, for each variant and peer, a row for each
thing that was compared, and by name what was not. Where a peer fails or stops early nothing is
compared: that is undetermined, in its own words, and never agreement.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fencecheck.analysis.crosscheck.exported import ExportedDesign
from fencecheck.analysis.crosscheck.peer import NO_LIMITS, Installed, Peer, PeerAnswer, PeerLimits
from fencecheck.analysis.crosscheck.rumur import Rumur
from fencecheck.analysis.crosscheck.spin import Spin
from fencecheck.analysis.crosscheck.tlc import Tlc
from fencecheck.errors import check_names
from fencecheck.export.head import Answers
from fencecheck.model.property import Property

TLC = Tlc()
PEERS: tuple[Peer, ...] = (Rumur(), Spin(), TLC)
COUNTS, PROPERTIES = "counts", "properties"
PARTS = (COUNTS, PROPERTIES)
THINGS = ("states", "transitions", "depth")  # what is counted


@dataclass(frozen=True)
class ComparedRow:
    """One thing that was compared: ``part`` of what, ``thing``, both answers.

    ``thing`` is ``states``, ``transitions``, ``depth``, or the name of a property, of which
    ``aspect`` is ``verdict``, ``events`` or ``tested``.
    """

    part: str
    thing: str
    aspect: str
    ours: str | int | bool
    theirs: str | int | bool

    @property
    def agrees(self) -> bool:
        """Tell whether both say the same."""
        return self.ours == self.theirs


@dataclass(frozen=True)
class FoundDifference:
    """Where two checkers differ first: at the smallest ``bounds`` at which they still do.

    ``told`` says in lines what only one of them has; ``files`` are the model there, by name.
    """

    bounds: dict[str, object]
    told: tuple[str, ...]
    files: dict[str, str]


@dataclass
class Crosschecked:
    """What came out for one variant and one peer.

    ``not_compared`` has by name what the peer cannot be asked, and why. ``undetermined`` says why
    there is no answer: of us, or of the peer in its own words.
    ``wrong`` says that our model goes wrong.
    """

    variant: str
    peer: str
    version: str
    rows: list[ComparedRow] = field(default_factory=list)
    not_compared: dict[str, str] = field(default_factory=dict)
    undetermined: str = ""
    difference: FoundDifference | None = None
    wrong: bool = False

    @property
    def differs(self) -> bool:
        """Tell whether anything does not agree."""
        return any(not row.agrees for row in self.rows)

    @property
    def agrees(self) -> bool:
        """Tell whether there is something that agrees, and nothing that does not."""
        return bool(self.rows) and not self.differs and not self.undetermined


def chosen_peers(
    names: Sequence[str] | None,
) -> tuple[list[tuple[Peer, Installed]], dict[str, str]]:
    """Return the peers that are there, of those named, and of the others what to install for each.

    Raises UsageError for one unknown.
    """
    check_names("--with {}:", names or (), [peer.name for peer in PEERS])
    there, missing = list[tuple[Peer, Installed]](), dict[str, str]()
    for peer in PEERS:
        if names is not None and peer.name not in names:
            continue
        found = peer.installed()
        if found is None:
            missing[peer.name] = peer.missing()
        else:
            there.append((peer, found))
    return there, missing


def crosscheck_design(
    design: ExportedDesign,
    peer: tuple[Peer, Installed],
    parts: Sequence[str] = PARTS,
    limits: PeerLimits = NO_LIMITS,
) -> Crosschecked:
    """Ask a peer about a design and compare."""
    asked, found = peer
    result = Crosschecked(design.head.variant, asked.name, found.version)
    properties = design.system.properties(design.names)
    things = [(thing, thing) for thing in THINGS if COUNTS in parts]
    things += [(prop.name, prop.kind) for prop in properties if PROPERTIES in parts]
    result.not_compared = {n: asked.cannot[kind] for n, kind in things if kind in asked.cannot}
    ours = design.answers_in(asked.language)
    if ours.states is None and not ours.fault:
        result.undetermined = "our own search was not complete"
        if design.answers.states is not None:
            result.undetermined = "no state stands for others there, and there are too many"
        return result
    whole = design if PROPERTIES in parts else replace(design, names=[])
    theirs = ask_peer(whole, asked, limits)
    if theirs.failed:
        result.undetermined = theirs.failed
    elif ours.fault or theirs.wrong:
        words = ("it goes wrong", "it goes right")
        said = [words[not wrong] for wrong in (ours.fault, theirs.wrong)]
        result.wrong = bool(ours.fault)
        result.rows = [ComparedRow(COUNTS, "the model", "verdict", said[0], said[1])]
    else:
        if PROPERTIES in parts:
            result.not_compared |= theirs.not_asked
        comparable = [
            prop
            for prop in properties
            if prop.kind not in asked.cannot and prop.name not in theirs.not_asked
        ]
        rows = [*_counts(ours, theirs), *_verdicts(design, comparable, theirs)]
        result.rows = [row for row in rows if row.part in parts]
    return result


def ask_peer(design: ExportedDesign, peer: Peer, limits: PeerLimits) -> PeerAnswer:
    """Return what a peer says of a design, whose files stand in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="fencecheck-") as scratch:
        for name, text in design.files(peer.language).items():
            (Path(scratch) / name).write_text(text)
        return peer.ask(design, Path(scratch), limits)


def _counts(ours: Answers, theirs: PeerAnswer) -> Iterator[ComparedRow]:
    for thing in THINGS:
        said, found = getattr(ours, thing), getattr(theirs, thing)
        if said is not None and found is not None:
            yield ComparedRow(COUNTS, thing, thing, said, found)


def _verdicts(
    design: ExportedDesign, properties: Sequence[Property], theirs: PeerAnswer
) -> Iterator[ComparedRow]:
    ours = design.answers
    for prop in properties:
        name = prop.name
        said = "violated" if prop.name in ours.lengths else "holds"
        found = "violated" if name in theirs.broken else "holds"
        yield ComparedRow(PROPERTIES, prop.name, "verdict", said, found)
        length, their_length = ours.lengths.get(prop.name), theirs.broken.get(name)
        if length is not None and their_length is not None:
            yield ComparedRow(PROPERTIES, prop.name, "events", length, their_length)
        says_tests = prop.trigger is not None or not prop.of_states
        if theirs.tested is not None and said == found == "holds" and says_tests:
            tested = prop.name not in design.untested
            yield ComparedRow(PROPERTIES, prop.name, "tested", tested, name in theirs.tested)
