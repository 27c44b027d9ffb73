"""DesignSwitches: how the mechanisms of a design are declared, one by one or several in a table.

What a part offers for it. A table has a line for each: its values, and what it means.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencecheck.errors import ModelError
from fencecheck.model.checks.arguments import declaration
from fencecheck.model.declare import Declared, Mechanism
from fencecheck.model.ordinary import shown

ENVIRONMENT, PLAIN = "environment", "plain "
_LINE = 'write "off* | on: what it means", with a star behind the default'


class DesignSwitches:
    """What a design, or its environment, has in one way or another."""

    name: str
    declared: Declared

    def _note_place(self, name: str) -> None:
        """Remember where a name is declared."""
        raise AssertionError  # given by Part

    @declaration
    def mechanism(
        self,
        name: str,
        values: Iterable[str],
        default: str,
        doc: str,
        *,
        environment: bool = False,
        plain: str | None = None,
    ) -> str:
        """Declare a switch of the design, or of its environment.

        ``plain`` is the value without the mechanism, where that is not none, off or the first.
        """
        values = tuple(values)
        if not values or not all(isinstance(value, str) for value in values):
            raise ModelError(
                f"{self.name}: mechanism {name}: its values are names in quotes, in a list"
            )
        for kind, value in (("default", default), ("plain value", plain or default)):
            if value not in values:
                raise ModelError(f"{self.name}: mechanism {name}: {kind} {value!r} is not a value")
        self._note_place(name)
        self.declared.mechanisms.append(Mechanism(name, values, default, doc, environment, plain))
        return name

    @declaration
    def mechanisms(self, **switches: str) -> None:
        """Declare several switches, a line for each: ``fencing="off* | on: what it means"``.

        A star stands behind the default. ``, environment`` behind the values says that the switch
        is not the designer's; ``, plain on`` which value is that without the mechanism.
        """
        for name, line in switches.items():
            where = f"{self.name}: mechanism {name}"
            if not isinstance(line, str):
                raise ModelError(f"{where} is {shown(line)}; {_LINE}")
            head, _, doc = line.partition(": ")
            starred, *marks = head.split(", ")
            named = [value.strip() for value in starred.split("|")]
            values = [value.removesuffix("*") for value in named]
            defaults = [value.removesuffix("*") for value in named if value.endswith("*")]
            if not doc or not all(values) or len(defaults) != 1:
                raise ModelError(f"{where} is {shown(line)}; {_LINE}")
            plains = [mark.removeprefix(PLAIN) for mark in marks if mark.startswith(PLAIN)]
            unknown = [m for m in marks if m != ENVIRONMENT and not m.startswith(PLAIN)]
            if unknown or len(plains) > 1:
                raise ModelError(
                    f"{where}: {shown(', '.join(marks))} stands behind its values; "
                    "write environment, or plain and one of them"
                )
            self.mechanism(
                name,
                values,
                defaults[0],
                doc,
                environment=ENVIRONMENT in marks,
                plain=plains[0] if plains else None,
            )
