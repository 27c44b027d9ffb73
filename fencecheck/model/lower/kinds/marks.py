"""Lower values of which more or less than the size counts: versions, fresh values, identities.

Such a number has a mark (symbols.py), so that nothing but what is written here may be done with
it: whatever commutes with giving the same state other numbers that compare alike. The rest is
refused with what to write. Versions are numbers counted from the oldest (layout.py), so that all of
them compare as they stand.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any, NoReturn

from fencecheck.model.domains import Count, Domain, Fresh
from fencecheck.model.lower.core import describe
from fencecheck.model.lower.dag import Node, conjuncts
from fencecheck.model.lower.symbols import Mark, Num, Place, mark_of
from fencecheck.model.lower.tagged import Tagged


class Marks(Tagged):
    """What may be done with marked numbers, and what is said of the rest."""

    def marked(self, value: Any) -> bool:
        """Tell whether a symbol is a number that is not plain."""
        return isinstance(value, Num) and value.mark is not None

    # -- as values of a domain ------------------------------------------------------------------
    def fitting(self, value: Num, domain: Domain) -> Num:
        """Return a number as a value of a domain of marked ones; refuse it where it is none."""
        wanted = mark_of(domain)
        if value.is_none or value.mark == wanted:
            return value
        number = value.node.constant
        if isinstance(domain, Count) and value.kind == "int" and number is not None:
            if 0 <= number <= domain.high:
                return replace(value, mark=wanted)
            self.fail(f"{number} where a count of {domain.describe()} is needed", "write one of it")
        self.wrong_mark(value, wanted)

    def wrong_mark(self, value: Any, wanted: Mark | None) -> NoReturn:
        """Refuse a symbol where a number with another mark, or a plain one, is needed."""
        seen = f"`{ast.unparse(self.node)}`" if isinstance(self.node, ast.expr) else ""
        seen = f"{seen}: {describe(value)}" if seen else describe(value)
        if wanted is None:
            self.fail(f"{seen} where a whole number is needed", _instead_of_number(value))
        self.fail(f"{seen} where {_named(wanted)} is needed", _WRITE[wanted.kind].format(wanted))

    # -- comparisons ----------------------------------------------------------------------------
    def check_alike(self, op: str, a: Any, b: Any) -> None:
        """Refuse a comparison of numbers with marks unless it is one that they have."""
        if not (self.marked(a) or self.marked(b)):
            return
        turned = not self.marked(a)
        a, b = (b, a) if turned else (a, b)
        none = isinstance(b, Num) and b.is_none
        if none and op in ("==", "!="):
            return
        if a.kind == "count":
            self._check_count(_TURNED.get(op, op) if turned else op, a, b)
            return
        if not isinstance(b, Num) or a.mark != b.mark or none:
            hint = _COMPARE[a.kind].format(a.mark)
            self.fail(f"{op} between {describe(a)} and {describe(b)}", hint)
        if op not in ("==", "!=") and a.kind != "version":
            hint = _COMPARE[a.kind].format(a.mark)
            self.fail(f"{op} between {describe(a)} and {describe(b)}", hint)

    def _check_count(self, op: str, count: Num, other: Any) -> None:
        """Refuse what compares a count with no number, or asks about more than it is counted to."""
        assert count.mark is not None
        what = f"{op} between {describe(count)} and {describe(other)}"
        if not (isinstance(other, Num) and other.kind == "int" and not other.optional):
            self.fail(what, "compare it with a number")
        most = count.mark.of - (op in (">", "<="))
        if other.node.low < 0 or other.node.high > most:
            self.fail(
                f"{what}, which can be {other.node.high}: nobody counts beyond {count.mark.of}",
                f"ask whether it is at least {count.mark.of}, or let it count further",
            )

    # -- arithmetic -----------------------------------------------------------------------------
    def marked_sum(self, node: ast.BinOp | ast.AugAssign, left: Any, right: Any) -> Num:
        """Return what an operator gives for two numbers of which one is marked."""
        adds = isinstance(node.op, ast.Add)
        turned = adds and isinstance(node, ast.BinOp) and self.marked(right)
        a, b = (right, left) if turned else (left, right)
        plain = isinstance(b, Num) and b.kind == "int" and not b.optional and b.node.low >= 0
        if not (adds and plain and isinstance(a, Num) and a.mark and not a.optional):
            self._no_arithmetic(node, left if self.marked(left) else right)
        if a.kind == "version" and a.at_clock:
            result = replace(a, node=self.dag.add(a.node, b.node), ghosts=a.ghosts | b.ghosts)
            self.reach[a.mark.of] = max(self.reach.get(a.mark.of, 0), result.node.high)
            return result
        if a.kind == "fresh" and a.at_clock and _moves_on(node) and b.node.low > 0:
            return replace(a, node=self.dag.add(a.node, b.node), ghosts=a.ghosts | b.ghosts)
        if a.kind == "count" and _moves_on(node):
            most = self.dag.const(a.mark.of)
            more = self.dag.minimum(self.dag.add(a.node, b.node), most)
            return replace(a, node=more, ghosts=a.ghosts | b.ghosts)
        self._no_arithmetic(node, a)

    def _no_arithmetic(self, node: ast.AST, value: Num) -> NoReturn:
        assert value.mark is not None
        hint = _ADD[value.kind].format(value.mark)
        self.fail(f"`{ast.unparse(node)}` does arithmetic with {describe(value)}", hint)

    def check_advanced(self, place: Place, value: Num) -> None:
        """Refuse what reads the clock of fresh values where it may not have advanced.

        Of where it stands otherwise a representative knows nothing.
        """
        domain = place.domain
        if not (isinstance(domain, Fresh) and domain.is_clock):
            return
        if self._as_it_stands(value.node).low <= domain.still:
            self.fail(
                f"{place.name} hands out fresh values, and is read where it may not have advanced",
                f"write s.{place.name} += 1 before, and keep the value in a variable",
            )

    def _as_it_stands(self, node: Node) -> Node:
        """Return what a number is where the function has come to here, by what is true then."""
        here: set[Node] = set()
        for condition in (self.path, *(n for f in self.frames for n in (f.base, f.live))):
            here.update(conjuncts(condition))
        while node.op == "select":
            if here.issuperset(conjuncts(node.args[0])):
                node = node.args[1]
            elif here.issuperset(conjuncts(self.dag.negate(node.args[0]))):
                node = node.args[2]
            else:
                break
        return node

    def check_clock(self, place: Place, old: Num, value: Num) -> None:
        """Refuse an assignment to a clock but one that moves it on."""
        if value.at_clock and value.node.low >= old.node.high:
            return
        clock = place.name
        self.fail(
            f"{clock} is a clock, and is given another value than the next",
            f"write s.{clock} += 1, and s.x = s.{clock} where the value is kept",
        )


def _moves_on(node: ast.AST) -> bool:
    """Tell whether something is added to what the state holds, not to a name of the function."""
    return isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Name)


def _named(mark: Mark) -> str:
    return describe(Num(None, mark=mark))  # type: ignore[arg-type]


def _instead_of_number(value: Any) -> str:
    kind = value.kind if isinstance(value, Num) else ""
    mark = value.mark if isinstance(value, Num) else None
    return _PLAIN[kind].format(mark) if kind in _PLAIN else "write a whole number"


_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_WRITE = {
    "version": "write s.{0.name}, s.{0.name} + 1 for one that is to come, or another such value",
    "fresh": "write s.{0.name} after s.{0.name} += 1, or another such value",
    "identity": "take it from a parameter, a loop or the state: no constant names one of them",
    "count": "let it count from 0 with += 1",
}
_COMPARE = {
    "version": "compare it with s.{0.name} or another version of it: how large it is decides "
    "nothing",
    "fresh": "compare it with == or != with another such value: it has no order and no size",
    "identity": "compare it with == or != with another of them: nothing else tells them apart",
}
_ADD = {
    "version": "add to the clock only, s.{0.name} + 1; of other versions only the order is kept",
    "fresh": "copy it and compare it; a new value is s.{0.name} after s.{0.name} += 1",
    "identity": "they have no order: use it as a subscript, or compare it with == or !=",
    "count": "write += 1; what it counted beyond {0.of} is not known",
}
_PLAIN = {
    "version": "how large a version is decides nothing: compare it with another one",
    "fresh": "how large a fresh value is decides nothing: compare it with == or !=",
    "identity": "which of them it is decides nothing: use it as a subscript, or compare it with ==",
    "count": "compare it with a number, or declare it as an Int",
}
