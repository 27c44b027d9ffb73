"""Part `parking`: a step that has used up its attempts is laid aside.

Only after its open intent was resolved: an idle worker asks the outside what became of it, which
is the family's event `worker.resolve`. Needs part `scheduling`.
"""

from fencecheck.model import Part, replace
from fencecheck.models.parts.leases import STEP, close, is_idle, is_open, is_used_up
from fencecheck.models.parts.ledger_rows import commit_row, ledger_rows
from fencecheck.models.parts.scheduling import scheduling

parking = Part("parking")
parking.include(scheduling, ledger_rows)
scheduler = parking.actor("scheduler")


def may_park(s, step):
    return is_open(s, step) and is_used_up(s, step) and s.leased[step] == "unleased"


def may_resolve(s, step, worker):
    return may_park(s, step) and s.rows[step].state == "intent" and is_idle(s, worker)


def settle(s, step, known):
    """The open intent is committed where its effect is known to be there, resolved elsewhere."""
    if known:
        commit_row(s, step, s.rows[step].payload)
    else:
        s.rows[step] = replace(s.rows[step], state="resolved")
        s.claimed[step] = False


@scheduler.action(
    step=STEP, when=lambda s, step: may_park(s, step) and s.rows[step].state != "intent"
)
def park(s, step):
    """The step has used up its attempts and is laid aside."""
    close(s, step, "parked")
