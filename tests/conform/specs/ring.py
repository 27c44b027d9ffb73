"""A token goes round a ring from wherever it is: a model with several initial states."""

from fencecheck.model import Index, Int, Model

model = Model("ring", "A token that goes round")
model.bound("nodes", 3, "nodes of the ring")
NODE = Index("nodes", "n")
node = model.actor("node")
model.variable("token", NODE, owner=node)
model.variable("moves", Int(0, 4), owner=node)


@model.initial(n=NODE)
def somewhere(s, n):
    """The token is at any node."""
    s.token = n


@node.action(n=NODE, when=lambda s, n: s.token == n and s.moves < 4)
def hand_on(s, n):
    """A node hands the token to the next."""
    s.token = (n + 1) % s.nodes
    s.moves += 1


@model.invariant()
def few_moves(s):
    """It stops."""
    return s.moves <= 4
