"""The first review's executor: it stamps a request as it executes it, and compares that.

Revision and hash are taken from the workspace just before they are compared with it. Under the
fence of the plan, what is taken is the revision of the newest plan.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.conform.systems.executors import Client, Command, Executor, Planner, Steps


class SelfStamping(Executor):
    def execute(self, command: Command) -> str:
        return super().execute(replace(command, base=self.disk.rev, pre=self.disk.content))

    def key(self, command: Command) -> Any:
        return command.step, command.base


class Printed(Steps):
    """The executor as it is printed; whether it keeps a journal says the design."""

    executor = SelfStamping

    def __init__(self) -> None:
        self.journal = self.design["journal"] != "none"
        super().__init__()


class NewestPlan(Executor):
    """Compares with the revision of the newest plan, whichever a request is of."""

    planner: Planner

    def fits_revision(self, command: Command) -> bool:
        return self.planner.base == self.disk.rev


class PlanStamping(Client):
    def base(self) -> int | None:
        return self.planner.base


class PlanFence(Steps):
    """Stamped with the plan's revision, compared with it."""

    client = PlanStamping
    journal = False


class PrintedPlan(PlanFence):
    """The executor as it is printed, where the plan is what is fenced."""

    executor = NewestPlan

    def __init__(self) -> None:
        super().__init__()
        assert isinstance(self.process, NewestPlan)
        self.process.planner = self.plans
