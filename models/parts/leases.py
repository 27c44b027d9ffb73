"""Part `leases`: a scheduler that hands steps to workers under leases with numbered tokens.

Who holds what, under which token, and what the scheduler believes of it. The events are in part
`scheduling` and in the family, which also declares what other parts may share: the steps and the
budgets `edits`, `duplicates` and `failed_commits`.

Only the order of tokens matters, and one counter hands them out. Assignments handed out are
remembered only while the network has a duplicate left, and no more of them than the `window`.
"""

from fencecheck.model import Array, Bag, Bool, Enum, Int, Maybe, OneOf, Part, Record, Version, bag
from fencecheck.models.parts.workspace import CONTENT, EDIT, REV, STEP, Content

leases = Part("leases")
WORKER = leases.index(
    "worker", "workers on the borrowed server", bound="workers", size=2, symmetric=True
)
leases.bound("window", 5, "newest assignments that the network can still deliver once more")
leases.budget("revocations", "times the server under a worker is revoked")
leases.budget("expiries", "times a lease expires while its worker lives")
leases.budget("lost_acks", "acknowledgements that the network loses")
leases.budget("exhaustions", "times the quota is used up")
leases.mechanisms(
    lease="none | timestamp* | token: what a step is handed out under: nothing that ends (only the "
    "reaper guesses that a worker is gone), a time that can pass, the same with a fencing token "
    "that can be checked",
    reaper="off | on*: on: a step whose worker is gone, or whose lease has expired, goes back to "
    "the queue",
    attempts="none* | 1 | 2 | 3: how often a step is handed out before it is parked: as often as "
    "it takes, or a cap",
    takeover="silent* | announced: whether the outside learns of a new token only from the first "
    "call under it, or as the step is handed out",
)


# -- payloads -----------------------------------------------------------------------------------
def is_planned(k):
    """Tell whether payloads come from a plan against a workspace; else operators edit them."""
    return hasattr(k, "files")


def payload_in_words(payload, k):
    if payload.tag == "against":
        return f"against {CONTENT.resolve(k).show(payload.against)}"
    return f"edit {payload.edit}" if payload.tag == "edit" else payload.tag


Payload = OneOf("Payload", payload_in_words, none=None, original=None, edit=EDIT, against=CONTENT)
PAYLOAD = Payload.only(
    lambda k: ("none", "against") if is_planned(k) else ("none", "original", "edit")
)
AS_AT_FIRST = (Payload.none, Payload.original, Payload.against(Content.original))
LEASE_BASE = Maybe(REV, "none", when=is_planned)


# -- tokens, and what is held and handed out under them -----------------------------------------
def cap(k):
    """The cap on attempts as a number; 0 where there is none."""
    return 0 if k.attempts == "none" else int(k.attempts)


def window(k):
    """There is room for assignments only if one of them can come again."""
    return k.window if k.duplicates else 1


def has_tokens(k):
    """Tell whether leases carry tokens; else only the model counts its assignments by them."""
    return k.lease == "token"


def named(lease, k):
    """Name the step of a lease, and its token if it has one."""
    return f"s{lease.step + 1} token {lease.token}" if has_tokens(k) else f"s{lease.step + 1}"


def hold_in_words(hold, k):
    if hold.phase == "idle":
        return "idle"
    edited = "" if hold.payload in AS_AT_FIRST else f" {payload_in_words(hold.payload, k)}"
    return f"{hold.phase} {named(hold, k)}{edited}"


TOKEN = Version("last_token", show=lambda token, k: token if has_tokens(k) else "none")
NO_OR_TOKEN = Maybe(TOKEN, "none")
PHASE = Enum("idle", "assigned", "told", "intended", "checked", "acted", "acking")
# fmt: off
Hold = Record("Hold", hold_in_words,
              step=STEP, payload=PAYLOAD, base=LEASE_BASE, token=NO_OR_TOKEN, phase=PHASE)
Assignment = Record("Assignment", lambda a, k: f"{named(a, k)} {payload_in_words(a.payload, k)}",
                    step=STEP, token=NO_OR_TOKEN, payload=PAYLOAD, base=LEASE_BASE)
IDLE = Hold(step=0, payload=Payload.none, base=None, token=None, phase="idle")

# -- what is kept -------------------------------------------------------------------------------
sink = leases.actor("sink", "store")

leases.variable("status", Array(STEP, Enum("open", "done", "rejected", "parked")),
                owner="scheduler", doc="whether a step is closed, and how")
leases.variable("payload", Array(STEP, PAYLOAD),
                lambda k: (Payload.none if is_planned(k) else Payload.original,) * k.steps,
                owner="scheduler", doc="the current payload of each step")
leases.variable("leased", Array(STEP, Enum("unleased", "leased", "expired")), owner="scheduler",
                doc="what the scheduler believes of a step's lease")
leases.variable("last_token", TOKEN, owner="scheduler", told=False,
                doc="the token handed out last, of whichever step")
leases.variable("newest", Array(STEP, NO_OR_TOKEN), owner="scheduler",
                doc="the newest token handed out, while somebody can hold one")
leases.variable("tries_left", Array(STEP, Int(0, cap)), lambda k: (cap(k),) * k.steps,
                owner="scheduler", doc="attempts that a step still has, where they are capped")
leases.variable("holds", Array(WORKER, Hold), owner="worker",
                doc="what each worker holds, and how far it is")
leases.variable("handed_out", Bag(Assignment, window), owner="network", told=False,
                doc="assignments that may still arrive again")
leases.variable("exhausted", Bool(), owner="quota", doc="whether the quota is used up")
leases.variable("seen", Array(STEP, NO_OR_TOKEN), owner=sink,
                doc="the highest token seen, while an older one can still come")
# fmt: on


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


def is_older(token, other):
    return token is not None and other is not None and token < other


def is_stale(s, step, worker):
    """Tell whether a newer token than the worker's has been handed out for the step."""
    return is_older(s.holds[worker].token, s.newest[step])


def is_late(s, step, worker):
    """Tell whether the sink has seen a newer token than the worker's."""
    return is_older(s.holds[worker].token, s.seen[step])


def is_used_up(s, step):
    """Tell whether the step has had all the attempts it gets."""
    return s.attempts != "none" and s.tries_left[step] == 0


# -- what is done to a lease --------------------------------------------------------------------
def close(s, step, how):
    """What closes a step first closes it for good."""
    if is_open(s, step):
        s.status[step] = how
        s.leased[step] = "unleased"


def let_go(s, worker):
    """The worker is idle again and keeps nothing."""
    s.holds[worker] = IDLE


def arrive(s, worker, lease):
    """An assignment reaches a worker, for the first time or once more."""
    s.holds[worker] = Hold(step=lease.step, payload=lease.payload, base=lease.base,
                           token=lease.token, phase="assigned")  # fmt: skip


def remember(s, lease):
    """The network can deliver the assignment again, in place of the oldest beyond its window."""
    if len(s.handed_out) == s.window:
        oldest = min(a.token for a in s.handed_out)
        s.handed_out = bag(a for a in s.handed_out if a.token != oldest)
    s.handed_out.add(lease)


# -- tokens that nobody asks for any more -------------------------------------------------------
@leases.cleanup(step=STEP)
def forget_tokens(s, step):
    """A token is kept while somebody can come with it, or with an older one."""
    if not is_held(s, step) and all(a.step != step for a in s.handed_out):
        s.newest[step] = None
    held = any(h.step == step and is_older(h.token, s.seen[step]) for h in s.holds)
    given = any(a.step == step and is_older(a.token, s.seen[step]) for a in s.handed_out)
    if not held and not given:
        s.seen[step] = None
