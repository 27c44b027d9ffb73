"""An edit finds its place by the text there: a file has two places, which may look alike."""

from fencecheck.model import Array, Enum, Index, Model

model = Model("text_edit", "An edit that finds its place by the text")
model.budget("edits", "edits of the first place by a human")
model.budget("lost_replies", "answers of the tool that the agent does not hear")
model.mechanism("loose", ("off", "on"), "off", "whether text that is nearly the same will do")
model.mechanism("whole", ("off", "on"), "off", "whether the file has to be as it was read")
model.mechanism("unique", ("off", "on"), "off", "whether the text must stand in one place only")
model.mechanism("known", ("off", "on"), "off", "whether an edit that is in is told to be done")
model.mechanism("twin", ("old", "near", "other"), "old", "the second place", environment=True)

PLACE, TEXT = Index(2, "place "), Enum("old", "near", "other", "new")
agent, tool, file = model.actor("agent"), model.actor("tool"), model.store("file")
human, network = model.actor("human", "interference"), model.actor("network", "interference")
model.variable("text", Array(PLACE, TEXT), lambda k: ("old", k.twin), owner=file)
model.variable("read", Array(PLACE, TEXT), lambda k: ("old", k.twin), owner=agent)
model.variable("call", Enum("none", "sent", "applied", "refused", "done"), owner=agent)


def is_like(s, place):
    return s.loose == "on" and s.text[place] in ("old", "near") and s.read[0] in ("old", "near")


def fits(s, place):
    """The first place with the same text; where there is none, the first with nearly the same."""
    if s.whole == "on" and any(s.text[p] != s.read[p] for p in range(2)):
        return False
    if any(s.text[p] == s.read[0] for p in range(2)):
        alone = s.unique == "off" or s.text[0] != s.text[1]
        return alone and s.text[place] == s.read[0] and (place == 0 or s.text[0] != s.read[0])
    return is_like(s, place) and (place == 0 or not is_like(s, 0))


def is_known(s):
    return s.known == "on" and s.text[0] == "new"


@agent.action(when=lambda s: s.call == "none")
def send(s):
    """The agent asks for the edit."""
    s.call = "sent"


@tool.action(
    place=PLACE, when=lambda s, place: s.call == "sent" and not is_known(s) and fits(s, place)
)
def apply(s, place):
    """The tool replaces the text there."""
    s.text[place] = "new"
    s.call = "applied"


@tool.action(when=lambda s: s.call == "sent" and is_known(s))
def recognise(s):
    """The tool finds its own text."""
    s.call = "applied"


@tool.action(
    when=lambda s: s.call == "sent" and not is_known(s) and not any(fits(s, p) for p in range(2))
)
def refuse(s):
    """The tool finds no place."""
    s.call = "refused"


@agent.action(when=lambda s: s.call == "applied" or s.call == "refused")
def hear(s):
    """The agent is done, or reads the file again."""
    s.call = "done" if s.call == "applied" or s.text[0] == "new" else "none"
    for p in range(2):
        s.read[p] = s.text[p]


@network.interference("lost_replies", when=lambda s: s.call == "applied" or s.call == "refused")
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
