"""How many states a model has when none stands for others: what a checker without that finds.

Takes a system; executes every event of every state as it is. Numbers that a clock hands out are
then the real ones, which may go on for ever, so that the search is told how far to go.
"""

from __future__ import annotations

from fencecheck.explore.cutting import check_cut
from fencecheck.model.system import State, System
from fencecheck.runs.event import choices, execute


def concrete_states(system: System, most: int) -> int | None:
    """Return the number of reachable states; None where there are more than ``most``.

    Raises ModelWentWrong where an event goes wrong.
    """
    found = dict.fromkeys(system.initials)
    frontier = list(found)
    while frontier:
        check_cut()
        reached: dict[State, None] = {}
        for state in frontier:
            for action, args in choices(system, state):
                after = execute(system, state, action, args).after
                if after not in found:
                    reached[after] = None
        found |= reached
        if len(found) > most:
            return None
        frontier = list(reached)
    return len(found)
