"""Part `closing`: whether every step gets closed, in families that hand steps out under leases."""

from fencecheck.model import Part
from fencecheck.models.parts.worker import worker_part

closing = Part("closing")
closing.include(worker_part)


def finished(s):
    return all(status != "open" for status in s.status)


def ended(s):
    """Every step is closed, and parked only where no attempt could get it done."""
    return all(
        s.status[i] != "open" and (s.status[i] != "parked" or (s.poison != "off" and i == 0))
        for i in range(s.steps)
    )


@closing.deadlock(relevant=["status"])
def no_stuck(s):
    """Wherever the system can do nothing more, every step is done, rejected or parked."""
    return finished(s)


@closing.possibility(relevant=["status"])
def can_finish(s):
    """The system can always still get every step closed, by its own events alone."""
    return finished(s)


@closing.liveness(relevant=["status"])
def finishes(s):
    """Every weakly fair behaviour gets every step closed."""
    return finished(s)


@no_stuck.says
@can_finish.says
@finishes.says
def unfinished_in_words(before, after):
    steps = ", ".join(f"s{i + 1}" for i in range(after.steps) if after.status[i] == "open")
    return (
        f"{steps} is still open, and nothing closes it.",
        [["the scheduler says", ", ".join(after.status)], ["it should become", "closed"]],
    )
