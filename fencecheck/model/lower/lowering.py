"""Lower a model to the intermediate form, checking that it stays within the subset.

Takes resolved variables and a family's functions; gives, for every way an action can happen, its
condition and the new value of each field, and for every property its truth, all as nodes of one
graph. Raises ModelError with file and line for what is outside the subset or reads a ghost where
no ghost may be read. Runs nothing.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fencecheck.model.checks.ways import check_ways
from fencecheck.model.declare import Action, Constraint, Each, Forgetting, Start, conditions
from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.declaring.assertions import Assertions
from fencecheck.model.declaring.instances import choices_of
from fencecheck.model.domains import Bag, Bool, Domain, Enum, Int, Left, Record, Scalar, Set, Subset
from fencecheck.model.fair import fair_arguments
from fencecheck.model.family import Family
from fencecheck.model.lower.alike.in_range import out_of_range
from fencecheck.model.lower.alike.representative import representative
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.layout import CHUNK, Layout, chunks_of, slot_of, span
from fencecheck.model.lower.lowered import Case, Changes, Form, Lowered, StartWay, form_of_all
from fencecheck.model.lower.statements import Statements
from fencecheck.model.lower.symbols import Items, Missing, Num, Rec, Vector, View
from fencecheck.model.mistakes.depth import not_too_deep, room_to_recur
from fencecheck.model.mistakes.gathering import apart, times_wrong
from fencecheck.model.ordinary import place_of
from fencecheck.model.property import Function, Property, names_taken
from fencecheck.model.time_limit import check_time


class _Lowering(Statements):
    """Lowers the functions of one family with its sizes resolved."""

    def start(self) -> None:
        """Forget the state of the function lowered before."""
        self.env, self.frames, self.errors = {}, [], []
        self.path, self.refilled, self.renewed = self.dag.true, set(), set()
        self.in_place, self.reach, self.asserted = set(), {}, None
        self.held, self.no_room = {}, None
        self.control = frozenset()

    def took_errors(self) -> Node:
        """Return the condition under which what was lowered since ``start`` goes wrong."""
        return self.dag.any_of(self.errors)

    def truth(self, function: Any, args: list[Any], params: tuple[str, ...] | None) -> Num:
        """Lower a function that must return true or false."""
        value = self.call(function, args, params)
        if isinstance(value, Num) and value.kind == "bool":
            return value
        from fencecheck.model.lower.source import source_of

        source = source_of(function)
        self.frames.append(self.new_frame(source))
        last, instead = source.body[-1], "return a comparison"
        if isinstance(value, Missing):
            instead = f"{instead} on every path"
            last = ast.Pass(lineno=source.line) if isinstance(last, ast.Expr) else last
        self.fail("it does not return true or false", instead, last)

    def ways(self, action: Action | Start | Forgetting) -> list[tuple[Node, list[Any]]]:
        """Return (present, arguments) for each way the parameters can be chosen."""
        ranges = [
            self.variables[p.variable][0] if isinstance(p, Each) else p.resolve(self.sizes)
            for p in action.params.values()
        ]
        function = action.effect if isinstance(action, Action) else action.function
        name = action.name if isinstance(action, Action) else function.__name__
        check_ways(ranges, f"{place_of(function)}{name}")
        choices = [self._choices(param) for param in action.params.values()]
        found = []
        for combination in itertools.product(*choices):
            check_time()
            present = self.dag.all_of(there for there, _ in combination)
            if present is not self.dag.false:
                found.append((present, [value for _, value in combination]))
        return found

    def _choices(self, param: Any) -> list[tuple[Node, Any]]:
        if isinstance(param, Each):
            return self._elements(param)
        domain = param.resolve(self.sizes)
        found = []
        for rank in range(domain.count):
            check_time()
            found.append((self.dag.true, self._chosen(domain, domain.value(rank))))
        return found

    def _chosen(self, domain: Any, value: Any) -> Any:
        """Return a value of a parameter; a subset is a list of its members."""
        if not isinstance(domain, Subset):
            return self.constant_of(domain, domain.rank(value))
        element: Any = domain.element
        return Items(
            tuple((self.dag.true, self.constant_of(element, element.rank(v))) for v in value)
        )

    sizes: Any = None

    def __init__(self, *what: Any) -> None:
        super().__init__(*what)
        self.arguments: list[dict[str, Any]] = []  # of each case, by the names of parameters
        self.failed: list[Node] = []  # of each case, where an assertion fails

    def _elements(self, param: Each) -> list[tuple[Node, Any]]:
        domain, _ = self.variables[param.variable]
        place = self.place_of(param.variable)
        if isinstance(domain, Set):
            return self._members(place)
        assert isinstance(domain, Bag)
        slots, empty = self.slots(place), self.dag.const(slot_of(domain.element).empty)
        found = []
        for i, slot in enumerate(slots):
            there = self.dag.negate(self.dag.equal(slot, empty))
            if i:
                again = self.dag.equal(slot, slots[i - 1])
                there = self.dag.both(there, self.dag.negate(again))
            found.append((there, self.unpack(place, slot)))
        return found

    def ranged_over(self, name: str, param: Any) -> Any:
        """Return the domain of a parameter, or of the elements over which an Each ranges."""
        if isinstance(param, Each):
            domain: Any = self.variables[param.variable][0]
            return domain.element
        return param.resolve(self.sizes)

    def place_of(self, name: str) -> Any:
        """Return the variable ``name`` of the state before."""
        from fencecheck.model.lower.symbols import Place

        domain, ghost = self.variables[name]
        return Place(View(0), domain, ((self.dag.true, name),), ghost=ghost, name=name)


def lower(
    family: Family,
    variables: list[tuple[str, Domain, bool]],
    sizes: Any,
    totals: Mapping[str, HowMany],
) -> Lowered:
    """Lower ``family`` with ``variables`` (name, resolved domain, ghost) and bounds ``sizes``.

    ``totals`` are the budgets of the run, which ``s.NAME_used`` is reckoned from.
    """
    layout = Layout(variables)
    constants: dict[str, Any] = {m.name: Enum(*m.values) for m in family.declared.mechanisms}
    constants |= {b.name: getattr(sizes, b.name) for b in family.declared.bounds}
    machine = _Lowering(layout, {n: (d, g) for n, d, g in variables}, constants)
    machine.dag.held = layout.held()
    machine.sizes, machine.totals, machine.included = sizes, totals, family.parts
    result = Lowered(machine.dag, layout)
    with room_to_recur():
        _lower_functions(machine, family, result)
    result.properties = list(family.declared.properties)
    result.switches = [m.name for m in family.declared.mechanisms]
    result.may_be_negative, result.uses_sets = machine.may_be_negative, machine.uses_sets
    result.reads_totals = machine.reads_totals
    result.representative = representative(machine.dag, layout)
    return result


Cleanups = Sequence[tuple[Forgetting, list[Any]]]


def _lower_functions(machine: _Lowering, family: Family, result: Lowered) -> None:
    """Lower every function of a family, each apart from the others."""
    cleanups: list[tuple[Forgetting, list[Any]]] = []
    for forgetting in (f for f in family.declared.forgets if f.always):
        with apart():
            cleanups += [(forgetting, args) for _, args in machine.ways(forgetting)]
    for constraint in family.declared.constraints:
        with apart(), not_too_deep(constraint.within, constraint.name):
            _lower_constraint(machine, constraint, result)
    for number, action in enumerate(family.declared.actions):
        with apart(), not_too_deep(action.effect, action.name):
            _lower_action(machine, number, action, result, cleanups)
    for start in family.declared.starts:
        with apart(), not_too_deep(start.function, start.name):
            result.starts += _lower_start(machine, start)
    for prop in family.declared.properties:
        with apart(), not_too_deep(prop.holds, prop.name):
            _lower_property(machine, family, prop, result)
    if family.goal is not None:
        with apart(), not_too_deep(family.goal, "the goal"):
            machine.start()
            goal = machine.truth(family.goal, [View(0)], ())
            dag = machine.dag
            result.goal = Form(goal.node, dag.true, machine.took_errors(), dag.false)


def _lower_guards(
    machine: _Lowering, action: Action, guards: Iterable[Function], where: tuple[Node, Any]
) -> tuple[Node, Node]:
    """Return where all of some guards are true, and where asking one after another goes wrong."""
    dag, (path, args) = machine.dag, where
    holds, error = dag.true, dag.false
    for guard in guards:
        machine.path = dag.both(path, holds)
        with apart():
            truth = machine.truth(guard, [View(0), *args], tuple(action.params))
            if truth.ghosts:
                _refuse_ghost_guard(machine, action, guard, truth)
            error = dag.either(error, machine.took_errors())
            holds = dag.both(holds, truth.node)
        machine.start()
    return holds, error


def _lower_action(
    machine: _Lowering, number: int, action: Action, result: Lowered, cleanups: Cleanups
) -> None:
    """Lower every way an action can happen, and the clean-ups that follow it."""
    written, renewed, in_place = set[str](), set[str](), set[str]()
    params = tuple(action.params)
    wrong = times_wrong()
    for present, args in machine.ways(action):
        machine.start()
        dag, enabled = machine.dag, present
        guard_error = dag.false
        if result.within is not None and result.within_error is not None:
            enabled, guard_error = dag.both(enabled, result.within), result.within_error
        if action.budget is not None:
            left = machine.field(View(0), action.budget)
            enabled = dag.both(enabled, dag.less(dag.const(0), left))
        for together, wanted in conditions(action.guard):
            holds, error = _lower_guards(machine, action, together, (enabled, args))
            guard_error = dag.either(guard_error, error)
            enabled = dag.both(enabled, holds if wanted else dag.negate(holds))
        machine.path = enabled
        machine.env = _spend(machine, action)
        machine.asserted = []
        with apart():
            machine.call(action.effect, [View(0, writable=True), *args], params)
        asserted, machine.asserted = dag.any_of(machine.asserted), None
        machine.refilled = set()  # a clean-up finds every set in order, however it came about
        for forgetting, chosen in cleanups:
            view = View(0, writable=True)
            with apart():
                machine.call(forgetting.function, [view, *chosen], tuple(forgetting.params))
        if times_wrong() > wrong:
            return  # the other ways have the same mistakes
        out_of_domain = out_of_range(machine)
        there = dag.both(enabled, dag.negate(asserted))
        held = {b: e for b, n in machine.held.items() if (e := dag.both(there, n)).constant != 0}
        for node in held.values():
            out_of_domain = dag.both(out_of_domain, dag.negate(node))
        effect_error = dag.both(enabled, dag.either(machine.took_errors(), out_of_domain))
        if asserted is not dag.false:  # then nothing went wrong, and nothing has happened
            effect_error = dag.both(effect_error, dag.negate(asserted))
            old = {path: machine.field(View(0), path) for path in machine.env}
            machine.env = {p: dag.select(asserted, old[p], n) for p, n in machine.env.items()}
        writes = {machine.layout.place[p]: node for p, node in machine.env.items()}
        machine.failed.append(asserted)
        fair = _class_rank(machine, action, args)
        case = Case(number, enabled, guard_error, effect_error, writes, fair, held)
        machine.arguments.append(dict(zip(params, args, strict=True)))
        result.cases.append(case)
        written |= {_variable(p) for p in machine.env}
        renewed |= machine.renewed
        in_place |= machine.in_place
    result.changes.append(Changes(frozenset(written), frozenset(renewed), frozenset(in_place)))


def _lower_constraint(machine: _Lowering, constraint: Constraint, result: Lowered) -> None:
    """Lower what states have to be to be expanded, beside what was lowered of it before."""
    dag, before = machine.dag, result.within or machine.dag.true
    machine.start()
    machine.path = before
    truth = machine.truth(constraint.within, [View(0)], ()).node
    error = dag.either(result.within_error or dag.false, machine.took_errors())
    result.within, result.within_error = dag.both(before, truth), error


def _lower_start(machine: _Lowering, start: Start) -> list[StartWay]:
    """Lower what sets up an initial state, to refuse what an effect may not do.

    Returns the ways in which it can. It is run in Python only, once for a design.
    """
    found = []
    params = tuple(start.params)
    for _, args in machine.ways(start):
        machine.start()
        allowed = machine.dag.true
        if start.guard is not None:
            allowed = machine.truth(start.guard, [View(0), *args], params).node
            machine.start()
        machine.call(start.function, [View(0, writable=True), *args], params)
        writes = {machine.layout.place[path]: node for path, node in machine.env.items()}
        found.append(StartWay(allowed, writes))
    return found


def _class_rank(machine: _Lowering, action: Action, args: list[Any]) -> Node:
    """Return the rank of the fairness class of one way an action can happen."""
    dag, rank = machine.dag, machine.dag.const(0)
    for place in fair_arguments(action, machine.ranged_over):
        value = args[place.param]
        node = (value if place.field is None else value.fields[place.field]).node
        if isinstance(place.domain, Bool):
            node = dag.as_int(node)
        elif isinstance(place.domain, Int):
            node = dag.sub(node, dag.const(span(place.domain)[0]))
        rank = dag.add(dag.mul(rank, dag.const(place.domain.count)), node)
    return rank


def _spend(machine: _Lowering, action: Action) -> dict[str, Node]:
    """Return the fields as an effect finds them: its budget is one less, one of any stays."""
    if action.budget is None or isinstance(machine.variables[action.budget][0], Left):
        return {}
    left = machine.field(View(0), action.budget)
    dag = machine.dag
    return {action.budget: dag.maximum(dag.sub(left, dag.const(1)), dag.const(0))}


def _variable(path: str) -> str:
    for mark in "[.|#":
        path = path.split(mark)[0]
    return path


def _refuse_ghost_guard(machine: _Lowering, action: Action, guard: Function, truth: Num) -> None:
    from fencecheck.model.lower.source import source_of

    source = source_of(guard)
    machine.frames.append(machine.new_frame(source))
    names = ", ".join(sorted(truth.ghosts))
    machine.fail(
        f"the guard of {action.name} reads ghost {names}",
        "a mechanism may not read a ghost; decide by what the system itself knows",
        source.body[-1],
    )


def _lower_property(machine: _Lowering, family: Family, prop: Property, result: Lowered) -> None:
    """Lower a property for each choice of its parameters, and for the arguments that it takes."""
    if isinstance(prop, Assertions):
        about = [prop.speaks_of(action.name) for action in family.declared.actions]
        result.add_assertions(machine.failed, about)
        return
    choices = [
        {name: machine.constant_of(d, d.rank(v)) for name, (d, v) in choice.items()}
        for choice in choices_of(prop, machine.sizes)
    ]
    dag, of_cases = machine.dag, dict[int, Form]()
    if not (prop.takes or prop.trigger_takes):
        instances = [_form(machine, prop, choice) for choice in choices]
    else:
        instances, known = [], dict[Any, Form]()
        for number, case in enumerate(result.cases):
            event = family.declared.actions[case.action].name
            parts = (prop.speaks_of(event), prop.triggered_on(event))
            if any(parts):
                args = machine.arguments[number]
                taken = (args.get(name) for name in (*prop.takes, *prop.trigger_takes))
                key = parts, tuple(map(_key, taken))
                if key not in known:
                    forms = [_form(machine, prop, {**args, **c}, parts) for c in choices]
                    known[key] = form_of_all(dag, forms)
                of_cases[number] = known[key]
        if not known and prop.triggered_by_states:
            known[None] = form_of_all(
                dag, [_form(machine, prop, c, (False, True)) for c in choices]
            )
        instances = list(known.values())
    instances = [result.masked(prop, form) for form in instances]
    result.forms.append(instances[0] if len(instances) == 1 else form_of_all(dag, instances))
    result.instances.append(instances)
    result.of_cases.append(of_cases)


def _key(symbol: Any) -> Any:
    """Return what tells an argument from others."""
    if isinstance(symbol, Rec):
        return tuple(map(_key, symbol.fields.values()))
    if isinstance(symbol, Vector):
        return tuple(map(_key, symbol.items))
    if isinstance(symbol, Items):
        return tuple(_key(value) for _, value in symbol.pairs)
    return symbol and (
        symbol.node.number,
        symbol.enum and symbol.enum.names,
        symbol.one_of and (symbol.one_of.name, *symbol.one_of.starts.values(), symbol.one_of.count),
        symbol.optional,
        symbol.mark,
    )


def _form(
    machine: _Lowering,
    prop: Property,
    known: Mapping[str, Any],
    parts: tuple[bool, bool] = (True, True),
) -> Form:
    """Lower a property with what its functions take by name; ``parts``: holds, trigger."""

    def asked(function: Function, states: int) -> Node:
        views: list[Any] = [View(0), View(1)][:states]
        names = names_taken(function)[states:]
        return machine.truth(function, [*views, *(known[name] for name in names)], None).node

    states = 2 if prop.of_events else 1
    machine.start()
    holds = trigger = machine.dag.true
    with apart():
        holds = asked(prop.holds, states) if parts[0] else machine.dag.true
    error = machine.took_errors()
    machine.start()
    if prop.trigger is not None and (parts[1] or prop.triggered_by_states):
        with apart():
            trigger = asked(prop.trigger, 1 if prop.triggered_by_states else states)
    return Form(holds, trigger, error, machine.took_errors())


__all__ = ["CHUNK", "Case", "Form", "Int", "Lowered", "Record", "Scalar", "chunks_of", "lower"]
