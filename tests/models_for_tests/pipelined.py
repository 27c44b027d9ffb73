"""The pipelined fence: a client that sends step k+1 before it hears of step k.

A step's base is stamped once, at dispatch, so a message is known by its step alone. Counts that
several independent checkers agree on stand in KNOWN, by (steps, edits, retries, lost_acks,
duplicates): distinct states, transitions, depth.
"""

from fencecheck.model import Array, Bool, Enum, Index, Int, Model, Set

KNOWN = {
    (2, 2, 2, 1, 1): (24_279, 82_885, 15),
    (3, 3, 2, 1, 1): (1_157_219, 5_175_607, 20),
}
BOUNDS = ("steps", "edits", "retries", "lost_acks", "duplicates")

model = Model("pipelined", "Pipelined steps against a revision fence")
model.bound("steps", 2, "steps of the plan")
model.budget("edits", "edits by a human")
model.budget("retries", "times a step is sent again")
model.budget("lost_acks", "acknowledgements that the network loses")
model.budget("duplicates", "messages that are executed and stay in flight")
model.mechanism("fenced", ("on", "off"), "on", "whether the executor compares base and revision")


def last_rev(k):
    """Without a fence, whatever is delivered once more is applied once more."""
    again = k.retries + k.duplicates if k.fenced == "off" else 0
    return k.steps + k.edits + again


STEP = Index("steps", "s")
REV = Int(0, last_rev)

client = model.actor("client")
executor = model.actor("executor")
network = model.actor("network", "interference")
human = model.actor("human", "interference")
workspace = model.store("workspace")

model.variable("rev", REV, owner=workspace)
model.variable("sent", Int(0, lambda k: k.steps), owner=client, doc="steps dispatched so far")
model.variable("base", Array(STEP, REV), owner=client, doc="the revision stamped on each step")
model.variable("view", Array(STEP, Enum("idle", "sent", "acked", "rejected")), owner=client)
model.variable("net", Set(STEP), owner=network, doc="steps whose message is in flight")
model.variable("applied", Set(STEP), owner=workspace)
model.variable("acks", Array(STEP, Set(Bool())), owner=network, doc="answers in flight")
model.ghost("fresh", Bool(), True, owner=workspace, doc="whether every write had base = rev")


@client.action(when=lambda s: s.sent < s.steps)
def dispatch(s):
    """The client stamps the next step and sends it."""
    step = s.sent
    s.base[step] = s.rev
    s.net.add(step)
    s.view[step] = "sent"
    s.sent += 1


def execute_message(s, step):
    accepted = s.base[step] == s.rev or s.fenced == "off"
    if accepted:
        s.fresh = s.fresh and s.base[step] == s.rev
        s.rev += 1
        s.applied.add(step)
    s.acks[step].add(accepted)


@executor.action(step=STEP, when=lambda s, step: step in s.net)
def execute(s, step):
    """The executor takes a message and answers."""
    s.net.discard(step)
    execute_message(s, step)


@network.interference("duplicates", step=STEP, when=lambda s, step: step in s.net)
def execute_and_keep(s, step):
    """The executor answers a message that stays in flight."""
    execute_message(s, step)


@client.action(step=STEP, accepted=Bool(), when=lambda s, step, accepted: accepted in s.acks[step])
def receive(s, step, accepted):
    """The client takes an answer; only the first of a step counts."""
    s.acks[step].discard(accepted)
    if s.view[step] == "sent":
        s.view[step] = "acked" if accepted else "rejected"


@network.interference(
    "lost_acks", step=STEP, accepted=Bool(), when=lambda s, step, accepted: accepted in s.acks[step]
)
def lose_ack(s, step, accepted):
    """An answer is lost."""
    s.acks[step].discard(accepted)


@client.interference(
    "retries", step=STEP, when=lambda s, step: s.view[step] == "sent" and step not in s.net
)
def retry(s, step):
    """The client sends the same message once more."""
    s.net.add(step)


@human.interference("edits")
def edit(s):
    """A human edits the workspace."""
    s.rev += 1


@model.invariant(trigger=lambda s: len(s.applied) > 0)
def fence_ok(s):
    """Every applied message had the revision of the workspace as its base."""
    return s.fresh


@model.transition("executor.execute", "network.execute_and_keep")
def applied_grows(before, after):
    """No step that was applied is forgotten."""
    return all(step in after.applied for step in before.applied)
