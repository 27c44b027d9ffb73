"""Part `scheduling`: what the scheduler does with steps, and the interference with it.

It takes back steps whose worker is gone or whose lease has expired, lets go of claims that a
worker left behind, and lays aside a step that has used up its attempts; around it the clock lets
leases and claims expire, the quota runs out, the network delivers assignments twice. What may be
handed out, and how, stands here; the event itself, what changes a payload, and how an idle worker
learns what became of an open intent (`worker.resolve`) are the family's.

Readings where the description leaves room: only a step that was leased can be requeued; closing
a step ends its lease, so that it cannot expire any more. A claim is the intent's, and a later
intent of the same step takes it over; whose claim it was is not asked at the commit.
"""

from fencecheck.model import Each, Part
from fencecheck.models.parts import leases
from fencecheck.models.parts.ledger_rows import commit_row, has_intent, ledger_rows

scheduling = Part("scheduling", includes=[leases.leases, ledger_rows])
scheduler = scheduling.actor("scheduler")
clock = scheduling.actor("clock", "interference")
quota = scheduling.actor("quota", "interference")
network = scheduling.actor("network", "interference")
scheduling.budget("claim_expiries", "times a claim expires while its worker lives")


# -- leases -------------------------------------------------------------------------------------
def may_assign(s, step, worker):
    """The step is open, under no lease that the scheduler still believes in, and has tries left."""
    is_free = s.leased[step] != "leased" and not leases.is_used_up(s, step)
    return leases.is_open(s, step) and is_free and leases.is_idle(s, worker) and not s.exhausted


def hand_out(s, step, worker, base):
    """A worker gets the step with its current payload, a base and the next token."""
    s.last_token += 1
    s.newest[step] = s.last_token
    lease = leases.Assignment(step=step, token=s.last_token, payload=s.payload[step], base=base)
    leases.arrive(s, worker, lease)
    if s.duplicates > 0:
        leases.remember(s, lease)
    s.leased[step] = "leased"
    if s.attempts != "none":
        s.tries_left[step] -= 1
    if s.takeover == "announced":
        s.seen[step] = s.newest[step]


def is_given_up(s, step):
    """Its newest lease has expired, or no worker holds the step under it."""
    is_lost = s.leased[step] == "leased" and not leases.has_owner(s, step)
    return s.leased[step] == "expired" or is_lost


@scheduler.action(when=lambda s, step: s.reaper == "on" and is_given_up(s, step))
def requeue(s, step):
    """The reaper puts a step back into the queue."""
    s.leased[step] = "unleased"


def may_lapse(s, step):
    """A lease that a worker still holds can end; without one, the reaper only guesses so."""
    is_live = s.leased[step] == "leased" and leases.has_owner(s, step)
    return is_live and (s.lease != "none" or s.reaper == "on")


@clock.interference("expiries", when=may_lapse, label="the lease of {step} expires")
def expire_lease(s, step):
    """The scheduler takes the lease as expired while its worker lives on."""
    s.leased[step] = "expired"


@network.interference(
    "duplicates",
    assignment=Each("handed_out", "step"),
    when=lambda s, assignment, worker: leases.is_idle(s, worker),
    label="{assignment.step} once more, to {worker}",
)
def duplicate(s, assignment, worker):
    """A copy of an assignment reaches a worker, also when its step is closed."""
    leases.arrive(s, worker, assignment)
    if s.duplicates == 0:
        s.handed_out.clear()


# -- quota --------------------------------------------------------------------------------------
@quota.interference("exhaustions", when=lambda s: not s.exhausted)
def exhaust(s):
    """Nothing can be assigned until the quota is refilled."""
    s.exhausted = True


@quota.action(when=lambda s: s.exhausted)
def refill(s):
    """The quota is there again."""
    s.exhausted = False


# -- steps that have used up their attempts -----------------------------------------------------
def may_park(s, step):
    return leases.is_open(s, step) and leases.is_used_up(s, step) and s.leased[step] == "unleased"


def may_resolve(s, step, worker):
    return may_park(s, step) and has_intent(s, step) and leases.is_idle(s, worker)


def settle(s, step, known):
    """The open intent is committed where its effect is known to be there, resolved elsewhere."""
    if known:
        commit_row(s, step, s.rows[step].payload)
    else:
        s.rows[step].state = "resolved"
        s.claimed[step] = False


@scheduler.action(when=lambda s, step: may_park(s, step) and not has_intent(s, step))
def park(s, step):
    """The step has used up its attempts and is laid aside, once its open intent is resolved."""
    leases.close(s, step, "parked")


# -- claims -------------------------------------------------------------------------------------
def is_followed_up(s, step):
    """Some worker has recorded an intent of the step, and is on its way to the commit."""
    return any(h.step == step and h.phase in ("intended", "checked", "acted") for h in s.holds)


def may_expire(s, step):
    return s.claim == "expires" and s.claimed[step]


@scheduler.action(when=lambda s, step: may_expire(s, step) and not is_followed_up(s, step))
def release_claim(s, step):
    """The claim of a worker that is gone has lasted long enough."""
    s.claimed[step] = False


@clock.interference(
    "claim_expiries",
    when=lambda s, step: may_expire(s, step) and is_followed_up(s, step),
    label="the claim on {step} expires",
)
def expire_claim(s, step):
    """A claim expires while its worker is still on its way to the commit."""
    s.claimed[step] = False
