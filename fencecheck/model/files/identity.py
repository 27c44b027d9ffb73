"""What a model is, as a digest of what it was lowered to: not of the files that it came from.

Two models with equal digests have the same states, the same events and the same verdicts. Helpers
in other modules, data files and the environment are covered, since what came of them is; words
that people see are not.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from fencecheck.model.domains import shape_of
from fencecheck.model.family import Family
from fencecheck.model.files.kept import digest_of_texts, keep_entry, kept_entry
from fencecheck.model.lower.dag import Node, nodes_of
from fencecheck.model.lower.lowered import Case, Lowered
from fencecheck.model.system import System
from fencecheck.model.time_limit import TimeUp, hurried, time_to_load

_DIGEST = re.compile("[0-9a-f]{64}")


def model_hash(family: Family) -> str:
    """Return what a model is, in 16 digits: the digest of what it is lowered to by default.

    A family with questions added has the hash of the family itself.
    """
    whole = family.whole
    if not whole.digest:
        whole.digest = _kept_digest(System(whole, whole.default_design()))[:16]
    return whole.digest


def _kept_digest(system: System) -> str:
    """Return the digest of a model with one design, which is kept beside what it is lowered to."""
    if not system.lowered.name:
        return digest_of(system)
    made_of = digest_of_texts([system.lowered.name, *map(repr, _declared(system))])
    kept = (kept_entry(f"{made_of}.hash") or b"").decode(errors="replace")
    if not _DIGEST.fullmatch(kept):
        kept = digest_of(system)
        keep_entry(f"{made_of}.hash", kept.encode())
    return kept


def hash_in_time(family: Family, seconds: float | None) -> str:
    """Return the hash of a model; nothing where lowering it takes longer than it may.

    That is a moment where there is a limit on time, as the model was asked before.
    """
    with suppress(TimeUp), hurried(seconds), time_to_load():
        return model_hash(family)
    return ""


def digest_of(system: System) -> str:
    """Return the digest of a model with one design: 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for line in (*_declared(system), *_lowered(system.lowered)):
        digest.update(repr(line).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _declared(system: System) -> Iterable[Any]:
    declared = system.family.declared
    yield system.family.name
    for variable, domain, value in zip(
        system.variables, system.domains, system.initial, strict=True
    ):
        yield variable.name, variable.ghost, shape_of(domain), _plain(value)
    if declared.starts:
        yield [_plain(state) for state in system.initials]
    yield [(m.name, m.values, m.default) for m in declared.mechanisms]
    yield [(b.name, b.default, b.least, b.budget) for b in declared.bounds]
    yield [(a.name, list(a.params), a.budget) for a in declared.actions]
    yield sorted(system.family.fairness.items())
    if strengths := system.family.strengths:
        yield sorted(strengths.items())
    yield [
        (p.name, p.kind, p.events, getattr(p, "trigger_on", None))
        for p in system.lowered.properties
    ]


def _plain(value: Any) -> Any:
    """Return a value at rest without the types of its records."""
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _lowered(lowered: Lowered) -> Iterable[Any]:
    roots: list[Node] = []
    for case in lowered.cases:
        roots += [*_of_case(case), *case.writes.values()]
    forms = [form.nodes() for form in (*lowered.forms, *([lowered.goal] if lowered.goal else []))]
    forms += [
        form.nodes()
        for prop, instances, of_cases in zip(
            lowered.properties, lowered.instances, lowered.of_cases, strict=True
        )
        for form in (*(instances if prop.params else ()), *of_cases.values())
    ]
    kept = lowered.representative or {}
    roots += [*(node for nodes in forms for node in nodes), *kept.values()]
    number_of: dict[int, int] = {}
    for node in sorted(nodes_of(roots), key=lambda node: node.number):
        number_of[node.number] = len(number_of)
        args = [number_of[a.number] for a in node.args]
        yield node.op, args, node.extra, node.low, node.high, node.truth
    for case in lowered.cases:
        writes = sorted((field, number_of[node.number]) for field, node in case.writes.items())
        yield case.action, [number_of[node.number] for node in _of_case(case)], writes
    yield [[number_of[node.number] for node in nodes] for nodes in forms]
    if kept:
        yield [(field, number_of[node.number]) for field, node in kept.items()]


def _of_case(case: Case) -> tuple[Node, ...]:
    return case.enabled, case.guard_error, case.effect_error, case.fair, *case.held.values()
