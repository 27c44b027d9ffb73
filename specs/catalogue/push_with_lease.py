"""A rebased branch is pushed over a shared one, into which a colleague pushes too."""

from fencecheck.model import Bool, Enum, Int, Model

model = Model("push_with_lease", "A push that replaces a shared branch")
model.budget("pushes", "commits that a colleague pushes meanwhile")
model.budget("fetches", "fetches that an editor does in the background")
model.budget("lost_replies", "answers of the remote that do not arrive")
model.mechanism("lease", ("none", "tracking", "included", "commit"), "none", "what the remote has to hold: anything; what the tracking ref says; that, if it was built on; a commit named")  # fmt: skip  # noqa: E501

COMMIT = Int(0, lambda k: k.pushes, lambda n, k: f"commit {n}")
me, colleague = model.actor("me"), model.actor("colleague", "interference")
editor, network = model.actor("editor", "interference"), model.actor("network", "interference")
remote = model.store("remote")
model.variable("tip", COMMIT, owner=remote, doc="the colleague's newest commit there")
model.variable("mine_in", Bool(), owner=remote, doc="whether my commits are there")
model.variable("tracking", COMMIT, owner=me, doc="the remote-tracking ref")
model.variable("tracks_mine", Bool(), owner=me)
model.variable("base", COMMIT, owner=me, doc="the commit that mine are built on")
model.variable("phase", Enum("ready", "pushed", "refused", "done"), owner=me)


def is_granted(s):
    """The remote holds what the lease says; a tracking ref knows nothing of an unheard success."""
    if s.lease == "none":
        return True
    if s.mine_in != s.tracks_mine:
        return False
    if s.lease == "included" and s.tracking != s.base:
        return False
    return s.tip == (s.base if s.lease == "commit" else s.tracking)


@me.action(when=lambda s: s.phase == "ready" and is_granted(s))
def push(s):
    """The remote takes my commits in place of what it held."""
    s.mine_in = True
    s.tip = s.base
    s.phase = "pushed"


@me.action(when=lambda s: s.phase == "ready" and not is_granted(s))
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
    s.tracking = s.tip
    s.base = s.tip
    s.tracks_mine = s.mine_in
    s.phase = "done" if s.mine_in else "ready"


@colleague.interference("pushes", name="push", when=lambda s: not s.mine_in)
def push_theirs(s):
    """A colleague adds a commit."""
    s.tip += 1


@editor.interference("fetches")
def fetch(s):
    """The tracking ref follows the remote; nothing is built on it."""
    s.tracking = s.tip
    s.tracks_mine = s.mine_in


@network.interference("lost_replies", when=lambda s: s.phase == "pushed")
def lose_reply(s):
    """The answer does not arrive, and the push is done again."""
    s.phase = "ready"


@model.transition("me.push", relevant=["tip", "base"])
def no_lost_update(before, after):
    """A push replaces only commits that mine are built on."""
    return before.tip == before.base


@model.transition("me.push_refused", relevant=["tip", "base"])
def truthful_reply(before, after):
    """Commits that are in are not refused."""
    return not before.mine_in


@model.liveness()
def finishes(s):
    """I get done."""
    return s.phase == "done"
