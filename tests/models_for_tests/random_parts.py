"""The text of a model by chance rewritten with parts; what it means stays as it was, or is refused.

Helpers become methods of parts, some of a class that stands on another; variables are read and
assigned by their names, and what acts belongs to a part that the model includes with a stronger
guard, or without one of its events.
"""

from __future__ import annotations

import random
import re

_HELPER = re.compile(r"^def (helper\d+)\((s.*?)\):\n((?:    .*\n|    .*\Z)+)", re.M)
_VARIABLE = re.compile(r"\bs\.([a-z]\w*)\b(?!\()")
_ACT = re.compile(r"^def (act\d+)\((s.*?)\):", re.M)
_NO_VARIABLES = ("n", "mode", "faults")


def in_parts(text: str, seed: int) -> str:
    """Return a program of random_programs.py, written with parts."""
    chance = random.Random(seed)
    helpers = [match[1] for match in _HELPER.finditer(text) if chance.random() < 0.5]
    for name in helpers:
        text = re.sub(rf"(?<!def )\b{name}\(", f"held_{name}.{name}(", text)
    text = _HELPER.sub(lambda found: _method(found, helpers), text)
    text = _VARIABLE.sub(lambda found: _by_name(found, chance), text)
    text = re.sub(r"^(one|two|noise) = model\.", r"\1 = acting.", text, flags=re.M)
    text = text.replace('one = acting.actor("one")', 'acting = Part("acting")\n\\g<0>', 1)
    text = text.replace("\\g<0>", 'one = acting.actor("one")')
    return text + _inclusion(text, chance)


def _method(found: re.Match[str], helpers: list[str]) -> str:
    name, taken, body = found.groups()
    if name not in helpers:
        return found[0]
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    if int(name[-1]) % 2:
        given = re.sub(r"=\w+", "", taken)
        above = f"        return super().{name}({given})\n"
        classes = _class(f"Below_{name}", "Part", name, taken, lines)
        classes += _class(f"Of_{name}", f"Below_{name}", name, taken, above)
    else:
        classes = _class(f"Of_{name}", "Part", name, taken, lines)
    return f'{classes}held_{name} = Of_{name}("held_{name}")\nmodel.include(held_{name})\n'


def _class(own: str, base: str, name: str, taken: str, lines: str) -> str:
    return f"class {own}({base}):\n    def {name}(self, {taken}):\n{lines}\n"


def _by_name(found: re.Match[str], chance: random.Random) -> str:
    name = found[1]
    return found[0] if name in _NO_VARIABLES or chance.random() < 0.7 else f's["{name}"]'


def _inclusion(text: str, chance: random.Random) -> str:
    """Return how the part of what acts is included: one event guarded, and one perhaps left out."""
    acts = dict(_ACT.findall(text))
    events = re.findall(r"^@(one|two|noise)\.\w+\(.*\ndef (\w+)\(", text, re.M)
    plain = [event for event in events if event[1] in acts]
    if not plain:  # all of them are alternatives
        return "model.include(acting)\n"
    actor, verb = chance.choice(plain)
    inner = [f"{a}.{v}" for a, v in events[1:-1] if v in acts and v != verb and a != "noise"]
    without = [name for name in inner if chance.random() < 0.3 and f"'{name}'" not in text]
    guard = chance.choice(("s.b", "s.x > 0", "not s.b or s.x == 0"))
    return (
        f'model.include(acting, without={without}, guard={{"{actor}.{verb}": '
        f"lambda {acts[verb]}: {guard}}})\n"
    )
