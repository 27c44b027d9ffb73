"""How many states a model has when none stands for others: what a checker without that finds.

Takes a system; executes every event of every state as it is. Numbers that a clock hands out are
then the real ones, which may go on for ever, so that the search is told how far to go.
"""

from __future__ import annotations

from fencecheck.explore.cutting import check_cut
from fencecheck.model.system import State, System
from fencecheck.model.values import HeldBack


def concrete_states(system: System, most: int) -> int | None:
    """Return the number of reachable states; None where there are more than ``most``.

    What goes wrong in an event is raised.
    """
    found = dict.fromkeys(system.initials)
    frontier = list(found)
    while frontier:
        check_cut()
        reached: dict[State, None] = {}
        for state in frontier:
            for action, args in system.enabled(system.view(state), state):
                try:
                    after, _ = system.steps[action](state, *args)
                except HeldBack:
                    continue
                if after in found:
                    continue
                if system.escapes(action, state, after):
                    raise ValueError(system.outside(after, state))
                reached[after] = None
        found |= reached
        if len(found) > most:
            return None
        frontier = list(reached)
    return len(found)
