"""Part `leases`: a scheduler that hands steps to workers under leases with numbered tokens.

Who holds what, under which token, and what the scheduler believes of it. The events are in part
`scheduling` and in the family, which also declares what other parts may share: the bound `steps`
and the budgets `edits`, `duplicates` and `failed_commits`. What a payload is: payloads.py.

Only the order of tokens matters. They are kept as ranks among those under which somebody can
still act, so a step that is requeued for ever has finitely many states. Assignments handed out
are remembered only while the network has a duplicate left.
"""

from fencecheck.model import Array, Bag, Bool, Enum, Index, Int, Part, Record, replace
from fencecheck.models.parts.payloads import (
    LEASE_BASE,
    NONE,
    ORIGINAL,
    PAYLOAD,
    first_payloads,
    payload_in_words,
)

leases = Part("leases")

# -- bounds, budgets and mechanisms -------------------------------------------------------------
leases.bound("workers", 2, "workers on the borrowed server")
leases.budget("revocations", "times the server under a worker is revoked")
leases.budget("expiries", "times a lease expires while its worker lives")
leases.budget("lost_acks", "acknowledgements that the network loses")
leases.budget("exhaustions", "times the quota is used up")
leases.mechanism(
    "lease",
    ("none", "timestamp", "token"),
    "timestamp",
    "what a step is handed out under: nothing that ends (only the reaper guesses that a worker is "
    "gone), a time that can pass, the same with a fencing token that can be checked",
)
leases.mechanism(
    "reaper",
    ("off", "on"),
    "on",
    "on: a step whose worker is gone, or whose lease has expired, goes back to the queue",
)
leases.mechanism(
    "attempts",
    ("none", "1", "2", "3"),
    "none",
    "how often a step is handed out before it is parked: as often as it takes, or a cap",
)


# -- domains ------------------------------------------------------------------------------------
def cap(k):
    """The cap on attempts as a number; 0 where there is none."""
    return 0 if k.attempts == "none" else int(k.attempts)


def last_token(k):
    """Either every assignment is remembered, or workers, scheduler and sink know one token each."""
    interrupted = 1 + k.revocations + k.expiries + k.lost_acks + k.failed_commits
    return (cap(k) or interrupted) if k.duplicates else k.workers + 2


def remembered(k):
    """Every assignment, while one of them can come again."""
    return k.steps * last_token(k) if k.duplicates else 1


STEP = Index("steps", "s")
WORKER = Index("workers", "w")
TOKEN = Int(0, last_token, lambda token, k: token if token and has_tokens(k) else "none")
PHASE = Enum("idle", "assigned", "told", "intended", "checked", "acted", "acking")


def has_tokens(k):
    """Tell whether leases carry tokens; else only the model counts its assignments by them."""
    return k.lease == "token"


def named(lease, k):
    """Name the step of a lease, and its token if it has one."""
    name = f"s{lease.step + 1}"
    return f"{name} token {lease.token}" if has_tokens(k) else name


def hold_in_words(hold, k):
    if hold.phase == "idle":
        return "idle"
    words = f"{hold.phase} {named(hold, k)}"
    edited = hold.payload > ORIGINAL
    return f"{words} {payload_in_words(hold.payload, k)}" if edited else words


Hold = Record("Hold", hold_in_words, step=STEP, payload=PAYLOAD, base=LEASE_BASE, token=TOKEN,
              phase=PHASE)  # fmt: skip
Assignment = Record(
    "Assignment",
    lambda a, k: f"{named(a, k)} {payload_in_words(a.payload, k)}",
    step=STEP,
    token=Int(1, last_token),
    payload=PAYLOAD,
    base=LEASE_BASE,
)
IDLE = Hold(step=0, payload=NONE, base=0, token=0, phase="idle")

# -- who acts, and what is kept -----------------------------------------------------------------
quota = leases.actor("quota", "interference")
network = leases.actor("network", "interference")
scheduler = leases.actor("scheduler")
worker = leases.actor("worker")
sink = leases.actor("sink", "store")

leases.variable("status", Array(STEP, Enum("open", "done", "rejected", "parked")), owner=scheduler,
                doc="whether a step is closed, and how")  # fmt: skip
leases.variable("payload", Array(STEP, PAYLOAD), first_payloads, owner=scheduler,
                doc="the current payload of each step")  # fmt: skip
leases.variable("leased", Array(STEP, Enum("unleased", "leased", "expired")), owner=scheduler,
                doc="what the scheduler believes of a step's lease")  # fmt: skip
leases.variable("newest", Array(STEP, TOKEN), owner=scheduler,
                doc="the newest token handed out, as a rank")  # fmt: skip
leases.variable("tries", Array(STEP, Int(0, cap)), owner=scheduler,
                doc="attempts so far, where they are capped")  # fmt: skip
leases.variable("holds", Array(WORKER, Hold), owner=worker,
                doc="what each worker holds, and how far it is")  # fmt: skip
leases.variable("handed_out", Bag(Assignment, remembered), owner=network, told=False,
                doc="assignments that may still arrive again")  # fmt: skip
leases.variable("exhausted", Bool(), owner=quota, doc="whether the quota is used up")
leases.variable("seen", Array(STEP, TOKEN), owner=sink,
                doc="the highest token seen, while an older one can still come")  # fmt: skip


# -- what everybody may ask ---------------------------------------------------------------------
def is_open(s, step):
    return s.status[step] == "open"


def is_idle(s, worker):
    return s.holds[worker].phase == "idle"


def is_at(s, step, worker, phase):
    """Tell whether the worker holds the step and is just there with it."""
    return s.holds[worker].phase == phase and s.holds[worker].step == step


def is_held(s, step):
    return any(h.phase != "idle" and h.step == step for h in s.holds)


def has_owner(s, step):
    """Tell whether some worker holds the step under its newest lease."""
    return any(h.phase != "idle" and h.step == step and h.token == s.newest[step] for h in s.holds)


def is_stale(s, step, worker):
    """Tell whether a newer token than the worker's has been handed out for the step."""
    return s.holds[worker].token < s.newest[step]


def is_used_up(s, step):
    """Tell whether the step has had all the attempts it gets."""
    if s.attempts == "1":
        return s.tries[step] >= 1
    if s.attempts == "2":
        return s.tries[step] >= 2
    return s.attempts == "3" and s.tries[step] >= 3


# -- tokens as ranks ----------------------------------------------------------------------------
def can_meet_older(s, step):
    """Tell whether somebody can still act under a token older than one the sink has seen."""
    held = any(h.phase != "idle" and h.step == step and h.token < s.seen[step] for h in s.holds)
    return held or any(a.step == step and a.token < s.seen[step] for a in s.handed_out)


@leases.forgets(step=STEP)
def forget_tokens(s, step):
    """Keep only tokens that matter, renumbered without gaps.

    While assignments are remembered every token can come back, and there are no gaps.
    """
    if not can_meet_older(s, step):
        s.seen[step] = 0
    if s.duplicates == 0 and not is_held(s, step):
        s.newest[step] = 0
    if s.duplicates == 0:
        for rank in range(1, s.workers + 3):
            renumber(s, step, lowest_from(s, step, rank), rank)


def lowest_from(s, step, rank):
    """The lowest token in use that is at least ``rank``; the newest is above all others."""
    lowest = s.newest[step]
    for hold in s.holds:
        if hold.step == step and rank <= hold.token < lowest:
            lowest = hold.token
    return s.seen[step] if rank <= s.seen[step] < lowest else lowest


def renumber(s, step, token, rank):
    if token > rank:
        for worker in range(s.workers):
            if s.holds[worker].step == step and s.holds[worker].token == token:
                s.holds[worker] = replace(s.holds[worker], token=rank)
        if s.newest[step] == token:
            s.newest[step] = rank
        if s.seen[step] == token:
            s.seen[step] = rank


# -- what is done to a lease --------------------------------------------------------------------
def close(s, step, how):
    """What closes a step first closes it for good."""
    if is_open(s, step):
        s.status[step] = how
        s.leased[step] = "unleased"


def advance(s, worker, phase):
    s.holds[worker] = replace(s.holds[worker], phase=phase)


def let_go(s, worker):
    """The worker is idle again and keeps nothing."""
    step = s.holds[worker].step
    s.holds[worker] = IDLE
    forget_tokens(s, step)


def show_token(s, worker):
    """The sink sees the token of a call."""
    step = s.holds[worker].step
    s.seen[step] = max(s.seen[step], s.holds[worker].token)
    forget_tokens(s, step)


def arrive(s, worker, assignment):
    """An assignment reaches a worker, for the first time or once more."""
    s.holds[worker] = Hold(
        step=assignment.step,
        payload=assignment.payload,
        base=assignment.base,
        token=assignment.token,
        phase="assigned",
    )


# -- words for the diagram ----------------------------------------------------------------------
def with_step(words):
    """Label an event of (step, worker) as ``<words> s1``; the worker has a lane of its own."""
    return lambda s, step, worker: f"{words} s{step + 1}"
