"""What comes after an event: whether everything fits, and what is put away."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from typing import Any

from fencecheck.export.tla.functions.calls import Body, Operator
from fencecheck.export.tla.functions.tidying import tidy
from fencecheck.export.tla.states import StateView
from fencecheck.export.tla.syntax.building import both, calling, number
from fencecheck.export.tla.syntax.trees import (
    At,
    Binding,
    Infix,
    Tree,
    Word,
)
from fencecheck.export.tla.values import KnownValue, Term
from fencecheck.model.domains import Array, Bag, Seq, parts_of

_FEW_WAYS = 3


def room(script: Any) -> Tree:
    """Return that whatever a bound holds back fits into its container."""
    found = []
    for name, domain in script.domains.items():
        if name not in script.constants and _held_back(domain):
            found.append(_fits(script, Word(script.variable_names[name]), domain))
    return both(*found)


def _held_back(domain: Any) -> bool:
    """Tell whether a bound holds back what would not fit into a container."""
    return any(getattr(part, "holds_back", "") for part in parts_of(domain))


def _fits(script: Any, held: Tree, domain: Any) -> Tree:
    """Return that what a container holds fits, or what each of an array of them does."""
    if isinstance(domain, Array):
        name = script.names.free("i", ())
        inner = _fits(script, At(held, Word(name)), domain.element)
        return Binding("\\A", name, script.places(domain), inner)
    many = (
        "Len"
        if isinstance(domain, Seq)
        else ("BagCardinality" if isinstance(domain, Bag) else "Cardinality")
    )
    return Infix("<=", (calling(many, held), number(domain.capacity)))


def filled_and_emptied(script: Any, steps: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return containers that an event empties after it filled them, where a bound holds back."""
    filled: set[str] = set()
    found: dict[str, None] = {}
    for what, name in steps:
        if what == "put":
            filled.add(name)
        elif name in filled and _held_back(script.domains[name]):
            found[name] = None
    return tuple(found)


def _cleans(script: Any) -> bool:
    return any(f.always for f in script.system.family.declared.forgets)


def cleaned(script: Any, after: Tree) -> Tree:
    """Return a state after the clean-ups of the model."""
    if not _cleans(script):
        return after
    if "clean" not in script.operators:
        script.operators["clean"] = _clean_up(script)
    operator = script.operators["clean"]
    script.written |= operator.written
    return after if operator.tree == Word("s") else calling(operator.name, after)


def _clean_up(script: Any) -> Any:
    """Return the clean-ups of a model as one operator."""
    body = Body(script, changes=True)
    body.used.add("s")
    state = body.state = StateView(script, Word, Word("s"), body.step)
    state.set_base(Word("s"))
    written, script.written = script.written, set()

    def write() -> Tree:
        for forgetting in script.system.family.declared.forgets:
            if forgetting.always:
                _put_away(script, body, forgetting)
        return state.now()

    tree = tidy(body.scoped(write))
    found = Operator(
        script.names.give("CleanUp"), ("s",), (0,), tree,
        "What nobody can ask for any more is put away after every event.", None,
        True, False, frozenset(script.written), (), False,
    )  # fmt: skip
    script.written |= written
    return found


def _put_away(script: Any, body: Body, forgetting: Any) -> None:
    sizes = script.system.capacity.sizes
    domains = {n: p.resolve(sizes) for n, p in forgetting.params.items()}
    choices = script.all_choices(domains)
    function, state = inspect.unwrap(forgetting.function), body.state
    assert state is not None
    if len(domains) != 1 or len(choices) <= _FEW_WAYS or not _numbers(choices):
        for chosen in choices:
            given = [KnownValue(v, domains[n]) for n, v in chosen.items()]
            body.call(function, [state, *given], {}, ast.Pass())
        return
    ((wanted, domain),) = domains.items()
    base = state.settle()
    so_far, item = (script.names.free(n, body.used) for n in ("t", wanted))
    body.used |= {so_far, item}

    def turn() -> Tree:
        state.set_base(Word(so_far))
        body.call(function, [state, Term(Word(item), domain)], {}, ast.Pass())
        return state.now()

    tree = body.scoped(turn)
    if tree == Word(so_far):
        state.set_base(base)
        return
    name = body.let("turn", tree, (so_far, item))
    ends = (number(domain.value(0)), number(domain.value(domain.count - 1)))
    state.set_base(body.step(script.helper("FoldRange", name, base, *ends)))


def _numbers(choices: Sequence[dict[str, Any]]) -> bool:
    return all(type(v) is int for chosen in choices for v in chosen.values())
