"""Which part of a kernel is needed when: regions that are jumped over where no state needs them.

A case is one way an action can happen. What only one case needs is its region; what several cases
of an action need is a region around theirs, and actions that share much form a group with a
region of its own. The rest, and every guard, is needed by all. So a node's region is the smallest
that holds all its users, and its arguments lie in the same region or in one around it. Regions
that are too small to be jumped over are taken together until a jump over them is worth it, so that
hundreds of small cases do not become one block, for which LLVM would need minutes.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from fencecheck.explore.compiled.kernel.plan import KernelPlan
from fencecheck.model.lower.dag import Node, nodes_of
from fencecheck.model.time_limit import check_time

JUMP = 64  # instructions that are done faster than a jump goes wrong (of 16 to 200, measured)
LINK = 40  # actions that share fewer nodes are not worth a group
_WIDELY = 6  # nodes that so many actions use tie none of them together


@dataclass
class JumpRegion:
    """``nodes``, in an order in which they can be computed, then smaller regions.

    ``cases`` are the numbers of the cases in it; a region without parts is one case's.
    """

    cases: tuple[int, ...]
    nodes: list[Node] = field(default_factory=list)
    parts: list[JumpRegion] = field(default_factory=list)
    writes: int = 0

    @property
    def work(self) -> int:
        """Return about how many instructions it takes to go through it."""
        return len(self.nodes) + 3 * self.writes + sum(part.work for part in self.parts)

    @property
    def worth_a_jump(self) -> bool:
        """Tell whether not going through it saves more than a jump now and then mistaken costs."""
        return self.work >= JUMP

    def smallest_with(self, wanted: set[int]) -> JumpRegion:
        """Return the smallest region that holds the cases ``wanted``."""
        for part in self.parts:
            if wanted.issubset(part.cases):
                return part.smallest_with(wanted)
        return self


def regions_of(plan: KernelPlan) -> JumpRegion:
    """Return the region of everything; its cases are those of ``plan``."""
    always = nodes_of(
        [
            *(node for _, _, node in (*plan.state_flags, *plan.state_seen)),
            *(case.enabled for case in plan.cases),
            *([plan.stops] if plan.stops is not None else []),
        ]
    )
    nodes = {node.number: node for node in always}
    users: dict[int, set[int]] = {}
    for number, case in enumerate(plan.cases):
        check_time()
        for node in nodes_of(case.nodes()):
            nodes[node.number] = node
            users.setdefault(node.number, set()).add(number)
    for node in always:
        users.pop(node.number, None)
    whole = _tree(plan, users.values())
    for name in sorted(nodes):
        region = whole.smallest_with(users[name]) if name in users else whole
        region.nodes.append(nodes[name])
    _gather(whole)
    return whole


def _gather(region: JumpRegion) -> None:
    """Put parts that are small together in regions that are worth a jump, as far as they go."""
    found, waiting, work = list[JumpRegion](), list[JumpRegion](), 0
    for part in region.parts:
        _gather(part)
        if part.worth_a_jump:
            found.append(part)
            continue
        waiting.append(part)
        work += part.work
        if work >= JUMP:
            found.append(_around(waiting))
            waiting, work = [], 0
    if len(found) > 1:  # else all of it is what is jumped over already
        region.parts = [*found, *waiting]


def _tree(plan: KernelPlan, users: Iterable[set[int]]) -> JumpRegion:
    """Return the regions of a plan, still without nodes."""
    of_action: dict[int, list[int]] = {}
    for number, case in enumerate(plan.cases):
        of_action.setdefault(case.action, []).append(number)
    whole = JumpRegion(tuple(range(len(plan.cases))))
    for group in _groups(list(of_action), [{plan.cases[c].action for c in u} for u in users]):
        inner = [
            _around([JumpRegion((c,), writes=len(plan.cases[c].writes)) for c in of_action[action]])
            for action in group
        ]
        whole.parts.append(_around(inner))
    return whole


def _around(parts: list[JumpRegion]) -> JumpRegion:
    """Return a region around ``parts``, or the only part itself."""
    if len(parts) == 1:
        return parts[0]
    return JumpRegion(tuple(itertools.chain(*(p.cases for p in parts))), parts=parts)


def _groups(actions: list[int], users: list[set[int]]) -> list[list[int]]:
    """Return actions in groups any two of which share at least LINK nodes, most shared first."""
    shared: Counter[tuple[int, int]] = Counter()
    for found in users:
        if len(found) <= _WIDELY:
            shared.update(itertools.combinations(sorted(found), 2))
    group = {action: [action] for action in actions}
    for (a, b), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        one, other = group[a], group[b]
        if one is not other and all(
            shared[min(x, y), max(x, y)] >= LINK for x in one for y in other
        ):
            one += other
            group.update((action, one) for action in other)
    return [members for action, members in group.items() if members[0] == action]
