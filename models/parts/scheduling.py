"""Part `scheduling`: what the scheduler does with leases, and the interference with it.

The scheduler takes back steps whose worker is gone or whose lease has expired; around it the clock
lets leases expire, the quota runs out, the network delivers assignments twice. What may be handed
out, and how, stands here; the event itself, and what changes a payload, is the family's, which
also declares the budgets `edits` and `duplicates`.

Readings where the description leaves room: only a step that was leased can be requeued; closing
a step ends its lease, so that it cannot expire any more.
"""

from fencecheck.model import Each, Part
from fencecheck.models.parts.leases import (
    STEP,
    WORKER,
    Assignment,
    arrive,
    forget_tokens,
    has_owner,
    is_idle,
    is_open,
    is_used_up,
    leases,
)

scheduling = Part("scheduling")
scheduling.include(leases)
scheduler = scheduling.actor("scheduler")
clock = scheduling.actor("clock", "interference")
quota = scheduling.actor("quota", "interference")
network = scheduling.actor("network", "interference")

scheduling.mechanism(
    "takeover",
    ("silent", "announced"),
    "silent",
    "whether the outside learns of a new token only from the first call under it, or as the step "
    "is handed out",
)


# -- scheduler ----------------------------------------------------------------------------------
def is_available(s, step):
    """Open, and under no lease that the scheduler still believes in."""
    return is_open(s, step) and s.leased[step] != "leased"


def may_assign(s, step, worker):
    return (
        is_available(s, step) and is_idle(s, worker) and not is_used_up(s, step) and not s.exhausted
    )


def hand_out(s, step, worker, base):
    """A worker gets the step with its current payload, a base and the next token."""
    s.newest[step] += 1
    assignment = Assignment(step=step, token=s.newest[step], payload=s.payload[step], base=base)
    arrive(s, worker, assignment)
    if s.duplicates > 0:
        s.handed_out.add(assignment)
    s.leased[step] = "leased"
    if s.attempts != "none":
        s.tries[step] += 1
    if s.takeover == "announced":
        s.seen[step] = s.newest[step]
    forget_tokens(s, step)


def is_given_up(s, step):
    """No worker holds the step under its newest lease, or that lease has expired."""
    return s.leased[step] == "expired" or (s.leased[step] == "leased" and not has_owner(s, step))


@scheduler.action(
    step=STEP,
    when=lambda s, step: s.reaper == "on" and is_open(s, step) and is_given_up(s, step),
)
def requeue(s, step):
    """The reaper puts a step back into the queue."""
    s.leased[step] = "unleased"


# -- quota --------------------------------------------------------------------------------------
@quota.interference("exhaustions", when=lambda s: not s.exhausted)
def exhaust(s):
    """Nothing can be assigned until the quota is refilled."""
    s.exhausted = True


@quota.action(when=lambda s: s.exhausted)
def refill(s):
    """The quota is there again."""
    s.exhausted = False


# -- clock, network -----------------------------------------------------------------------------
@clock.interference(
    "expiries",
    step=STEP,
    when=lambda s, step: (
        s.leased[step] == "leased"
        and has_owner(s, step)
        and (s.lease != "none" or s.reaper == "on")
    ),
    label=lambda s, step: f"the lease of s{step + 1} expires",
)
def expire_lease(s, step):
    """The scheduler takes the lease as expired while its worker lives on."""
    s.leased[step] = "expired"


@network.interference(
    "duplicates",
    assignment=Each("handed_out", "step"),
    worker=WORKER,
    when=lambda s, assignment, worker: is_idle(s, worker),
    label=lambda s, assignment, worker: f"s{assignment.step + 1} once more, to w{worker + 1}",
)
def duplicate(s, assignment, worker):
    """A copy of an assignment reaches a worker, also when its step is closed."""
    arrive(s, worker, assignment)
    if s.duplicates == 0:
        s.handed_out.clear()
        for step in range(s.steps):
            forget_tokens(s, step)
