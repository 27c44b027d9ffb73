"""Small models, each the least that shows one defect of a judgement of properties."""

from tests.models_for_tests import HEADER

TRIANGLE = (
    HEADER
    + '''
model = Model("triangle", "A cycle beside the one that excuses it")
model.variable("at", Enum("a", "b", "c"), "b")
w = model.actor("w")


@w.action(when=lambda s: s.at == "b")
def {retry}(s):
    """Try."""
    s.at = "c"


@w.action(when=lambda s: s.at == "c")
def back(s):
    """Fall back."""
    s.at = "b"


@w.action(when=lambda s: s.at == "b")
def progress(s):
    """Get on."""
    s.at = "a"


@w.action(when=lambda s: s.at == "a")
def again(s):
    """Begin again."""
    s.at = "b"


@model.recurrence("w.{retry}")
def only_through_a(s):
    """Retries for ever pass through a."""
    return s.at == "a"


@model.liveness()
def reaches_a(s):
    """It comes to a."""
    return s.at == "a"
'''
).replace("{retry}", "retry")

STEPS = (
    HEADER
    + '''
model = Model("steps", "Steps that do not count from 0")
model.budget("helps", "help from outside")
model.bound("ways", 2, "ways to help")
model.variable("x", Enum("waiting", "done"))
one = model.actor("one")
noise = model.actor("noise", "interference")


@noise.interference("helps", STEP, when=lambda s, step: s.x == "waiting")
def help(s, step):
    """Somebody helps."""
    s.x = "done"


@one.action(STEP)
def idle(s, step):
    """Nothing happens."""


@model.possibility()
def done(s):
    """It can be done without help."""
    return s.x == "done"


@model.liveness()
def comes(s):
    """It will be done."""
    return s.x == "done"
'''
)

NAMED = (
    HEADER
    + '''
model = Model("named", "An event whose name has brackets")
model.variable("on", Bool())
w = model.actor("w")


@w.action(name="{name}")
def toggle(s):
    """On or off."""
    s.on = not s.on


@model.recurrence("w.{name}")
def ends(s):
    """It does not toggle for ever."""
    return False
'''
)

RAISING = (
    HEADER
    + '''
model = Model("raising", "A truth that cannot be evaluated where x is 0")
model.variable("x", Int(0, 3), 3)
w = model.actor("w")


@w.action(when=lambda s: s.x > 0)
def down(s):
    """One less."""
    s.x -= 1


{property}
'''
)
RAISING_PROPERTIES = {
    "possibility": '@model.possibility()\ndef p(s):\n    """P."""\n    return 6 // s.x == 2',
    "liveness": '@model.liveness()\ndef p(s):\n    """P."""\n    return 6 // s.x == 2',
    "leads_to": (
        '@model.leads_to(lambda s: s.x == 3)\ndef p(s):\n    """P."""\n    return 6 // s.x == 2'
    ),
    "lead of leads_to": (
        '@model.leads_to(lambda s: 6 // s.x == 2)\ndef p(s):\n    """P."""\n    return s.x == 0'
    ),
    "recurrence": '@model.recurrence("w.down")\ndef p(s):\n    """P."""\n    return 6 // s.x == 2',
    "trigger of liveness": (
        "@model.liveness(trigger=lambda s: 6 // s.x == 2)\n"
        'def p(s):\n    """P."""\n    return s.x == 0'
    ),
    "trigger of a transition, of one state": (
        "@model.transition(trigger=lambda s: 6 // s.x == 2)\n"
        'def p(before, after):\n    """P."""\n    return after.x < before.x'
    ),
}

JOBS = (
    HEADER
    + '''
model = Model("jobs", "A server that may choose whom it serves")
model.bound("jobs", 2, "who waits")
model.variable("served", Array(Index("jobs"), Bool()))
server = model.actor("server")


@server.action({job}=Index("jobs"){fair})
def serve(s, {job}):
    """One is served, perhaps again."""
    s.served[{job}] = True


@model.liveness()
def all_served(s):
    """Everyone is served in the end."""
    return all(served for served in s.served)
'''
)
