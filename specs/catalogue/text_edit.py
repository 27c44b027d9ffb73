"""An edit finds its place by the text there: an agent sends it, and a tool applies it."""

from text_places import PLACE, fits, text_places

from fencecheck.model import Enum, Model

model = Model("text_edit", "An edit that finds its place by the text")
model.include(text_places)
model.budget("edits", "edits of the first place by a human")
model.budget("lost_replies", "answers of the tool that the agent does not hear")
model.mechanism("known", ("off", "on"), "off", "whether an edit that is in is told to be done")
agent, tool = model.actor("agent"), model.actor("tool")
human, network = model.actor("human", "interference"), model.actor("network", "interference")
model.variable("call", Enum("none", "sent", "applied", "refused", "done"), owner=agent)


def is_new(s):
    return s.call == "sent" and (s.known == "off" or s.text[0] != "new")


@agent.action(when=lambda s: s.call == "none")
def send(s):
    """The agent asks for the edit."""
    s.call = "sent"


@tool.action(place=PLACE, when=lambda s, place: is_new(s) and fits(s, place))
def apply(s, place):
    """The tool replaces the text there."""
    s.text[place] = "new"
    s.call = "applied"


@tool.action(when=lambda s: s.call == "sent" and not is_new(s))
def recognise(s):
    """The tool finds its own text."""
    s.call = "applied"


@tool.action(when=lambda s: is_new(s) and not fits(s, 0) and not fits(s, 1))
def refuse(s):
    """The tool finds no place."""
    s.call = "refused"


@agent.action(when=lambda s: s.call in ("applied", "refused"))
def hear(s):
    """The agent is done, or reads the file again."""
    s.call = "done" if s.call == "applied" or s.text[0] == "new" else "none"
    s.read[0], s.read[1] = s.text[0], s.text[1]


@network.interference("lost_replies", when=lambda s: s.call in ("applied", "refused"))
def lose_reply(s):
    """The agent hears nothing, and the same edit is sent again."""
    s.call = "sent"


@human.interference("edits", to=Enum("near", "other"), when=lambda s, to: s.text[0] == "old")
def edit(s, to):
    """A human edits the first place, a little or beyond recognition."""
    s.text[0] = to


@model.transition("tool.apply", relevant=["text"])
def right_place(before, after, place):
    """The edit goes where it was meant to."""
    return place == 0


@model.transition("tool.apply", relevant=["text", "read"])
def no_lost_update(before, after, place):
    """The edit replaces text as the agent read it."""
    return before.text[place] == before.read[place]


@model.transition("tool.refuse", relevant=["text"])
def truthful_reply(before, after):
    """An edit that is in is not refused."""
    return before.text[0] != "new"


@model.liveness()
def finishes(s):
    """The agent gets done."""
    return s.call == "done"
