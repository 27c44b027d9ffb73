"""A rebased branch is pushed over a shared one, into which a colleague pushes too."""

from fencecheck.model import Bool, Enum, Model, Record, Version

LEASES = ("none", "tracking", "included", "commit")
model = Model("push_with_lease", "A push that replaces a shared branch")
model.budget("pushes", "commits that a colleague pushes meanwhile")
model.budget("fetches", "fetches that an editor does in the background")
model.budget("lost_replies", "answers of the remote that do not arrive")
model.mechanism("lease", LEASES, "none", "what the remote has to hold, if anything")
COMMIT = Version("commits", show=lambda n, k: f"commit {n}")
Ref = Record("Ref", theirs=COMMIT, mine=Bool())
me, colleague = model.actor("me"), model.actor("colleague", "interference")
editor, network = model.actor("editor", "interference"), model.actor("network", "interference")
model.variable("commits", COMMIT, owner=colleague, told=False)
model.variable("tip", Ref, owner=model.store("remote"), doc="newest of theirs, and whether mine")
model.variable("tracking", Ref, owner=me, doc="the remote-tracking ref")
model.variable("base", COMMIT, owner=me, doc="the commit that mine are built on")
model.variable("phase", Enum("ready", "pushed", "refused", "done"), owner=me)


def is_expected(s):
    """The remote holds what is tracked, or the commit named; that is built on, if included."""
    expected = Ref(theirs=s.base, mine=s.tracking.mine) if s.lease == "commit" else s.tracking
    return s.tip == expected and (s.lease != "included" or expected.theirs == s.base)


pushing = me.first_of(when=lambda s: s.phase == "ready")


@pushing.action(when=lambda s: s.lease == "none" or is_expected(s))
def push(s):
    """The remote takes my commits in place of what it held."""
    s.tip, s.phase = Ref(theirs=s.base, mine=True), "pushed"


@pushing.otherwise()
def push_refused(s):
    """The remote holds something else."""
    s.phase = "refused"


@me.action(when=lambda s: s.phase == "pushed")
def hear(s):
    """The answer arrives."""
    s.phase = "done"


@me.action(when=lambda s: s.phase == "refused")
def rebase(s):
    """I fetch, and build on what is there."""
    s.tracking, s.base, s.phase = s.tip, s.tip.theirs, "done" if s.tip.mine else "ready"


@colleague.interference("pushes", name="push", when=lambda s: not s.tip.mine)
def push_theirs(s):
    """A colleague adds a commit."""
    s.commits, s.tip.theirs = s.commits + 1, s.commits + 1


@editor.interference("fetches")
def fetch(s):
    """The tracking ref follows the remote; nothing is built on it."""
    s.tracking = s.tip


@network.interference("lost_replies", when=lambda s: s.phase == "pushed")
def lose_reply(s):
    """The answer does not arrive, and the push is done again."""
    s.phase = "ready"


@model.transition("me.push", relevant=["tip", "base"])
def no_lost_update(before, after):
    """A push replaces only commits that mine are built on."""
    return before.tip.theirs == before.base


@model.transition("me.push_refused", relevant=["tip", "base"])
def truthful_reply(before, after):
    """Commits that are in are not refused."""
    return not before.tip.mine


@model.liveness()
def finishes(s):
    """I get done."""
    return s.phase == "done"
