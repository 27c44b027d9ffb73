"""A lease is asked for twice with one key, for another scope the second time; a run may be cut."""

from fencecheck.model import Array, Bool, Enum, Index, Model
from fencecheck.models.library import BoundRecord, Sweeper

model = Model("scopes", "A key with another payload")
model.bound("keys", 1, "keys")
model.mechanism("bind", ("off", "on"), "off", "whether a key is compared with its payload")
KEY = Index("keys", "k")
SCOPE = Enum("narrow", "wide")
leases = BoundRecord("leases", KEY, SCOPE)
sweeper = Sweeper(leases)
model.mechanism("sweeper", ("off", "on"), "off", "whether claims lapse whose run was cut")
model.budget("cuts", "runs that are cut")
model.variable("cut", Bool(), owner="client")
model.include(sweeper, guard={"sweeper.abandon_leases": lambda s, key: s.sweeper == "on" and s.cut})
client = model.actor("client")
outside = model.actor("outside", "interference")
model.variable("got", Array(KEY, Enum("nothing", "narrow", "wide")), owner=client)


@client.action(key=KEY, scope=SCOPE, when=lambda s, key, scope: leases.is_absent(s, key))
def begin(s, key, scope):
    """A request is begun under its key."""
    leases.claim(s, key)
    s.cut = False
    leases.bind(s, key, scope)


@client.action(key=KEY, when=lambda s, key: leases.is_in_progress(s, key) and not s.cut)
def finish(s, key):
    """The lease is granted, and that is written down."""
    leases.act(s, key)
    leases.complete(s, key)


@outside.interference("cuts", key=KEY, when=lambda s, key: leases.is_in_progress(s, key))
def cut(s, key):
    """The run that has the key in progress ends without a trace."""
    s.cut = True


@client.action(key=KEY, scope=SCOPE, when=lambda s, key, scope: leases.is_done(s, key))
def ask_again(s, key, scope):
    """Somebody asks under a key that is done, and is told that it has what it asks for."""
    if s.bind == "on" and not leases.fits(s, key, scope):
        return "refused: another payload"
    s.got[key] = "wide" if scope == "wide" else "narrow"
    return "granted"


@model.invariant(key=KEY)
def as_granted(s, key):
    """Nobody is told of a wider lease than was granted."""
    return s.got[key] != "wide" or s.leases[key].payload == "wide"


@model.deadlock()
def finished(s):
    """The work under a key is not left half done."""
    return all(row.state == "done" for row in s.leases)
