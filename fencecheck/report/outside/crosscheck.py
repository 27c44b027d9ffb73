"""What other checkers say beside us, as text and as JSON of schema fencecheck/crosscheck/1.

In: for each spec its variants with what came out for each peer. Out: text. Agreement is said of
what was compared, and what was not is named beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fencecheck.analysis.crosscheck.crosscheck import ComparedRow, Crosschecked
from fencecheck.export.head import Head
from fencecheck.report.words.columns import Paint, plain
from fencecheck.report.words.orders import wrapped
from fencecheck.report.words.outcomes import count
from fencecheck.report.words.visible import json_text
from fencecheck.version import __version__

SCHEMA = "fencecheck/crosscheck/1"


@dataclass
class CheckedVariant:
    """One variant with what was asked of each peer; ``files`` has the paths of what was kept."""

    head: Head
    peers: list[Crosschecked]
    files: dict[str, str] = field(default_factory=dict)


@dataclass
class CheckedSpec:
    """One spec with its variants."""

    path: str
    title: str
    variants: list[CheckedVariant]


def peer_verdict(checked: Crosschecked) -> str:
    """Return ``agrees``, ``differs`` or ``undetermined``: nothing that was not compared agrees."""
    if checked.differs:
        return "differs"
    return "agrees" if checked.agrees else "undetermined"


def spec_lines(spec: CheckedSpec, width: int = 100, paint: Paint = plain) -> Iterator[str]:
    """Yield what came out for a spec, variant by variant."""
    yield spec.path or spec.title
    for variant in spec.variants:
        yield f"  {variant.head.variant}"
        for checked in variant.peers:
            yield from _peer_lines(checked, variant.files.get(checked.peer, ""), width, paint)
    yield from _not_compared([one for variant in spec.variants for one in variant.peers], width)


def _peer_lines(checked: Crosschecked, files: str, width: int, paint: Paint) -> Iterator[str]:
    verdict = peer_verdict(checked)
    tone = {"agrees": "holds", "differs": "violated"}.get(verdict, "undetermined")
    name = f"    {checked.peer} {checked.version}: "
    what = checked.undetermined or _agreed(checked.rows)
    told = f"{verdict}: {what}" if what else verdict
    first, *more = wrapped(told, width - len(name), "", "")
    yield name + first.replace(verdict, paint(tone, verdict), 1)
    yield from (f"{' ' * len(name)}{line}" for line in more)
    for row in checked.rows:
        if not row.agrees:
            yield f"      {_named(row)}: ours {_said(row.ours)}, theirs {_said(row.theirs)}"
    if checked.difference is not None:
        bounds = ", ".join(f"{n} = {value}" for n, value in checked.difference.bounds.items())
        yield f"      still so at {bounds}"
        yield from (f"      {line}" for line in checked.difference.told)
    if files:
        yield f"      its files: {files}"


def _not_compared(answers: Sequence[Crosschecked], width: int) -> Iterator[str]:
    """Yield, for each peer, the properties that it could not be asked, and why."""
    by_peer: dict[str, dict[str, list[str]]] = {}
    for checked in answers:
        reasons = by_peer.setdefault(checked.peer, {})
        for name, reason in checked.not_compared.items():
            names = reasons.setdefault(reason, [])
            names += [] if name in names else [name]
    for peer, reasons in by_peer.items():
        told = "; ".join(f"{', '.join(names)} ({reason})" for reason, names in reasons.items())
        if told:
            yield from wrapped(f"not compared with {peer}: {told}", width, "  ", "    ")


def _agreed(rows: Sequence[ComparedRow]) -> str:
    """Return what agrees, in few words: counts as they are, verdicts by their number."""
    counts = [row for row in rows if row.agrees and row.aspect == row.thing]
    told = [
        f"depth {row.ours}" if row.thing == "depth" else f"{_said(row.ours)} {row.thing}"
        for row in counts
    ]
    words = {"verdict": "verdict", "events": "length", "tested": "situation"}
    for aspect, word in words.items():
        number = sum(row.agrees and row.aspect == aspect for row in rows)
        told += [f"{number} {word}{'s' * (number != 1)}"] if number else []
    return ", ".join(told)


def _named(row: ComparedRow) -> str:
    aspects = {"events": ", events", "tested": ", ever put to the test"}
    return f"{row.thing}{aspects.get(row.aspect, '')}"


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def totals_text(specs: Sequence[CheckedSpec], seconds: float) -> str:
    """Return how many variants there were, and how many answers are what."""
    variants = [variant for spec in specs for variant in spec.variants]
    verdicts = [peer_verdict(checked) for variant in variants for checked in variant.peers]
    words = {"agrees": "agree", "differs": "differ", "undetermined": "undetermined"}
    told = [f"{verdicts.count(v)} {word}" for v, word in words.items() if v in verdicts]
    return f"{count(len(variants), 'variant')}; answers: {', '.join(told)} ({seconds:.0f} s)"


def crosscheck_json(specs: Sequence[CheckedSpec]) -> str:
    """Return everything as JSON."""
    document = {
        "schema": SCHEMA,
        "fencecheck": __version__,
        "specs": [_spec_json(spec) for spec in specs],
    }
    return json_text(document)


def _spec_json(spec: CheckedSpec) -> dict[str, Any]:
    return {
        "spec": spec.path,
        "title": spec.title,
        "variants": [_variant_json(variant) for variant in spec.variants],
    }


def _variant_json(variant: CheckedVariant) -> dict[str, Any]:
    head = variant.head
    return {
        "name": head.variant,
        "model": head.model,
        "model_hash": head.model_hash,
        "mechanisms": dict(head.mechanisms),
        "bounds": dict(head.bounds),
        "peers": [_peer_json(one, variant.files.get(one.peer)) for one in variant.peers],
    }


def _peer_json(checked: Crosschecked, files: str | None) -> dict[str, Any]:
    rows = [
        {
            "part": row.part, "thing": row.thing, "aspect": row.aspect,
            "ours": row.ours, "theirs": row.theirs, "agrees": row.agrees,
        }
        for row in checked.rows
    ]  # fmt: skip
    difference = checked.difference
    return {
        "peer": checked.peer,
        "version": checked.version,
        "verdict": peer_verdict(checked),
        "reason": checked.undetermined or None,
        "compared": rows,
        "not_compared": dict(checked.not_compared),
        "difference": difference
        and {"bounds": difference.bounds, "told": list(difference.told), "files": files},
    }
