"""What the parts of a typed predicate are, and what each literal in it is called in a model.

Walks the syntax of one expression with the domains of the model's variables; refuses what cannot
be said, and notes which pieces of the text read differently in a model: a variable by its plain
name, a step counted from 1, a value named as reports show it. Runs and lowers nothing.
"""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from fencecheck.errors import nearest
from fencecheck.model.ask.handed_out import handed_out, instead_of_number
from fencecheck.model.checks.sizes import places_in
from fencecheck.model.declare import LEFT, USED, part_of_budget
from fencecheck.model.domains import Array, Bag, Domain, Enum, Index, Int, Maybe, OneOf, Record, Set
from fencecheck.model.system import System

_MOST_WORDS = 1000  # of a tagged value
BUILTINS = ("len", "any", "all", "sum", "min", "max", "abs", "range")


class Typing:
    """Reads an expression; ``edits`` gives the text that replaces the token at a column.

    ``constants`` are what names in that text stand for.
    """

    system: System
    columns: list[int]

    def __init__(self) -> None:
        self.uses: list[str] = []
        self.edits: dict[int, str] = {}
        self.constants: dict[str, Any] = {}
        self._locals: list[dict[str, Domain | None]] = []

    def fail(self, message: str, node: ast.expr) -> NoReturn:
        """Raise the error that points at a piece of the text."""
        raise NotImplementedError

    def read(self, node: ast.expr) -> None:
        """Read a whole expression."""
        self._typed(node)

    def _typed(self, node: ast.expr) -> Domain | None:
        """Return the domain of an expression's value where that matters, noting what to change."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            self.fail("a predicate cannot say this; it is an expression of the subset", node)
        found: Domain | None = method(node)
        return found

    def _constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, bool | int | str | None):
            self.fail("write a whole number, true or false as True and False, or text", node)

    def _name(self, node: ast.Name) -> Domain | None:
        for names in reversed(self._locals):
            if node.id in names:
                return names[node.id]
        system = self.system
        place = system.place.get(node.id)
        budget, part = part_of_budget(node.id, self._budgets())
        if budget and place is None and not hasattr(system.sizes, node.id):
            return self._spent(node, budget, part)
        if place is None and not hasattr(system.sizes, node.id):
            known = [*system.names, *vars(system.sizes)]
            known += [name + part for name in self._budgets() for part in (LEFT, USED)]
            self.fail(
                f'"{node.id}" is not a variable, switch or bound of model {system.family.name}'
                f"{nearest(node.id, known)}",
                node,
            )
        self.edits[self.columns[node.col_offset]] = f"s.{node.id}"
        if place is not None:
            if node.id not in self.uses:
                self.uses.append(node.id)
            return system.domains[place]
        mechanism = system.family.mechanisms.get(node.id)
        return Enum(*mechanism.values) if mechanism else None

    def _budgets(self) -> list[str]:
        return [b.name for b in self.system.family.declared.bounds if b.budget]

    def _spent(self, node: ast.Name, budget: str, part: str) -> Domain | None:
        """Read what is left of a budget, or how much of it was used."""
        system = self.system
        self.edits[self.columns[node.col_offset]] = f"s.{node.id}"
        if budget not in self.uses:
            self.uses.append(budget)
        return system.domains[system.place[budget]] if part == LEFT else None

    def _attribute(self, node: ast.Attribute) -> Domain | None:
        if isinstance(node.value, ast.Name) and node.value.id == "s" and "s" not in self._known():
            self.fail(f"write {node.attr} without s.", node)
        base = self._typed(node.value)
        if isinstance(base, OneOf):
            return self._of_tagged(base, node)
        if not isinstance(base, Record):
            self.fail("only records have parts: a message, or an element of an array", node.value)
        if node.attr not in base.fields:
            hint = nearest(node.attr, base.fields)
            self.fail(
                f"a {base.name} has no {node.attr}; it has {', '.join(base.fields)}{hint}", node
            )
        field: Domain = base.fields[node.attr]
        return field

    def _of_tagged(self, base: OneOf, node: ast.Attribute) -> Domain | None:
        """Read the tag of a value, or what it holds."""
        if node.attr == "tag":
            return Enum(*base.tags)
        if base.tags.get(node.attr) is None:
            holding = [tag for tag, held in base.tags.items() if held is not None]
            hint = nearest(node.attr, holding)
            known = ", ".join(["tag", *holding])
            self.fail(f"a {base.name} has no {node.attr}; it has {known}{hint}", node)
        return base.tags[node.attr]

    def _known(self) -> set[str]:
        return {name for names in self._locals for name in names} | set(self.system.names)

    def _subscript(self, node: ast.Subscript) -> Domain | None:
        base, index = self._typed(node.value), node.slice
        if not isinstance(base, Array):
            self.fail(
                "only arrays have elements by number; write any(... for x in ...)", node.value
            )
        if isinstance(index, ast.Constant):
            self._literal(index, base.index)
        elif isinstance(base.index, Enum):
            if not isinstance(self._typed(index), Enum):
                self.fail(f"an index is one of {', '.join(base.index.names)}", index)
        elif not _counts(self._typed(index)):
            self.fail("an index is a number from 1, or what a loop runs over", index)
        return base.element

    def _compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        kinds = [None if isinstance(s, ast.Constant) else self._typed(s) for s in sides]
        for i, op in enumerate(node.ops):
            left, right = kinds[i], kinds[i + 1]
            if isinstance(op, ast.In | ast.NotIn):
                right = right.element if isinstance(right, Array | Bag | Set) else right
                self._listed(sides[i + 1], left)
            self._alike((sides[i], left), (sides[i + 1], right))
            for side, other in ((sides[i], right), (sides[i + 1], left)):
                if isinstance(side, ast.Constant):
                    self._literal(side, other)

    def _alike(self, *sides: tuple[ast.expr, Domain | None]) -> None:
        """Refuse to compare what counts from 1 with what does not."""
        known = [kind for _, kind in sides if _counts(kind)]
        for node, kind in sides:
            literal = isinstance(node, ast.Constant | ast.Tuple | ast.List | ast.Set)
            if known and not literal and not _counts(kind):
                self.fail("this does not count from 1, and is compared with what does", node)

    def _listed(self, node: ast.expr, domain: Domain | None) -> None:
        """Read the constants of ``x in (1, 2)`` as values of x."""
        for element in node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else ():
            if isinstance(element, ast.Constant):
                self._literal(element, domain)

    def _tuple(self, node: ast.Tuple | ast.List | ast.Set) -> None:
        for element in node.elts:
            if not isinstance(element, ast.Constant):
                self._typed(element)

    _list = _set = _tuple

    def _boolop(self, node: ast.BoolOp) -> None:
        for value in node.values:
            self._typed(value)

    def _unaryop(self, node: ast.UnaryOp) -> None:
        self._plain(node.operand)

    def _ifexp(self, node: ast.IfExp) -> Domain | None:
        self._typed(node.test)
        return self._chosen([node.body, node.orelse])

    def _chosen(self, nodes: list[ast.expr]) -> Domain | None:
        """Return the domain of what is one of several values; literals follow the others."""
        kinds = [None if isinstance(n, ast.Constant) else self._typed(n) for n in nodes]
        found = next((kind for kind in kinds if kind is not None), None)
        self._alike(*zip(nodes, kinds, strict=True))
        for node in nodes:
            if isinstance(node, ast.Constant):
                self._literal(node, found)
        return found

    def _binop(self, node: ast.BinOp) -> Domain | None:
        """A step moved on by a number is a step; nothing else is calculated with steps."""
        left, right = self._typed(node.left), self._typed(node.right)
        moves = isinstance(node.op, ast.Add | ast.Sub)
        if (_counts(left) and moves and not _counts(right)) or handed_out(left) is not None:
            return left
        if _counts(left) or _counts(right):
            self.fail("what counts from 1 can be compared, and moved by + or - a number", node)
        return None

    def _plain(self, node: ast.expr) -> None:
        if _counts(self._typed(node)):
            self.fail("what counts from 1 can be compared, not calculated with", node)

    def _call(self, node: ast.Call) -> Domain | None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in BUILTINS or node.keywords:
            self.fail(f"only {', '.join(BUILTINS)} can be called", node.func)
        if name == "range":
            return self._range(node)
        if name in ("min", "max"):
            return self._chosen(node.args)
        kinds = [self._typed(argument) for argument in node.args]
        if any(_counts(kind) for kind in kinds):
            self.fail("what counts from 1 can be compared, not calculated with", node)
        return None

    def _range(self, node: ast.Call) -> Domain:
        """``range(steps)`` runs over the steps, of which people count the first as 1."""
        over = node.args[0] if len(node.args) == 1 else node
        bound = over.id if isinstance(over, ast.Name) else ""
        if bound not in self.system.family.bounds:
            self.fail("write range(NAME) with the name of a bound, as in range(steps)", over)
        self._typed(over)
        return Set(Index(bound).resolve(self.system.sizes))

    def _generatorexp(self, node: ast.GeneratorExp) -> Domain | None:
        names: dict[str, Domain | None] = {}
        for part in node.generators:
            over = self._typed(part.iter)
            if not isinstance(part.target, ast.Name) or part.is_async:
                self.fail("write one name between for and in", part.target)
            if not isinstance(over, Array | Bag | Set):
                self.fail("only arrays, sets, bags and range(...) can be run over", part.iter)
            names[part.target.id] = over.element
            self._locals.append(names)
            for condition in part.ifs:
                self._typed(condition)
        found = self._typed(node.elt)
        del self._locals[-len(node.generators) :]
        return found

    # -- literals -------------------------------------------------------------------------------
    def _literal(self, node: ast.Constant, domain: Domain | None) -> None:
        """Note what a literal that stands for a value of ``domain`` is called in a model."""
        self._constant(node)
        value = node.value
        if type(value) is int and (handed := handed_out(domain)) is not None:
            self.fail(instead_of_number(self.system, handed), node)
        if isinstance(domain, Enum):
            if value not in domain.names:
                hint = nearest(str(value), domain.names)
                self.fail(f"{value!r} is not one of {', '.join(domain.names)}{hint}", node)
        elif isinstance(domain, Maybe):
            self._optional(node, domain)
        elif isinstance(domain, OneOf):
            self._tagged(node, domain)
        elif isinstance(domain, Int) and isinstance(value, str):
            self._replace(node, int(self._by_word(node, domain)))
        elif isinstance(domain, Index) and not isinstance(value, bool):
            assert isinstance(value, int)
            if not 1 <= value <= domain.count:
                self.fail(f"{value} is not one of 1 to {domain.count}", node)
            self._replace(node, value - 1)

    def _optional(self, node: ast.Constant, domain: Maybe) -> None:
        """Note what stands for an index from 1, or for none of it."""
        value, last = node.value, domain.count - 1
        if value is None or value == domain.word:
            self._replace(node, None)
        elif not _counts(domain):
            pass  # how it compares with a number is the model's to refuse
        elif type(value) is int and 1 <= value <= last:
            self._replace(node, value - 1)
        else:
            self.fail(f'{value!r} is not one of 1 to {last}, or "{domain.word}"', node)

    def _tagged(self, node: ast.Constant, domain: OneOf) -> None:
        """Note what stands for a tagged value, in the words in which people are told of it."""
        if domain.count > _MOST_WORDS or not isinstance(node.value, str):
            tag = next(iter(domain.tags))
            self.fail(f'write .tag == "{tag}", and .NAME for what it holds', node)
        name = f"said_{len(self.constants)}"
        self.constants[name] = self._by_word(node, domain)
        self.edits[self.columns[node.col_offset]] = name

    def _by_word(self, node: ast.Constant, domain: Int | OneOf) -> Any:
        values: list[Any] = [domain.value(rank) for rank in range(domain.count)]
        handed_out = _handed_out(domain)
        shown = {str(domain.show(v)): v for v in values if not (handed_out and v[0] in handed_out)}
        if node.value not in shown:
            hint = nearest(str(node.value), shown)
            more = "".join(f', or .tag == "{tag}"' for tag in handed_out)
            self.fail(f"{node.value!r} is not one of {', '.join(shown)}{more}{hint}", node)
        return shown[str(node.value)]

    def _replace(self, node: ast.Constant, number: int | None) -> None:
        self.edits[self.columns[node.col_offset]] = str(number)


def _counts(domain: Domain | None) -> bool:
    """Tell whether people count the values of a domain from 1."""
    return isinstance(domain.index if isinstance(domain, Maybe) else domain, Index)


def _handed_out(domain: Int | OneOf) -> list[str]:
    """Return the tags of a OneOf whose values a clock hands out: no text names one of them."""
    held = domain.tags.items() if isinstance(domain, OneOf) else ()
    return [tag for tag, inner in held if inner is not None and places_in(inner)]
