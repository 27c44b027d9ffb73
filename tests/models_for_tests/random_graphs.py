"""Small models made up by chance whose behaviour is a finite graph, with properties of every kind.

``graph_model(seed)`` returns a model's text and its bounds. Actions walk over numbered nodes by
tables; they have parameters over every sort of domain (whole numbers that start anywhere, names,
truths, indices, the records of a bag), declare fairness in every way, and some are interference.
``names`` gives everything other names and changes nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from tests.models_for_tests import HEADER

NODES = 6
PARAMETERS = (
    ("Int(0, 1)", "{p}"),
    ("Int(1, 2)", "({p} - 1)"),
    ("Int(-1, 0)", "({p} + 1)"),
    ('Enum("up", "down")', "(1 if {p} == 'up' else 0)"),
    ("Bool()", "(1 if {p} else 0)"),
    ('Index("ways")', "{p}"),
    ('Each("bag", "kind")', "{p}.kind"),
    ('Each("bag", "kind", "size")', "(({p}.kind + {p}.size) % 2)"),
    ('Each("bag")', "({p}.size % 2)"),
)
PLAIN = ("one", "two", "noise", "step", "n", "go")
OTHERS = ("zoe", "abe", "weather", "job", "place", "walk (again)")


class Event(NamedTuple):
    """An event: its name, the number that its parameter is, its domain if fairness knows it."""

    name: str
    way: str
    apart: str


def _set(chance: random.Random, least: int = 0) -> tuple[int, ...]:
    return tuple(sorted(chance.sample(range(NODES), chance.randint(least, NODES - 1))))


def _among(chance: random.Random, view: str, node: str, value: str = "") -> str:
    """Return that a node is one of some, of others for another value of a parameter."""
    said = f"{view}.{node} in {(*_set(chance), NODES)}"
    if value:
        said = f"({said} if {value} == 1 else {view}.{node} in {(*_set(chance), NODES)})"
    return said


def _table(chance: random.Random) -> tuple[int, ...]:
    share = chance.choice((0.25, 0.5, 0.8))
    return tuple(
        chance.randrange(NODES) if chance.random() < share else -1 for _ in range(2 * NODES)
    )


def _fair_by(chance: random.Random, domain: str, name: str) -> str:
    """Return by what an action's fairness is told apart, as text behind its other arguments."""
    if '"bag")' in domain:
        return chance.choice(("", ", fair_by=()"))
    seen = ("kind",) if "Each" in domain else (name,)
    return chance.choice(("", ", fair_by=()", f", fair_by={seen!r}"))


def _action(chance: random.Random, number: int, names: Sequence[str]) -> tuple[str, Event]:
    """Return the text of an action, and its event's name with the number that its parameter is."""
    actor, node = names[chance.choice((0, 0, 1, 1, 2))], names[4]
    param, verb = names[3], f"{names[5]}{number}"
    domain, way = chance.choice(PARAMETERS)
    way, table = way.format(p=param), f"TABLE{number}"
    moved = f"{table}[2 * s.{node} + {way}]"
    first, fair = f'"faults", name="{verb}"', ""
    if actor != names[2]:
        first, fair = f'name="{verb}"', _fair_by(chance, domain, param)
    kind = "interference" if actor == names[2] else "action"
    if kind == "action":
        first += chance.choice(("", "", "", ', fair="strong"', ', fair="strong"', ', fair="none"'))
    lines = [f"    s.{node} = {moved}"]
    effect = chance.choice(("none", "none", "flip", "take", "put"))
    if effect == "flip":
        lines.append("    s.flag = not s.flag")
    elif effect == "take" and "Each" in domain:
        lines.append(f"    s.bag.remove({param})")
    elif effect == "put":
        put = f"M(kind={chance.randrange(2)}, size={chance.randint(-1, 0)})"
        lines.append(f"    if len(s.bag) < 2:\n        s.bag.add({put})")
    guard = f"{moved} >= 0" + chance.choice(("", "", " and s.flag"))
    text = f"{table} = {_table(chance)}\n\n\n"
    text += f"@{actor}.{kind}({first}{fair}, {param}={domain}, when=lambda s, {param}: {guard})\n"
    text += f'def act{number}(s, {param}):\n    """Walk on."""\n' + "\n".join(lines) + "\n"
    apart = domain if fair == f", fair_by={(param,)!r}" else ""
    if "Index" in domain and not fair and actor != names[2]:
        apart = domain
    return text, Event(f"{actor}.{verb}", way, apart)


def _property(
    chance: random.Random, kind: str, number: int, names: Sequence[str], events: Sequence[Event]
) -> str:
    node, inside = names[4], list[str]()
    each = chance.choice(("", "", 'v=Index("ways")', "v=Int(0, 1)"))
    v, more = ("v", ", v") if each else ("", "")
    shared = [event for event in events if event.apart]
    if kind == "recurrence" and shared and chance.random() < 0.5:
        events = [chance.choice(shared)]
        each, v, more = f"{names[3]}={events[0].apart}", events[0].way, f", {names[3]}"
    trigger = f"trigger=lambda s: {_among(chance, 's', node)}"
    if v and chance.random() < 0.5:
        trigger = f"trigger=lambda s{more}: {_among(chance, 's', node, v)}"
    if chance.random() < 0.1:  # no state is there
        trigger = f"trigger=lambda s: s.{node} == {NODES}"
    maybe = [trigger] if chance.random() < 0.4 else []
    args, truth = f"s{more}", _among(chance, "s", node, v)
    chosen = chance.sample(list(events), chance.randint(1, len(events)))
    some = [repr(event.name) for event in chosen]
    if kind == "recurrence":
        inside = some
    elif kind == "leads_to":
        maybe = [trigger.removeprefix("trigger=")]
    elif kind == "transition":
        inside, args = [e for e in some if chance.random() < 0.7], f"before, after{more}"
        truth = f"{_among(chance, 'before', node, v)} or {_among(chance, 'after', node)}"
        two = f"trigger=lambda before, after: {_among(chance, 'after', node)}"
        on = f"trigger_on={tuple(chance.sample([e.name for e in events], chance.randint(0, 1)))!r}"
        if chance.random() < 0.5:  # one event, whose argument is asked for
            event, args = chance.choice(events), f"before, after, {names[3]}{more}"
            inside, truth = [repr(event.name)], f"{truth} or {event.way} == {v or '1'}"
            two, on = f"trigger=lambda before, after, {names[3]}: {event.way} == 0", two
            maybe = chance.choice((maybe, [two], [on], []))
        else:
            maybe = chance.choice((maybe, [two], [two, on], []))
    head = f"@model.{kind}({', '.join([*inside, *maybe, *([each] if each else [])])})"
    return f'\n\n{head}\ndef {kind}{number}({args}):\n    """Said."""\n    return {truth}\n'


def _start(chance: random.Random, node: str) -> str:
    """Return, for one model in three, what gives it several initial states."""
    if chance.random() > 1 / 3:
        return ""
    head = f"@model.initial(up=Bool(), start=Int(0, {NODES - 1}), when=lambda s, up, start: "
    head += f"start in {(*_set(chance, 1), NODES)} and (up or start % 2 == 0 or start == 5))\n"
    body = f'    """Begin."""\n    s.{node} = start\n    s.flag = up != s.flag\n'
    return f"\n\n{head}def begin(s, up, start):\n{body}"


KINDS = ("invariant", "transition", "deadlock", "possibility", "liveness", "leads_to", "recurrence")


def graph_model(seed: int, names: Sequence[str] = PLAIN) -> tuple[str, dict[str, int]]:
    """Return the text of a model, and bounds for it."""
    chance = random.Random(seed)
    node, start = names[4], chance.randrange(NODES)
    text = HEADER + 'model = Model("chance", "A graph made up by chance")\n'
    text += 'model.budget("faults", "what goes wrong")\nmodel.bound("ways", 2, "ways to go")\n'
    text += 'M = Record("M", kind=Index("ways"), size=Int(-1, 1))\n'
    text += f'model.variable("{node}", Int(0, {NODES}), {start})\n'
    text += 'model.variable("flag", Bool(), True)\n'
    text += 'model.variable("bag", Bag(M, 3), lambda k: (M(kind=0, size=0), M(kind=1, size=1)))\n'
    for actor in names[:2]:
        text += f'{actor} = model.actor("{actor}")\n'
    text += f'{names[2]} = model.actor("{names[2]}", "interference")\n'
    text += _start(random.Random(~seed), node)
    events: list[Event] = []
    for number in range(chance.randint(2, 5)):
        action, event = _action(chance, number, names)
        text, events = f"{text}\n\n{action}", [*events, event]
    for kind in KINDS:
        for number in range(chance.randint(1, 2)):
            text += _property(chance, kind, number, names, events)
    return text, {"faults": chance.randint(0, 2)}
