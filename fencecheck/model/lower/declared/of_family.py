"""The lowering of one family: how its functions are called, and the ways to choose parameters."""

from __future__ import annotations

import ast
import itertools
from typing import Any

from fencecheck.model.checks.ways import check_ways
from fencecheck.model.declare import Action, Each, Forgetting, Start
from fencecheck.model.domains import Bag, Set, Subset
from fencecheck.model.lower.dag import Node
from fencecheck.model.lower.layout import slot_of
from fencecheck.model.lower.source import source_of
from fencecheck.model.lower.statements import Statements
from fencecheck.model.lower.symbols import Items, Missing, Num, Place, View
from fencecheck.model.ordinary import place_of
from fencecheck.model.time_limit import check_time


class FamilyLowering(Statements):
    """Lowers the functions of one family with its sizes resolved."""

    sizes: Any = None

    def __init__(self, *what: Any) -> None:
        super().__init__(*what)
        self.arguments: list[dict[str, Any]] = []  # of each case, by the names of parameters
        self.failed: list[Node] = []  # of each case, where an assertion fails

    def start(self) -> None:
        """Forget the state of the function lowered before."""
        self.env, self.frames, self.errors = {}, [], []
        self.path, self.renewed = self.dag.true, set()
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
        domain, ghost = self.variables[name]
        return Place(View(0), domain, ((self.dag.true, name),), ghost=ghost, name=name)
