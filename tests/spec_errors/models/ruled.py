"""A counter with a rule that combines two of its switches, and a bound."""

from fencecheck.model import Int, Model

model = Model("ruled", "A counter with a rule")
model.bound("limit", 2, "how far it counts")
model.mechanism("count", ("off", "on"), "on", "whether it counts")
model.mechanism("log", ("off", "on"), "off", "whether it writes down what it counts")
model.variable("value", Int(0, lambda k: k.limit))
counter = model.actor("counter")


@model.rule
def log_needs_count(k):
    return "log = on needs count = on" if k.log == "on" and k.count == "off" else None


@model.rule
def log_is_short(k):
    return "log = on needs limit below 3" if k.log == "on" and k.limit > 2 else None


@counter.action(when=lambda s: s.count == "on" and s.value < s.limit)
def advance(s):
    s.value += 1


@model.invariant()
def small(s):
    """The counter stays within its limit."""
    return s.value <= s.limit
