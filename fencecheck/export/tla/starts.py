"""Write where a model begins: values, or what its functions make of them for each choice."""

from __future__ import annotations

from typing import Any

from fencecheck.export.tla.events import _inside, over, truth_of
from fencecheck.export.tla.functions.calls import Body
from fencecheck.export.tla.functions.endings import at_ends
from fencecheck.export.tla.functions.tidying import tidy
from fencecheck.export.tla.parameters import Parameters
from fencecheck.export.tla.script import Script
from fencecheck.export.tla.states import StateView
from fencecheck.export.tla.syntax.building import both, calling, letting
from fencecheck.export.tla.syntax.trees import Fields, Infix, Let, Tree, Word
from fencecheck.model.initials import initial_value
from fencecheck.model.system import System


def beginning(script: Script) -> Tree:
    """Return what is true of the variables at first."""
    system = script.system
    if len(system.initials) == 1:
        pairs = zip(system.names, system.initial, strict=True)
        return both(
            *(
                Infix("=", (Word(script.variable_names[n]), script.constant(v, script.domains[n])))
                for n, v in pairs
                if n not in script.constants
            )
        )
    return _of_starts(script)


def _of_starts(script: Script) -> Tree:
    body = Body(script, changes=True)
    declared = Fields(
        tuple(
            (script.variable_names[n], script.constant(v, script.domains[n]))
            for n, v in declared_values(script.system).items()
            if n not in script.constants
        )
    )
    body.used.add("s")
    view = body.state = StateView(script, Word, Word("s"), body.step)
    view.set_base(Word("s"))
    tree = _next_start(script, body, list(script.system.family.declared.starts))
    return tidy(letting([("s", (), declared)], tree))


def _next_start(script: Script, body: Body, starts: list[Any]) -> Tree:
    """Return what is true at first, from the state that the functions before have set up."""
    view = body.state
    assert view is not None
    if not starts:
        return calling("Begin", view.now())
    start, *rest = starts
    sizes = script.system.capacity.sizes
    own = Parameters()
    for wanted, param in start.params.items():
        own.add(body, wanted, param.resolve(sizes))
    args = [view, *own.given.values()]
    allowed = [] if start.guard is None else [truth_of(body, start.guard, args)]

    def write() -> Tree:
        tree = body.scoped(lambda: _inside(body, start.function, args))
        after = at_ends(tree, lambda e: e.state)
        names, after = (after.names, after.body) if isinstance(after, Let) else ((), after)
        body.lets += names
        view.set_base(after if after == view.whole else body.step(after))
        return _next_start(script, body, rest)

    return over(own.ranges, both(*allowed, body.scoped(write)), "\\E")


def declared_values(system: System) -> dict[str, Any]:
    """Return the values that the variables are declared with."""
    pairs = zip(system.variables, system.domains, strict=True)
    return {v.name: initial_value(system.family.name, v, d, system.sizes) for v, d in pairs}


def written_by_starts(system: System) -> set[str]:
    """Return the variables that the functions which set up initial states may change."""
    script = Script(system, {})
    _of_starts(script)
    return script.written
