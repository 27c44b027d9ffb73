"""Part `claims`: how the claim that an open intent lays on its step comes to an end.

A claim keeps other workers from the step until it is committed. Kept for ever it outlives a worker
that is gone, and nobody can do the step again; one that expires may do so while its worker lives.

Readings where the description leaves room: a claim is the intent's, and a later intent of the same
step takes it over; whose claim it was is not asked at the commit.
"""

from fencecheck.model import Part
from fencecheck.models.parts.leases import STEP
from fencecheck.models.parts.worker import worker_part

claims = Part("claims")
claims.include(worker_part)
claims.budget("claim_expiries", "times a claim expires while its worker lives")
scheduler = claims.actor("scheduler")
clock = claims.actor("clock", "interference")


def is_followed_up(s, step):
    """Some worker has recorded an intent of the step, and is on its way to the commit."""
    return any(h.step == step and h.phase in ("intended", "checked", "acted") for h in s.holds)


def may_expire(s, step):
    return s.claim == "expires" and s.claimed[step]


@scheduler.action(
    step=STEP, when=lambda s, step: may_expire(s, step) and not is_followed_up(s, step)
)
def release_claim(s, step):
    """The claim of a worker that is gone has lasted long enough."""
    s.claimed[step] = False


@clock.interference(
    "claim_expiries",
    step=STEP,
    when=lambda s, step: may_expire(s, step) and is_followed_up(s, step),
    label=lambda s, step: f"the claim on s{step + 1} expires",
)
def expire_claim(s, step):
    """A claim expires while its worker is still on its way to the commit."""
    s.claimed[step] = False
