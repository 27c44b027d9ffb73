"""Write loops: turn by turn where these are few and known, else as a fold."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from fencecheck.export.tla.functions.endings import Ending, at_ends, endings
from fencecheck.export.tla.functions.joining import Joining, with_live
from fencecheck.export.tla.functions.paths import Then, names_read, names_set
from fencecheck.export.tla.syntax.building import (
    number,
)
from fencecheck.export.tla.syntax.trees import (
    FALSE,
    Dotted,
    Fields,
    Infix,
    Listed,
    Tree,
    Word,
)
from fencecheck.export.tla.values import (
    INT,
    HeldPlace,
    KnownValue,
    Several,
    Term,
)
from fencecheck.model.domains import (
    Array,
    Bag,
    Seq,
)

_UNROLLED = 3


class Folds(Joining):
    """Loops."""

    # -- loops ----------------------------------------------------------------------------------
    def items(self, node: ast.For, most: int) -> list[Any] | None:
        """Return the values that a loop goes over, if there are few and they are known."""
        over = self.expression(node.iter)
        loaded = over.view.load(over) if isinstance(over, HeldPlace) else over
        domain = getattr(loaded, "domain", None)
        if isinstance(loaded, Several):
            return list(loaded.items)
        if isinstance(loaded, KnownValue):
            values = [KnownValue(v, getattr(domain, "element", None)) for v in loaded.value]
            return values if len(values) <= most else None
        if isinstance(domain, Array) and domain.length <= most:
            keys = getattr(domain.index, "names", range(domain.length))
            return [self.element(loaded, KnownValue(key), node) for key in keys]
        return None

    def joined_for(self, node: ast.For, live: frozenset[str]) -> None:
        items = self.items(node, _UNROLLED)
        if items is None:
            self._folded(node, live)
            return
        inner = live | names_read([node])
        for item in items:
            self.bind(node.target, item)
            for statement, after in with_live(node.body, inner):
                self.plain(statement, after)

    def _folded(self, node: ast.For, live: frozenset[str]) -> None:
        """Write a loop as a fold over a range or a sequence."""
        self._fold(node, live, exits=False)

    def folded_and_left(self, node: ast.For, rest: Sequence[ast.stmt], then: Then) -> Tree:
        """Write a loop that can be left: what is carried says whether it was."""
        left, value = "left", "given"
        for name, known in ((left, KnownValue(False)), (value, KnownValue(None))):
            self.frame.locals[f" {name}"] = known
        self._fold(node, then.live, exits=True)
        has_left = self.frame.locals[" left"]
        given = self.frame.locals[" given"]
        returns = [n for n in ast.walk(node) if isinstance(n, ast.Return)]
        if not returns:
            return self.run(rest, then)
        test = self.tree(has_left)
        return self.either_path(test, lambda: then.returns(given), lambda: self.run(rest, then))

    def _fold(self, node: ast.For, live: frozenset[str], *, exits: bool) -> None:
        read = live | names_read([node])
        carried = [
            n
            for n in sorted(names_set(node.body))
            if n in read and self.frame.locals.get(n) is not None
        ]
        if exits:
            carried += [" left", " given"]
        if self.state is not None:
            self.state.settle()
        changes = self._turn(node, live, carried, state=False)[1]
        tree, _, domains = self._turn(node, live, carried, state=changes)
        parts = (["state"] if changes else []) + carried
        if not parts:
            return
        values = {n: self.tree(self.frame.locals[n]) for n in carried}
        if changes and self.state is not None:
            values["state"] = self.state.whole
        names = [p.strip() for p in parts]
        start = (
            values[parts[0]]
            if len(parts) == 1
            else Fields(tuple((n, values[p]) for n, p in zip(names, parts, strict=True)))
        )
        call = self._folding_call(node, tree, start)
        self._take_carried(call, parts, domains)

    def _take_carried(self, call: Tree, parts: list[str], domains: dict[str, Any]) -> None:
        if len(parts) == 1 or " left" not in parts:
            self.take_parts(call, parts, domains)
            return
        record = self.let("r", call)
        for part in parts:
            if part == "state":
                assert self.state is not None
                self.state.set_base(Dotted(record, "state"))
            else:
                self.frame.locals[part] = Term(Dotted(record, part.strip()), domains.get(part))

    def _turn(
        self, node: ast.For, live: frozenset[str], carried: list[str], *, state: bool
    ) -> tuple[Any, bool, dict[str, Any]]:
        """Return one turn of a loop as an operator (its parameters and tree), whether it changes

        the state, and the domains of what is carried from turn to turn.
        """
        saved, domains = self.save(), dict[str, Any]()
        parameters = self._carry(node, carried, state=state)
        base = self.state.whole if self.state is not None else None

        def end(*, left: bool = False, given: Any = None) -> Tree:
            if left:
                self.frame.locals[" left"] = KnownValue(True)
                self.frame.locals[" given"] = KnownValue(None) if given is None else given
            kept = {n: self.frame.locals[n] for n in carried}
            for n, value in kept.items():
                found = getattr(value, "domain", None) or self._domain_of_constant(value)
                domains[n] = domains.get(n) or found
            now = self.state.now() if self.state is not None else None
            return Ending(now, changed=now != base, locals=kept)

        inner = Then(
            end,
            lambda value: end(left=True, given=value),
            lambda: end(left=True),
            end,
            live | names_read([node]),
        )
        test = self.tree(self.frame.locals[" left"]) if " left" in carried else FALSE
        skip = Ending(base, locals={n: self.frame.locals[n] for n in carried})
        tree = self.scoped(
            lambda: self.either_path(test, lambda: skip, lambda: self.run(node.body, inner))
        )
        self.restore(saved)
        changed = any(e.changed for e in endings(tree))
        parts = (["state"] if state else []) + carried
        body = at_ends(tree, lambda e: self._carried_on(e, parts)) if parts else tree
        return (parameters, body), changed, domains

    def _carry(self, node: ast.For, carried: list[str], *, state: bool) -> tuple[str, str]:
        """Let names stand for what they are in a turn; return the parameters of the turn."""
        single = len(carried) + state == 1
        given = []
        for wanted in ("t" if single and state else "so_far", node.target.id):  # type: ignore[attr-defined]
            given.append(self.script.names.free(wanted, self.used))
            self.used.add(given[-1])
        so_far, item = given
        for name in carried:
            old = self.frame.locals[name]
            domain = getattr(old, "domain", None) or self._domain_of_constant(old)
            tree: Tree = Word(so_far) if single else Dotted(Word(so_far), name.strip())
            self.frame.locals[name] = Term(tree, domain)
        if state and self.state is not None:
            self.state.set_base(Word(so_far) if single else Dotted(Word(so_far), "state"))
        self.frame.locals[node.target.id] = Term(Word(item), self._item_domain(node))  # type: ignore[attr-defined]
        return so_far, item

    def _carried_on(self, end: Ending, parts: list[str]) -> Tree:
        """Return what a turn hands on to the next one."""
        values = {n: self.tree(v) for n, v in end.locals.items()} | {"state": end.state}
        if len(parts) == 1:
            found: Tree = values[parts[0]]
            return found
        return Fields(tuple((part.strip(), values[part]) for part in parts))

    def _item_domain(self, node: ast.For) -> Any:
        over = self.expression(node.iter)
        return getattr(getattr(over, "domain", None), "element", None) or INT

    def _folding_call(self, node: ast.For, turn: Any, start: Tree) -> Tree:
        parameters, body = turn
        over = self.expression(node.iter)
        loaded = over.view.load(over) if isinstance(over, HeldPlace) else over
        name = self.let("turn", body, parameters)
        domain = getattr(loaded, "domain", None)
        known = loaded.value if isinstance(loaded, KnownValue) else None
        if isinstance(known, range) and known.step == 1:
            low, high = number(known.start), number(known.stop - 1)
            return self.script.helper("FoldRange", name, start, low, high)
        if (
            isinstance(loaded, Term)
            and isinstance(loaded.tree, Infix)
            and (loaded.tree.operator == "..")
        ):
            return self.script.helper("FoldRange", name, start, *loaded.tree.operands)
        return self.script.helper("FoldSeq", name, start, self._sequence(loaded, domain))

    def _sequence(self, loaded: Any, domain: Any) -> Tree:
        """Return what a loop goes over as a sequence."""
        if (isinstance(loaded, KnownValue) and not isinstance(domain, Bag)) or isinstance(
            domain, Seq
        ):
            if isinstance(loaded, KnownValue):
                return Listed(
                    "<<",
                    tuple(
                        self.script.constant(v, getattr(domain, "element", None))
                        for v in loaded.value
                    ),
                )
            return self.tree(loaded)
        if isinstance(domain, Array):
            keys = getattr(domain.index, "names", range(domain.length))
            elements = (self.element(loaded, KnownValue(key), ast.Pass()) for key in keys)
            return Listed("<<", tuple(map(self.tree, elements)))
        return self.in_order(loaded)
