"""What is outside the subset is refused at load, with the place, what was seen, what to write.

Each case is a few lines added to the model of snippets.py; ``# here`` marks the line that the
message must name.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fencecheck.errors import ModelError
from tests.model.snippets import effect, guard, written

Z = 'Z = Record("Z", flag=Bool())\n'
EXPRESSIONS = {
    "s.x ** 2 > 1": ("`s.x ** 2` is outside the subset", "write +, -, *, // or %"),
    "s.x / 2 > 1": ("`s.x / 2` is outside the subset", "write +, -, *, // or %"),
    "s.x > 1.5": ("1.5 is outside the subset", "write whole numbers, True, False or strings"),
    "f'{s.x}' == 'a'": ("(JoinedStr) is outside the subset", "write comparisons, arithmetic"),
    "len([i for i in s.st]) > 1": ("(ListComp) is outside the subset", "any/all/sum"),
    "{1: s.b}[1]": ("(Dict) is outside the subset", "write comparisons, arithmetic"),
    "sorted(s.st) == 1": ("unknown name sorted", "use a name of the file or of the function"),
    "s.xx > 1": ("no variable, mechanism or bound xx", ""),
    "s.mod == 'wide'": ("no variable, mechanism or bound mod", 'did you mean "mode"?'),
    "s.r.ii == 1": ("P has no field ii", 'did you mean "i"?'),
    "any(m.ii == 1 for m in s.pb)": ("P has no field ii", 'did you mean "i"?'),
    "s.st.size == 1": ("`s.st.size`: only the state and records", "write s.name or record.field"),
    "s.r == s.x": ("a P is compared with a whole number", "of one kind"),
    "s.b == s.x": ("a truth is compared with a whole number", "compare values of one kind"),
    "s.x == None": ("a whole number is compared with no value", "compare values of one kind"),
    "s.x == 'zed'": (
        'a whole number is compared with the literal "zed"',
        "compare values of one kind",
    ),
    "s.r == P(i=0, z=1)": ("P has no field z", "it has i, x"),
    "s.r == P(i=0)": ("P(...) lacks x", "write all of i, x"),
    "s.r == P(0, 1)": ("P(...) takes its fields by name", "write field=value"),
    "Z(flag=True) == s.r": ("Z is in no variable of the model", "use records that variables hold"),
    "s.st[0] == 1": ("s.st[0]`: st (set) has no elements by number", "iterate over sets"),
    "(1, 2)[s.x] == 1": ("index that can be negative", "index a tuple with 0 or more"),
    "NAMES[0] == s.e": ("has no order", "index a tuple with 0 or more"),
    "s.b + 1 > 1": (
        "`s.b` is a truth where a whole number is needed",
        "write (1 if ... else 0) for a truth",
    ),
    "not s.x": ("`s.x` is a whole number where true or false is needed", "write a comparison"),
    "s.b and s.x": ("`s.x` is a whole number where true or false is needed", "write a comparison"),
    "len(s.st) or s.b": ("where true or false is needed", "write a comparison"),
    "~s.x == 1": ("`~s.x` is outside the subset", "write not or -"),
    "s.x // 0 == 1": ("`s.x // 0` divides by zero", "write another divisor"),
    "(s.x if s.b else s.b) == 1": (
        "the two cases differ in kind: a whole number and a truth",
        "give both the same kind",
    ),
    "s.e == 'middle'": ('"middle" is not one of zed, alpha, mid', ""),
    "s.e == 'alfa'": ('"alfa" is not one of zed, alpha, mid', 'did you mean "alpha"?'),
    "s.x is s.y": ("`s.x is s.y` is outside the subset", "write == or !="),
    "s.e < 'mid'": ('< between a name and the literal "mid"', "only whole numbers have an order"),
    "s.b < True": ("< between a truth and a truth", "only whole numbers have an order"),
    "'a' == 'a'": ("two literals are compared", "compare a variable or mechanism with a literal"),
    "s.e == s.mode": ("one of zed, alpha, mid is compared with one of wide", "of one Enum"),
    "s.r == M(i=0, seen=True)": ("P is compared with M", "compare records of one kind"),
    "s.st == s.sets[s.y]": ("st (set) is compared with sets (set)", "compare their elements"),
    "s.a == s.st": ("a (array) is compared with st (set)", "compare their elements"),
    "s.pb == s.other": ("pb (bag) is compared with other (bag)", "compare their elements"),
    "s.small == s.pb": ("small (bag) is compared with pb (bag)", "compare their elements"),
    "s.pb == s.small": ("pb (bag) is compared with small (bag)", "compare their elements"),
    "s.low == s.st": ("low (set) is compared with st (set)", "compare their elements"),
    "any(m.x > 0 for m in s.x)": ("cannot iterate over a whole number", "write range(...)"),
    "any(i > 0 for i in I)": ("cannot iterate over an Index", "write range(...)"),
    "s.pb.index(s.r) == 0": ("pb.index() is outside the subset", "a bag has: add, change"),
    "s.e.upper() == 'ZED'": ("`s.e.upper()`: a name has no such method here", "only containers"),
    "s.pb.count(element=s.r) > 0": ("pb.count() takes no names of arguments", "pass them in order"),
    "any(*s.a)": ("* and ** in a call are outside the subset", "write the arguments out"),
    "helper(s, y=1) > 1": ("helper: it takes (s, x)", "here it is given y="),
    "helper(s, 1, x=1) > 1": ("helper: it takes (s, x)", "here it is given x twice"),
    "helper(s) > 1": ("helper: it takes (s, x)", "here it needs 1 argument(s)"),
    "endless(s, 1) > 1": ("endless calls itself", "write a bounded loop"),
    "A(s) > 1": ("`A` cannot be called in the subset", "use len, min, max, abs, any, all, sum"),
    "s.r == replace(i=1)": ("replace takes one record", "write replace(m, field=value)"),
    "s.r == replace(s.r, z=1)": ("P has no field z", "it has i, x"),
    "any(i > 0 for i in range(s.x))": ("`range(s.x)` depends on the state", "range over a bound"),
    "any(i > 0 for i in range(0, 3, 0))": ("never moves on", "write a step other than 0"),
    "len() > 1": ("`len()` has 0 arguments", "it takes 1"),
    "abs(s.x, s.y) > 1": ("`abs(s.x, s.y)` has 2 arguments", "it takes 1"),
    "any(i > 0 for i in range(1, 2, 3, 4))": ("has 4 arguments", "it takes 1 to 3"),
    "min(s.x) > 1": ("cannot iterate over a whole number", "write range(...)"),
    "min(s.pb) > 1": ("`min(s.pb)` is over a P", "give whole numbers"),
    "max((i for i in s.st), default=s.b) > 1": ("is a truth", "write a number, or None"),
    "max(1, 2, default=3) > 1": ("max takes no default= here", "give it values in order"),
    "any(s.a)": ("`any(s.a)` is over a whole number", "write a comparison"),
    "any(m.x for m in s.pb)": ("is over a whole number", "write a comparison"),
    "sum(s.r for i in s.a) > 1": ("adds a P", "add whole numbers"),
    "any(s.b, s.b)": ("`any(s.b, s.b)` takes one argument", "write any(... for ... in ...)"),
    "any(a > b for a, b in s.a)": ("a comprehension binds one name", "write for x in ..."),
    "z > 1": ("unknown name z", "use a name of the file or of the function"),
    "s.big * s.big * s.big > 1": ("can grow beyond 62 bits", "bound it with min() or %"),
    "nothing(s) > 1": ("no value", ""),
}
MORE = """
NAMES = frozenset(["mid", "zed"])
Q = Record("Q", x=Int(-1, 2), i=I)
model.variable("small", Bag(P, 1))
model.variable("other", Bag(Q, 2))
model.variable("low", Set(Int(-1, 1)))
model.variable("big", Int(0, 2**30))


def helper(s, x):
    return x


def endless(s, x):
    return endless(s, x)


def nothing(s):
    if s.b:
        return 1


def dropped(s):
    s.pb.clear(){dropped}
    return s.b


def stepped(s):
    s.y = 1
    return 1


def same_size(one, other):
    return len(one) == len(other){same_size}


def renewed(s):
    s.st = {{k for k in s.st}}
    return s.st


def renewed_one(s):
    s.sets[0] = {{k for k in s.st}}
    return s.sets[0]


def renew(s, held):
    s.st = {{i for i in s.st if i > 0}}{renew}
"""


def more(body: str = "") -> str:
    """Return MORE with the mark in that helper that a message about ``body`` must name."""
    names = ("dropped", "same_size", "renew")
    marked = "# here" not in body
    return MORE.format(**{n: "  # here" if marked and f"{n}(" in body else "" for n in names})


ELSEWHERE = ("helper(s) > 1", "helper(s, y=1) > 1", "helper(s, 1, x=1) > 1", "endless(s, 1) > 1")


def refusal(folder: Path, code: str) -> str:
    """Return the message with which a model is refused, its first line checked for its place."""
    with pytest.raises(ModelError) as caught:
        written(folder, code)
    (file,) = folder.glob("*.py")
    lines = [i + 1 for i, line in enumerate(file.read_text().splitlines()) if "# here" in line]
    message = str(caught.value)
    if lines:
        assert message.startswith(f"{file}:{lines[0]}: in "), message
    return message


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_outside_the_subset(tmp_path: Path, expression: str) -> None:
    """An expression that cannot be lowered is named with its line."""
    seen, instead = EXPRESSIONS[expression]
    mark = "" if expression in ELSEWHERE else "  # here"
    code = Z + guard(f"return {expression}{mark}", more())
    message = refusal(tmp_path, code)
    assert seen in message
    assert instead in message


STATEMENTS = {
    "while s.x > 0:  # here\n    s.x -= 1": ("(While) is outside the subset", "write assignments"),
    "try:  # here\n    s.x = 1\nfinally:\n    s.y = 1": ("(Try) is outside the subset", "write"),
    "assert s.x > 0, s.e  # here": ("an assertion says `s.e`", "write a text: assert"),
    "z: int = 1  # here": ("(AnnAssign) is outside the subset", "write assignments, if, for"),
    "s.x  # here": ("`s.x` has no effect", "assign it or leave it out"),
    "for v in s.a:\n    if v > 0:\n        break\n    z = 1\ns.x = z  # here": (
        "z may have no value here (a break or continue may come before it)",
        "assign it first",
    ),
    "for v in s.a:\n    if v > 0:\n        continue\n    z = 1\ns.x = z  # here": (
        "z may have no",
        "",
    ),
    "for v in (1, True):\n    if s.b:\n        break\ns.b = v  # here": ("v may have no value", ""),
    "for v in s.a:\n    if s.g:\n        break\n    s.x = 1  # here": ("x depends on ghost g", ""),
    "for v in s.a:\n    if s.g:\n        continue\n    s.x = 1  # here": (
        "x depends on ghost g",
        "",
    ),
    "z = 0\nfor v in s.a:\n    if s.g:\n        break\n    z = 1\ns.x = z  # here": ("ghost g", ""),
    "for v in s.a:  # here\n    s.x = v\nelse:\n    s.y = 1": (
        "a for binds one name and has no else",
        "write for x in ...:",
    ),
    "for v, w in s.a:  # here\n    s.x = v": ("a for binds one name", "write for x in ...:"),
    "for v in {s.x, s.y}:  # here\n    s.x = v": ("`{s.x, s.y}` has no order here", "a tuple"),
    "for v in s.x:  # here\n    s.y = 1": ("cannot iterate over a whole number", "range(...)"),
    "y, z = s.a  # here": ("`(y, z)` is given a (array)", "write 2 values, as in a, b = b, a"),
    "y, z = 1, 2, 3  # here": ("`(y, z)` is given a list of values", "write 2 values"),
    "y, *z = 1, 2  # here": ("`*z` cannot be assigned", ""),
    "s.pb[0] = s.r  # here": ("`s.pb[0]` cannot be assigned", "write s.x = ... or s.x[i] = ..."),
    "s.pb[0].x = 1  # here": ("`s.pb[0]` is no place", "write pb.change(element, field=value)"),
    "z = s.q[0:1]  # here": ("`s.q[0:1]` is a part of a container", "read its elements singly"),
    "s.pb.change(s.r)  # here": (
        "changes fields of one element",
        "pb.change(element, field=value)",
    ),
    "s.pb.change(s.r, z=1)  # here": ("P has no field z", "it has i, x"),
    "s.st.change(1, x=1)  # here": ("st.change() is outside the subset", "a set has: add, clear"),
    "s.q.insert(s.r)  # here": ("q.insert() takes 2 argument(s), not 1", "insert(place, element)"),
    "s.q.insert(s.b, s.r)  # here": ("a truth is no place in q", "write a whole number"),
    "for m in s.ar:\n    s.ar[0].x = 1  # here": ("ar.x is changed while a loop runs over it", ""),
    "z = s.st  # here": ("st gets a second name", "use the variable itself"),
    "s.r.z = 1  # here": ("P has no field z", "it has i, x"),
    "z = s.r\nz.i = 1  # here": ("records do not change", "write z = replace(z, i=...), or s.x.i"),
    "for m in s.pb:\n    m.i = 1  # here": ("records do not change", "write m = replace(m, i=...)"),
    "z = 1\nz.i = 1  # here": ("`z.i` is not a place in the state", "write s.x = ..."),
    "s.mode = 'wide'  # here": ("mode is a mechanism or bound", "only variables change"),
    "s.n = 1  # here": ("n is a mechanism or bound", "only variables change"),
    "s.xx = 1  # here": ("no variable, mechanism or bound xx", ""),
    "s.r = M(i=0, seen=True)  # here": ("a M where a P is needed", "write P(...)"),
    "s.pb.add(M(i=0, seen=True))  # here": ("a M where a P is needed", "write P(...)"),
    "s.ps.add(M(i=0, seen=True))  # here": ("a M where a P is needed", "write P(...)"),
    "s.a = s.a  # here": ("a is assigned as a whole", "assign its elements in a loop"),
    "s.pb = bag([])  # here": ("bag takes one generator", "write bag(... for m in s.x)"),
    "s.pb = s.pb  # here": ("pb is assigned `s.pb`", "write s.x = bag(... for m in s.x)"),
    "s.st = (1, 2)  # here": ("st is assigned `(1, 2)`", "or change it in place"),
    "s.b = s.st + s.st  # here": ("`s.st + s.st` is no operator of sets", "write |, &, - or ^"),
    "s.st = s.st | 1  # here": ("a whole number stands where a set is needed", "in braces"),
    "s.st = s.st.union(s.st, s.st)  # here": ("union() of a set has 2 arguments", "it takes 1"),
    "for k in s.st | {1}:  # here\n    s.y = k": ("`s.st | {1}` has no order here", ""),
    "held = s.st | {1}\nheld.add(2)  # here": ("a list of values has no such method", ""),
    "s.st = s.gset | s.st  # here": ("st depends on ghost gset", ""),
    "s.q = bag(m for m in s.q)  # here": ("q is assigned `bag((m for m in s.q))`", "in place"),
    "s.x = bag(m for m in s.q)  # here": ("x is assigned `bag((m for m in s.q))`", "in place"),
    "renew(s, s.st)": (
        "st is assigned while held still means what it was",
        "use the variable itself in place of a parameter",
    ),
    "s.b = any(dropped(s) for m in s.pb)": (
        "pb is changed while a loop runs over it",
        "collect first",
    ),
    "s.b = any(k > 0 for k in s.st if s.st.clear() or dropped(s))  # here": (
        "st is changed while a loop runs over it",
        "",
    ),
    "s.y = sum(stepped(s) for k in {s.x, s.y})  # here": ("`{s.x, s.y}` has no order here", ""),
    "s.b = same_size(s.st, renewed(s))": (
        "st is assigned while an expression still means what it was",
        "assign it in a statement of its own before",
    ),
    "s.b = s.st == renewed(s)  # here": ("st is assigned while an expression still means", ""),
    "s.st.add(len(renewed(s)))  # here": ("st is assigned while an expression still means", ""),
    "s.b = s.sets[0] == renewed_one(s)  # here": ("sets is assigned while an expression", ""),
    "s.x = s.b  # here": ("a truth where -2 to 3 is needed", "write a value of that kind"),
    "s.b = 1  # here": ("a whole number where true or false is needed", "of that kind"),
    "s.e = 'middle'  # here": ('"middle" is not one of zed, alpha, mid', ""),
    "s.e = s.mode  # here": ("a name where one of zed, alpha, mid is needed", "of that kind"),
    "s.pb.add()  # here": ("pb.add() takes 1 argument(s), not 0", ""),
    "s.st.add(1, 2)  # here": ("st.add() takes 1 argument(s), not 2", ""),
    "s.st.pop()  # here": ("st.pop() is outside the subset", "a set has: add, clear, copy"),
    "s.q.add(s.r)  # here": ("q.add() is outside the subset", "a seq has: append, change, clear"),
    "s.q.pop(0, 1)  # here": ("q.pop() takes 1 argument(s), not 2", "write pop(0) for the first"),
    "s.q.pop(-1)  # here": ("q has no places below 0", "write pop() for the last element"),
    "for m in s.pb:\n    s.pb.remove(m)  # here": (
        "pb is changed while a loop runs over it",
        "collect first",
    ),
    "for v in s.a:\n    s.a[1] = v  # here": ("a is changed while a loop runs over it", ""),
    "if s.b:\n    z = 1\ns.y = z  # here": (
        "z may have no value here (it is set on some paths only)",
        "assign it first",
    ),
    "s.y = later  # here\nlater = 1": ("later may have no value here", "assign it first"),
    "for later in s.st:\n    s.y = 1\ns.y = later  # here": (
        "later may have no value here",
        "assign it first",
    ),
    "s.big = s.big * s.big * s.big  # here": ("can grow beyond 62 bits", "min() or %"),
    "s.y = nothing(s)  # here": ("no value", ""),
}


@pytest.mark.parametrize("body", STATEMENTS)
def test_statements_outside_the_subset(tmp_path: Path, body: str) -> None:
    """A statement that cannot be lowered is named with its line."""
    seen, instead = STATEMENTS[body]
    message = refusal(tmp_path, effect(body, "later = 3\n" + more(body)))
    assert seen in message
    assert instead in message


READING = {
    "s.st.add(1)  # here\n    return True": "st is changed; only effects may change the state",
    "s.x = 1  # here\n    return True": "x is changed; only effects may change the state",
    "bump(s)\n    return True": "y is changed; only effects may change the state",
}


@pytest.mark.parametrize("body", READING)
@pytest.mark.parametrize("kind", ["guard", "invariant", "goal"])
def test_only_effects_change_the_state(tmp_path: Path, body: str, kind: str) -> None:
    """Guards, properties and goals read the state, and so do the functions they call."""
    text = f'def reading(s):\n    "Read."\n    {body}\n\ndef bump(s):\n    s.y = 1{{}}\n'
    code = text.format("  # here" if "bump" in body else "") + effect("s.y = 0")
    code += {
        "guard": 'A.action(when=reading, name="other")(act.effect)',
        "invariant": "model.invariant()(reading)",
        "goal": "model.goal = reading",
    }[kind]
    assert READING[body] in refusal(tmp_path, code)


NO_TRUTH = [
    "return s.x  # here",
    "if s.b:  # here\n    return True",
    "if s.b:\n    return True\nreturn  # here",
    "pass  # here",
]


@pytest.mark.parametrize("body", NO_TRUTH)
def test_a_guard_returns_a_truth_on_all_paths(tmp_path: Path, body: str) -> None:
    """A guard that gives a number, or nothing on some path, is refused."""
    message = refusal(tmp_path, guard(body))
    assert "in guard_of_act: it does not return true or false; return a comparison" in message


def test_parameters_have_the_names_declared(tmp_path: Path) -> None:
    """Guard and effect take the state and the declared parameters by their names."""
    code = '@A.action(i=I)\ndef act(s, j):  # here\n    "Act."\n    s.y = j\n'
    assert "in act: it takes (s, j); here it needs (s, i)" in refusal(tmp_path, code)


def test_parameters_have_names(tmp_path: Path) -> None:
    """No parameter stands for any number of arguments."""
    code = guard("return more(s)", "def more(s, *x):\n    return True\n")
    assert "more: write each parameter by its name, without * and **" in refusal(tmp_path, code)


def test_a_function_needs_a_source(tmp_path: Path) -> None:
    """What was made without a file cannot be read."""
    made = 'scope = {}\nexec("def made(s):\\n    return True", scope)\nmade = scope["made"]\n'
    message = refusal(tmp_path, made + guard("return made(s)"))
    assert "<string>:1: made: its source cannot be read; keep models in .py files" in message


def test_a_guard_is_a_function(tmp_path: Path) -> None:
    """Objects that can be called are no functions of the subset."""
    code = '@A.action(when=len)\ndef act(s):\n    "Act."\n    s.y = 1\n'
    assert "is not a Python function; write one with def or lambda" in refusal(tmp_path, code)


LAMBDAS = """
import ast

from fencecheck.model.lower.source import source_of


def made(limit):
    return (lambda s: s.x < limit), (lambda s: s.x > limit)


both = [lambda s: s.x < 3, lambda s: s.x < 2, lambda s: s.y < 2, lambda s: s.x < 3.0, lambda: 1]
deep = [lambda s: any(k > 0 for k in s.st), lambda s: any(k > 1 for k in s.st), *made(1)]
for function in both + deep:
    print(ast.unparse(source_of(function).body[0]))
"""


def test_lambdas_on_one_line_are_told_apart_without_columns(tmp_path: Path) -> None:
    """Where Python keeps no columns of its code, each lambda is still read as it is written."""
    script = tmp_path / "lambdas.py"
    script.write_text(LAMBDAS)
    command = [sys.executable, "-X", "no_debug_ranges", str(script)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines == [
        "return s.x < 3",
        "return s.x < 2",
        "return s.y < 2",
        "return s.x < 3.0",
        "return 1",
        "return any((k > 0 for k in s.st))",
        "return any((k > 1 for k in s.st))",
        "return s.x < limit",
        "return s.x > limit",
    ]


def test_two_lambdas_on_one_line_are_told_apart(tmp_path: Path) -> None:
    """The message and the meaning are those of the right one."""
    code = (
        '@A.action(when=lambda s: s.y == 1, label=lambda s: "y")\ndef one(s):\n    "One."\n'
        "    s.y = 2\n\n\nboth = [lambda s: s.y == 1, lambda s: s.yy == 1]  # here\n"
        '@A.action(when=both[1])\ndef act(s):\n    "Act."\n    s.y = 1\n'
    )
    assert "in lambda: the model has no variable, mechanism or bound yy" in refusal(tmp_path, code)


GHOSTS = {
    "a guard": guard("return s.g  # here"),
    "a guard by a container": guard("return len(s.gset) > 1  # here"),
    "a guard by membership": guard("return 1 in s.gset  # here"),
    "a guard by count": guard("return s.gbag.count(P(i=0, x=0)) > 0  # here"),
    "a guard by an element": guard("return s.gbag[0].i > 0  # here"),
    "a guard by a field": guard("return any(m.seen for m in s.mb)  # here"),
    "a guard by a field in an array": guard("return s.am[0].seen  # here"),
    "a guard by a field in a set": guard("return any(m.seen for m in s.ms)  # here"),
    "a guard by equality of records": guard("return M(i=0, seen=True) in s.mb  # here"),
    "a guard by a record of a set": guard("return M(i=0, seen=True) in s.ms  # here"),
    "a guard by the size of a set": guard("return len(s.ms) > 1  # here"),
    "a guard by count of records": guard("return s.mb.count(M(i=0, seen=True)) > 0  # here"),
    "a guard by equality of bags": guard("return s.mb == s.mb2  # here"),
    "a guard by equality of arrays": guard("return s.am == s.am2  # here"),
    "a guard by an index": guard("return s.q[s.gi].i > 0  # here"),
    "a guard by an early return": guard("if s.g:\n    return True\nreturn s.b  # here"),
    "a guard by a helper": guard("return which(s) == 1  # here"),
    "a guard by a local": guard("z = 1\nif s.g:\n    z = 2\nreturn z == 1  # here"),
    "a plain variable": effect("s.b = s.g  # here"),
    "a plain variable by a choice": effect("s.y = 1 if s.g else 2  # here"),
    "a plain variable by and": effect("s.b = s.b and s.g  # here"),
    "a plain variable by a chain": effect("s.b = 0 < s.x < s.gi  # here"),
    "a plain variable by a branch": effect("if s.g:\n    s.y = 1  # here"),
    "a plain variable by the other branch": effect("if s.g:\n    pass\nelse:\n    s.y = 1  # here"),
    "a plain variable by a local": effect("z = 0\nif s.g:\n    z = 1\ns.y = z  # here"),
    "a plain variable by an early return": effect("if s.g:\n    return\ns.y = 1  # here"),
    "a plain variable by a helper": effect("s.y = which(s)  # here"),
    "a plain variable by a loop": effect("for i in s.gset:\n    s.a[i] = 0  # here"),
    "a plain variable by a count": effect("z = 0\nfor i in s.gset:\n    z += 1\ns.y = z  # here"),
    "a plain variable by a sum": effect("s.y = sum(1 for i in s.gset)  # here"),
    "a plain variable by a return in a loop": effect(
        "for i in s.gset:\n    return\ns.y = 1  # here"
    ),
    "a plain variable by an element": effect("s.y = s.gq.pop(0).i  # here"),
    "the place of a change": effect("s.a[s.gi] = 1  # here"),
    "a value read at a ghost's place": effect("s.y = s.a[s.gi]  # here"),
    "an element of a tuple": effect("s.y = (1, 2, 3, 4)[s.gi]  # here"),
    "a plain field": effect("s.r = P(i=0, x=s.gi)  # here"),
    "a plain field in a bag": effect("s.pb.add(P(i=0, x=s.gi))  # here"),
    "a plain field in a set": effect("s.ps.add(P(i=0, x=s.gi))  # here"),
    "what is in a bag": effect("if s.g:\n    s.pb.add(P(i=0, x=0))  # here"),
    "what is in a bag with ghost fields": effect("s.mb = bag(m for m in s.mb if m.seen)  # here"),
    "what is in a set": effect("if s.g:\n    s.st.discard(1)  # here"),
    "which record leaves a set": effect("s.ms.discard(M(i=0, seen=s.g))  # here"),
    "what a sequence loses": effect("if s.g:\n    s.q.pop(0)  # here"),
    "what is cleared": effect("if s.g:\n    s.pb.clear()  # here"),
    "what a helper changes": effect("if s.g:\n    change(s)"),
    "what a helper changes late": effect("late(s)"),
}
GHOST_HELPERS = """
model.variable("mb2", Bag(M, 2))
model.variable("am2", Array(I, M))


def which(s):
    if s.g:
        return 1
    return 2


def change(s):
    s.y = 1{change}


def late(s):
    if s.g:
        return
    s.y = 1{late}
"""


@pytest.mark.parametrize("code", GHOSTS.values(), ids=GHOSTS.keys())
def test_no_mechanism_reads_a_ghost(tmp_path: Path, code: str) -> None:
    """Neither guards nor plain variables depend on a ghost, whatever the way round."""
    marks = {name: "  # here" if f"{name}(s)" in code else "" for name in ("change", "late")}
    message = refusal(tmp_path, code + GHOST_HELPERS.format(**marks))
    assert "reads ghost" in message or "depends on ghost" in message
    assert "no mechanism may read a ghost" in message or "what the system itself knows" in message


@pytest.mark.parametrize(
    "code",
    [
        '@A.action(m=Each("gbag"))\ndef act(s, m):\n    "Act."\n    s.y = 1\n',
        '@A.action(i=Each("gset"))\ndef act(s, i):\n    "Act."\n    s.y = 1\n',
    ],
    ids=["bag", "set"],
)
def test_no_action_ranges_over_a_ghost(tmp_path: Path, code: str) -> None:
    """What can happen may not depend on a ghost container."""
    message = refusal(tmp_path, code)
    assert "A.act: parameter" in message
    assert "ranges over ghost g" in message


@pytest.mark.parametrize("param", ['m=Each("mb")', 'm=Each("ms")'], ids=["bag", "set"])
def test_an_element_brings_its_ghost_fields(tmp_path: Path, param: str) -> None:
    """The ghost field of a parameter is as much a ghost as that of the variable."""
    code = f'@A.action({param}, when=lambda s, m: m.seen)  # here\ndef act(s, m):\n    "Act."\n'
    assert "the guard of A.act reads ghost" in refusal(tmp_path, code + "    s.y = 1\n")


FINE = {
    "ghost from ghost": "s.gi = 1 if s.g else 2\nif s.g:\n    s.g = s.b",
    "ghost containers": "if s.g:\n    s.gset.add(s.gi)\n    s.gbag.add(P(i=s.gi, x=s.gi))",
    "ghost field": "s.mb.add(M(i=0, seen=s.g))\ns.am[1] = M(i=1, seen=s.g)",
    "ghost field in a set": "s.ms.add(M(i=0, seen=s.g))",
    "ghost field changed": "s.mb = bag(replace(m, seen=True) for m in s.mb)",
    "ghost field kept": "s.ms = {m for m in s.ms if m.i > 0}",
    "outcome": "if s.g:\n    return 'one'\ns.g = True\nreturn 'other'",
    "plain after a ghost's helper": "fill_gi(s)\ns.y = 1",
    "plain record of a bag with ghosts": "for m in s.mb:\n    s.y = m.i",
}


@pytest.mark.parametrize("body", FINE.values(), ids=FINE.keys())
def test_ghosts_may_depend_on_ghosts(tmp_path: Path, body: str) -> None:
    """What only ghosts learn from ghosts is accepted."""
    more = "\ndef fill_gi(s):\n    if s.g:\n        return\n    s.gi = 1\n"
    assert written(tmp_path, effect(body, more)).actions[-1].name == "A.act"


def test_properties_read_ghosts(tmp_path: Path) -> None:
    """Ghosts are there for properties."""
    code = '@model.invariant()\ndef p(s):\n    "P."\n    return s.g or any(m.seen for m in s.ms)\n'
    assert [p.name for p in written(tmp_path, code).properties()] == ["p"]
