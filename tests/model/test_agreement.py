"""The lowered form means what the model's Python functions mean, state by state."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.model.parts import Model
from fencecheck.models.fence import family as fence
from tests.model.agreement import EFFECT_FAILS, GUARD_FAILS, disagreement, python_outcomes
from tests.model.snippets import effect, guard, written
from tests.models_for_tests import features, pipelined, queue, system_of, two_phase

LIMIT = 60
DISTURBED = {"edits": 1, "lost_replies": 1, "duplicates": 1, "preemptions": 1}

GUARDS = {
    "chained comparison": "return 0 < s.x < s.y <= 3 != s.x",
    "negative operands": "return s.x // -2 < s.x % 3 and -s.x % -2 == s.x // 3",
    "division by zero": "return 3 // s.x > 0",
    "remainder by zero": "return 3 % s.x == 1",
    "and stops before an error": "return s.x != 0 and 3 // s.x > 0",
    "or stops before an error": "return s.x == 0 or 3 // s.x > 0",
    "error on the left of and": "return 3 // s.x > 0 and s.b",
    "chain stops before an error": "return 0 < s.x < 3 // s.x + 2",
    "branch not taken": "return (3 // s.x if s.x != 0 else 1) > 0",
    "negative index": "return s.a[s.x] > 1",
    "index too large": "return s.a[s.x + 1] >= 0",
    "index of a sequence": "return s.q[s.x].i > 1",
    "index of a bag": "return s.pb[s.x].i > 1",
    "member of a set": "return s.x in s.st or s.y not in s.st",
    "impossible member of a set": "return s.x in s.st",
    "impossible record of a set": "return P(i=s.x, x=s.y + 1) in s.ps",
    "record of a bag": "return P(i=s.x, x=0) in s.pb",
    "count in a bag": "return s.pb.count(P(i=s.y, x=-1)) == 2",
    "name in a tuple": "return s.e in ('zed', 'mid') and s.e != 'alpha'",
    "range": "return s.x not in range(0, 2)",
    "mechanism": "return s.mode == 'wide' or s.mode != 'narrow'",
    "records": "return s.r == s.ar[0] or s.r != P(i=0, x=s.x)",
    "containers": "return s.pb == s.pb and s.a == s.a and s.st == s.st",
    "any stops before an error": "return any(s.a[s.x + i] > 0 for i in range(3))",
    "all stops before an error": "return all(s.a[s.x + i] > 0 for i in range(3))",
    "any with a filter": "return any(3 // m.x > 0 for m in s.pb if m.x != 0)",
    "an error in a filter": "return any(m.i > 0 for m in s.pb if 3 // m.x != 0)",
    "any in any": "return any(any(m.i == k for k in s.st) for m in s.pb)",
    "two loops in any": "return any(m.i == k for m in s.pb for k in s.st if k > 0)",
    "subsets": "return s.st <= s.sets[0] or s.st < {0, 1} or {s.y} > s.st or {2, 1} == s.st != {1}",
    "methods of sets": """
        some = s.st.union({s.y, s.x}).difference(s.sets[0])
        return s.st.issubset(s.sets[0]) and s.st.isdisjoint({s.x}) or len(some) == 2
        """,
    "over joined sets": "return any(i > 1 for i in s.st ^ s.sets[1]) or s.y in s.st - {1}",
    "any of truths": "return any((s.b, s.x > 0)) and not all((s.b, s.x > 0))",
    "sum with repeats": "return sum(m.i for m in s.pb) > 2",
    "sum without repeats": "return sum({m.i for m in s.pb}) > 2",
    "sum of a set in braces": "return sum({s.y, s.x}) == 1 and len({s.y, s.x, 1}) < 3",
    "extremes": "return max(s.a) > min({m.x for m in s.pb}) - max(m.i for m in s.pb)",
    "extremes of nothing": "return min((i for i in s.st if i > s.x), default=s.y - 3) < 0",
    "a default that goes wrong": "return max(s.st, default=3 // s.x) > 0",
    "an extreme that goes wrong": "return max((3 // x for x in s.a), default=0) > 0",
    "sum of truths": "return sum(x > 0 for x in s.a) > len(s.st)",
    "helper": "return positive(s, s.x) and positive(s, s.a[1])",
    "early return in a loop": """
        for m in s.pb:
            if m.x == s.x:
                return m.i > 0
        return s.b
        """,
    "early return and an error behind": """
        if s.x == 0:
            return s.b
        return 3 // s.x > 0
        """,
    "locals in branches": """
        z = s.x
        if s.b:
            z = z + 1
            if z > 2:
                z = 0
        elif z < 0:
            z = -z
        return z > 1
        """,
}
HELPER = """
def positive(s, x):
    if x < 0:
        return False
    return x > 0
"""


@pytest.mark.parametrize("body", GUARDS.values(), ids=GUARDS.keys())
def test_guards_agree(tmp_path: Path, body: str) -> None:
    """A guard is true, false or wrong in both forms."""
    assert disagreement(written(tmp_path, guard(body, HELPER)), LIMIT, "A.act") is None


EFFECTS = {
    "floor division and remainder": "s.x = (s.x // -2) % 3\ns.y = -s.x % 2",
    "division by zero": "s.x = 3 // s.x",
    "value outside its domain": "s.x += 2",
    "outside for a moment only": "s.x += 9\ns.x -= 9",
    "minimum and maximum": "s.x = min(s.x, -1, s.y) + max(abs(s.x), 1)",
    "element outside its domain": "s.st.add(s.x)",
    "taking out what cannot be in": "s.st.discard(s.x)\ns.st.discard(2)",
    "clear": "s.st.clear()\ns.pb.clear()\ns.q.clear()",
    "set of sets": "s.sets[s.y].add(s.x)\ns.sets[0].discard(0)",
    "record field outside, in a bag": "s.pb.add(P(i=0, x=s.x))",
    "record field outside, in a set": "s.ps.add(P(i=0, x=s.x))",
    "record field outside, in an array": "s.ar[1] = replace(s.ar[0], x=s.x)",
    "record field outside, read only": "z = P(i=0, x=9)\ns.x = z.x - 8",
    "full bag": "s.pb.add(P(i=2, x=1))",
    "full sequence": "s.q.append(P(i=2, x=1))",
    "removing what is absent": "s.pb.remove(P(i=0, x=-1))",
    "removing the impossible": "s.pb.remove(P(i=s.x, x=2))",
    "empty sequence": "s.r = s.q.pop(0)",
    "array index": "s.a[s.x] = 2",
    "record to and fro": "z = s.ar[0]\ns.ar[0] = s.ar[2]\ns.ar[2] = z",
    "record of before, as a parameter": "s.x = changing(s, s.r)",
    "record of before, returned": "s.ar[1] = keeping(s)",
    "container as a parameter": "put(s.st)\ns.y = total(s.pb) % 4",
    "elements to and fro": "z = s.a[0]\ns.a[0] = s.a[s.y]\ns.a[s.y] = z",
    "index after the value": "s.a[s.y] = bump(s)",
    "index before an augmented value": "s.a[s.y] += bump(s)",
    "set operators": "s.st = (s.st | s.sets[0]) - {s.y} ^ {k for k in s.sets[1] if k > 0}",
    "augmented sets": "s.st |= {s.y}\ns.sets[s.y] -= s.st\ns.sets[0] &= {1, 2}\ns.st ^= s.sets[1]",
    "set outside its domain": "s.st = s.st | {s.y + 1}",
    "set of another": "s.st = s.sets[s.y]\ns.sets[s.y].add(2)\ns.sets[1] = {0, s.y}",
    "copy of a set": "held = s.st.copy()\ns.st.clear()\ns.y = len(held | {0})",
    "removing what may be absent": "s.st.remove(s.y)",
    "sets of records": "s.ps = s.ps | {s.r} - {s.ar[0]}\ns.b = {s.r} <= s.ps",
    "set as a parameter": "s.y = total_of(s.st - {0}) + total_of(s.sets[0])",
    "field of a record": "s.r.x = s.x\ns.ar[s.y].i = 2\ns.ar[0].x += s.x",
    "field outside its domain": "s.r.x = s.x + 2",
    "record of before its field changed": "z = s.r\ns.r.x = 2\ns.ar[0] = s.r\ns.r.x = 0\ns.x = z.x",
    "field after its record changed": "s.r.x += renew(s)",
    "field of a copy elsewhere": "s.ar[1] = s.r\ns.ar[1].x = 2\ns.pb.add(s.ar[1])\ns.ar[1].x = 0",
    "ghost field of a record": "s.am[0].seen = s.g\ns.am[1].i += 1",
    "element of a bag changed": "s.pb.change(P(i=0, x=-1), x=s.x, i=s.y)",
    "element of a sequence changed": "s.q.change(P(i=0, x=-1), x=s.x)",
    "place of a sequence": "s.q[s.y] = s.r",
    "field at a place of a sequence": "s.q[s.x].x += s.y",
    "place taken out of the same": "s.q[s.q.pop(0).i].i += 1",
    "put in at a place": "s.q.insert(s.x, P(i=1, x=0))",
    "taken out by value": "s.q.remove(P(i=0, x=-1))",
    "taken out at a place": "s.r = s.q.pop(s.x)",
    "taken out at the end": "s.r = s.q.pop()",
    "name by condition": "s.e = 'mid' if s.b else ('alpha' if s.x > 0 else 'zed')",
    "records of two variables": "s.r = s.q.pop(0) if len(s.q) > 0 else P(i=0, x=0)",
    "record found in a bag": "s.r = first(s)",
    "change behind and": "s.b = s.x > 0 and bump(s) > 0",
    "change behind or": "s.b = s.x > 0 or bump(s) > 0",
    "change in a generator": "s.b = any(bump(s) > 1 for m in s.pb if m.i > 0)",
    "new content of a bag": "s.pb = bag(replace(m, x=m.x + 1) for m in s.pb if m.i > 0)",
    "new content of a set": "s.st = {k for k in s.st if k > s.x}",
    "new content outside": "s.st = {k - 1 for k in s.st}",
    "new content of one set": "s.sets[s.y] = {k for k in s.st}",
    "new content in a branch": """
        if s.b:
            s.pb = bag(m for m in s.pb if m.i > 0)
        else:
            s.st = {k for k in s.st if k > 0}
        """,
    "break": """
        for i in range(3):
            if s.a[i] > s.x:
                break
            s.a[i] = 3
        s.y = i
        """,
    "continue": """
        for m in s.pb:
            if m.x == s.x:
                continue
            z = m.i
            s.a[z] = 3
        s.y = 3
        """,
    "breaks in breaks": """
        n = 0
        for m in s.pb:
            for k in s.st:
                if k == m.i:
                    break
                if k > 1:
                    continue
                n += 1
                if n > 2:
                    return "many"
            if n > 1:
                break
            s.y = n
        s.x = n
        """,
    "ghosts of a loop that is over": """
        for v in s.a:
            if s.g:
                continue
            s.gi = v % 4
            if v > s.x:
                break
            if s.g:
                s.gi = 3
        for v in s.a:
            if s.g:
                break
        s.x = 1
        """,
    "break in a helper": "s.x = found(s, wanted=s.y)",
    "names of before a break": """
        z = 3
        for v in s.a:
            if v > s.x:
                z = v
                break
            z = 1
        s.y = z % 4
        """,
    "several targets": "a = s.x = s.y\ns.a[s.y] = s.y = min(a + 1, 3)",
    "targets to and fro": "s.y, s.a[s.y], s.r, s.ar[0] = s.a[1], s.y, s.ar[0], s.r",
    "defaults and names": "s.x = added(s, more=1)\ns.y = added(s) + added(s, 2, much=s.y)",
    "constants": "s.b = s.x in L or s.y in S or s.e in N or s.mode in F or s.r in R or s.x in E",
    "return in a loop": """
        for m in s.pb:
            if m.x == s.x:
                s.y = m.i
                return "found"
            s.a[m.i] = 3
        s.y = 3
        return "none"
        """,
    "return in a helper": "skip(s)\ns.a[0] = 1",
    "helper after an early return": "if s.b:\n    return\nbump(s)\nskip(s)",
    "helper error after an early return": "if s.x == 0:\n    return\ns.y = third(s)",
    "loop over a set": """
        z = 0
        for k in s.st:
            z = 2 * z + k
        s.y = z % 4
        """,
    "loop over a sequence": """
        z = 0
        for m in s.q:
            z = 2 * z + m.i
        s.y = z % 4
        """,
    "loop over an array": """
        z = 0
        for v in s.a:
            if v > s.x:
                z += v
        s.y = z
        """,
    "loop over a range backwards": """
        for i in range(2, -1, -1):
            if s.a[i] > 0:
                s.a[i] -= 1
        """,
    "change of what is not looped over": """
        for m in s.pb:
            s.st.add(m.i)
            if m.x < 0:
                s.q.clear()
        """,
    "ghosts": """
        s.gi = 1 if s.g else 2
        if s.g:
            s.gset.add(s.gi)
            s.gbag.add(P(i=s.gi, x=1))
        s.mb.add(M(i=0, seen=s.g))
        """,
}
EFFECT_HELPERS = """
def bump(s):
    s.y = 3 - s.y
    return 2


def first(s):
    for m in s.pb:
        if m.x == s.x:
            return m
    return s.r


def skip(s):
    if s.b:
        return
    s.y = 0


def changing(s, old):
    s.r = replace(s.r, x=1)
    return old.x


def keeping(s):
    if s.b:
        return s.r
    old = s.r
    s.r = replace(old, x=2)
    return old


def put(held):
    held.add(1)


def total(held):
    return sum(m.i for m in held)


def third(s):
    return abs(3 // s.x)


def found(s, wanted):
    for m in s.pb:
        if m.x > wanted:
            break
        if m.i == wanted:
            return m.i
    else_ = 2
    return else_


def added(s, more=2, *, much=-1):
    return more + much


L, S, N, F = [1, 2], {1, 3}, {"zed", "mid"}, frozenset({"wide"})
R, E = (P(i=0, x=1), P(i=1, x=0)), ()


def total_of(numbers):
    return sum(numbers) % 2


def renew(s):
    s.r = P(i=2, x=s.x)
    return 1
"""


@pytest.mark.parametrize("body", EFFECTS.values(), ids=EFFECTS.keys())
def test_effects_agree(tmp_path: Path, body: str) -> None:
    """An effect leads to the same state, or goes wrong in both forms."""
    assert disagreement(written(tmp_path, effect(body, EFFECT_HELPERS)), LIMIT, "A.act") is None


ORDER = {
    "a target with an effect": "s.a[s.q.pop(0).i] += 1",
    "a target and a value with effects": "s.a[s.q.pop(0).i] -= bump(s)",
    "a target whose index is changed by the value": "s.a[s.y] += 1 + bump(s)",
    "a value that changes the target": "s.y += bump(s)",
    "a local that the value reads": "z = 1\nz += bump(s) + z\ns.x = z - 2",
    "a product of a target in a helper": "s.a[moved(s)] *= 2",
    "the value before the target's index": "s.a[moved(s)] = s.y",
    "a record before what changes it": "s.b = s.r == turned(s)",
    "a record after what changes it": "s.b = turned(s) == s.r",
    "a record of an array before what changes it": "s.b = s.ar[0] == turned(s)",
    "records in a tuple": "s.b = (s.r, turned(s))[0] == s.r",
    "a record in a tuple": "s.b = s.r in (s.r, turned(s))",
    "a record chosen before it is changed": "s.b = (s.r if s.x > 0 else s.ar[0]) == turned(s)",
    "a record assigned to a place that changes it": "s.ar[moved(s)] = s.r",
    "a record and its change as arguments": "s.b = alike(s.r, turned(s))",
    "a record's field before its change": "s.b = s.r.x == turned(s).x",
    "fields in the order written": "s.r = P(x=bump(s) - 1, i=s.y)",
    "replaced after what changes it": "s.r = replace(s.r, x=turned(s).x - s.r.x)",
    "operands from left to right": "s.x = s.y - bump(s) + s.y",
    "operands of a comparison": "s.b = s.y < bump(s) + s.y",
    "the middle of a chain once": "s.b = 0 < bump(s) + s.y <= 3",
    "the end of a chain not reached": "s.b = s.x < 0 < bump(s)",
    "a chain with a record": "s.b = s.r == turned(s) == s.r",
    "arguments of min": "s.x = min(s.y, bump(s), s.y)",
    "a condition with an effect": "s.x = s.y if bump(s) > 1 else 3",
    "a branch not taken": "s.x = bump(s) if s.b else s.y",
    "an if with an effect": "if bump(s) == s.y:\n    s.x = s.y",
    "membership from left to right": "s.b = bump(s) in (s.y, 3 - s.y)",
    "an index after its tuple": "s.x = (s.y, 3 - s.y)[s.q.pop(0).i % 2]",
    "a set chosen before its member": "s.sets[s.y].add(bump(s))",
    "a set's member counted once": "s.sets[s.q.pop(0).i].add(s.y)",
    "new content before its place": "s.sets[moved(s)] = {k for k in s.st if k > s.y}",
    "what a generator changes": "s.x = sum(bump(s) + s.y for m in s.pb)",
    "a generator that stops": "s.b = any(bump(s) > m.x + s.y for m in s.pb)",
    "all that stops": "s.b = all(bump(s) + m.x == s.y for m in s.q)",
    "a list that does not stop": "s.b = any([bump(s) > 1 for m in s.pb])",
    "a tuple that does not stop": "s.b = any((bump(s) > 1, bump(s) > 1))",
    "a filter with an effect": "s.x = sum(m.i for m in s.pb if bump(s) > 0)",
    "nested generators": "s.x = sum(s.y for m in s.pb for k in range(2) if moved(s) > 0)",
    "a comprehension's own name": "z = 1\ns.y = sum(z for z in s.st) + z",
    "an argument that changes a container": "s.b = same_size(s.pb, emptied(s))",
    "a container against what changes it": "s.b = s.q == dropped(s)",
    "popped in a comparison": "s.b = s.q.pop(0) == s.q.pop(0)",
    "popped in a record": "s.r = P(i=s.q.pop(0).i, x=s.q.pop(0).x)",
    "appended to itself": "s.q.append(s.q.pop(0))",
    "truths as numbers": "s.y = sum((s.b, s.x > 0, True))",
    "loop over a tuple with effects": "for v in (s.y, bump(s), s.y):\n    s.x = v - 1",
}
ORDER_HELPERS = """
def bump(s):
    s.y = 3 - s.y
    return 2


def moved(s):
    s.y = (s.y + 1) % 3
    s.r = replace(s.r, i=s.y)
    return s.y


def turned(s):
    s.r = replace(s.r, x=1 - s.r.x)
    s.ar[0] = s.r
    return s.r


def alike(one, other):
    return one == other


def emptied(s):
    s.pb.clear()
    return s.pb


def dropped(s):
    s.q.pop(0)
    return s.q


def same_size(one, other):
    return len(one) == len(other)
"""


@pytest.mark.parametrize("body", ORDER.values(), ids=ORDER.keys())
def test_everything_is_evaluated_once_and_in_order(tmp_path: Path, body: str) -> None:
    """What an expression changes is changed once, and seen by what stands behind it alone."""
    assert disagreement(written(tmp_path, effect(body, ORDER_HELPERS)), LIMIT, "A.act") is None


CONTAINERS = {
    "array": ("s.c = s.a == s.a2", "s.a[0] = s.a2[0]"),
    "array of truths": ("s.c = s.t == s.t2", "s.t[0] = s.b"),
    "array of records": ("s.c = s.ar == s.ar2", "s.ar[0] = s.ar2[0]"),
    "array of sets": ("s.c = s.sets == s.sets2", "s.sets[1].add(1)"),
    "array of arrays": ("s.c = s.m == s.m2", "s.m[0][1] = 1"),
    "row of an array": ("s.c = s.m[0] == s.m2[1]", "s.m[0][1] = 1"),
    "row among rows": ("s.c = s.m[0] in s.m2", "s.m[0][1] = 1"),
    "set": ("s.c = s.st == s.st2", "s.st.add(1)"),
    "set of records": ("s.c = s.ps == s.ps2", "s.ps.add(s.r)"),
    "bag": ("s.c = s.pb == s.pb2", "s.pb.clear()"),
    "sequence": ("s.c = s.q == s.q2", "s.q.clear()"),
    "set with new content": ("s.st = {k for k in s.sets[0]}\ns.c = s.st == s.st2", "s.x = 0"),
    "one of an array with new content": (
        "s.sets[0] = {k for k in s.st}\ns.c = s.sets == s.sets2 or s.sets[0] == s.sets2[0]",
        "s.x = 0",
    ),
    "bag with new content": ("s.pb = bag(m for m in s.pb2)\ns.c = s.pb != s.pb2", "s.x = 0"),
}
MORE_CONTAINERS = """
model.variable("c", Bool())
model.variable("t", Array(I, Bool()))
model.variable("t2", Array(I, Bool()), (False, True, True))
model.variable("a2", Array(I, Int(-2, 3)), (0, 1, 2))
model.variable("ar2", Array(I, P))
model.variable("sets2", Array(I, Set(I)), ((0,), (), ()))
model.variable("m", Array(I, Array(I, Int(0, 1))))
model.variable("m2", Array(I, Array(I, Int(0, 1))))
model.variable("st2", Set(I), (0,))
model.variable("ps2", Set(P))
model.variable("pb2", Bag(P, 2))
model.variable("q2", Seq(P, 2))


@A.action(i=I, x=Int(-1, 0))
def fill_others(s, i, x):
    "Put something into the containers to compare with."
    s.st2.add(i)
    s.sets2[0].add(i)
    s.t2[i] = x < 0
    if len(s.q2) < 2:
        s.q2.append(P(i=i, x=x))
        s.pb2.add(P(i=i, x=x))
        s.ps2.add(P(i=i, x=x))
        s.ar2[i] = P(i=i, x=x)
"""


@pytest.mark.parametrize("before", [True, False], ids=["changed before", "changed after"])
@pytest.mark.parametrize("case", CONTAINERS.values(), ids=CONTAINERS.keys())
def test_containers_are_compared_by_content(
    tmp_path: Path, case: tuple[str, str], before: bool
) -> None:
    """A container that the effect writes equals one it does not write if the contents are equal."""
    compare, change = case
    lines = [change, compare] if before else [compare, change]
    code = MORE_CONTAINERS + "\n\n" + effect("\n".join(lines))
    assert disagreement(written(tmp_path, code), LIMIT) is None


AFTER_NEW_CONTENT = {
    "one more than fits": "s.pb = bag(m for m in s.pb)\ns.pb.add(s.r)\ns.pb.remove(s.r)",
    "a record outside": "s.pb = bag(m for m in s.pb)\ns.pb.add(P(i=0, x=9))\ns.pb.clear()",
    "new records outside": "s.pb = bag(replace(m, x=9) for m in s.pb)\ns.pb.clear()",
    "twice as many": "s.pb = bag(m for m in s.pb for k in range(2))\ns.pb.clear()",
    "a member outside": "s.st = {k for k in s.st}\ns.st.add(s.x)\ns.st.discard(3)",
    "members outside": "s.st = {k + 1 for k in s.st}\ns.st = {k - 1 for k in s.st}",
    "members of one set outside": "s.sets[0] = {k + 1 for k in s.st}\ns.sets[0].discard(3)",
    "negative index": "s.pb = bag(m for m in s.pb)\ns.r = s.pb[s.x]",
    "what is absent": "s.pb = bag(m for m in s.pb if m.x > 0)\ns.pb.remove(s.r)",
    "impossible members": "s.st = {k for k in s.st}\ns.st.discard(9)\ns.st.discard(s.x)",
}


@pytest.mark.parametrize("body", AFTER_NEW_CONTENT.values(), ids=AFTER_NEW_CONTENT.keys())
def test_new_content_is_held_to_the_domain_at_once(tmp_path: Path, body: str) -> None:
    """A bag or set assigned as a whole refuses what one changed in place refuses."""
    assert disagreement(written(tmp_path, effect(body)), LIMIT, "A.act") is None


def test_refill_then_change(tmp_path: Path) -> None:
    """A bag or set that was assigned as a whole can be changed in the same effect."""
    code = effect(
        """
        s.pb = bag(m for m in s.pb if m.x > 0)
        s.pb.add(P(i=0, x=0))
        s.st = {k for k in s.st if k > 0}
        s.st.add(0)
        if P(i=0, x=0) in s.pb:
            s.pb.remove(P(i=0, x=0))
        s.pb.add(P(i=1, x=0))
        """
    )
    assert disagreement(written(tmp_path, code), LIMIT, "A.act") is None


CHOICES = {
    "elements of a bag": ('m=Each("pb", "i")', "s, m", "s.pb.remove(m)\ns.y = m.i"),
    "elements of a set": ('i=Each("st")', "s, i", "s.st.discard(i)\ns.y = i"),
    "records of a set": ('m=Each("ps", "i", "x")', "s, m", "s.ps.discard(m)\ns.x = m.x"),
    "bag and number": ('m=Each("pb"), v=Int(-1, 1)', "s, m, v", "s.x = m.x + v"),
    "two bags": ('m=Each("pb"), i=Each("st")', "s, m, i", "s.a[i] = m.i"),
    "name and truth": ('e=Enum("zed", "alpha", "mid"), b=Bool()', "s, e, b", "s.e = e\ns.b = b"),
}


@pytest.mark.parametrize(("params", "names", "body"), CHOICES.values(), ids=CHOICES.keys())
def test_parameters_agree(tmp_path: Path, params: str, names: str, body: str) -> None:
    """The ways an action can happen come in the same order, repeats once."""
    lines = body.replace("\n", "\n    ")
    code = f'@A.action({params})\ndef act({names}):\n    """Act."""\n    {lines}\n'
    assert disagreement(written(tmp_path, code), LIMIT, "A.act") is None


PROPERTIES = """
@model.invariant(trigger=lambda s: 3 // s.x > 0)
def wrong_trigger(s):
    "The trigger goes wrong where x is 0."
    return s.y > 0


@model.invariant()
def wrong_state(s):
    "Goes wrong where x is negative."
    return s.a[s.x] >= 0


@model.transition("A.fill", trigger=lambda before, after: before.pb != after.pb)
def grows(before, after):
    "Nothing disappears."
    return all(m in after.pb for m in before.pb) and len(before.st) <= len(after.st)


@model.transition()
def wrong_step(before, after):
    "Goes wrong in some steps."
    return before.q == after.q or after.a[before.x + after.x] > 0


@model.deadlock()
def quiet(s):
    "Reads a ghost, as properties may."
    return not s.g and len(s.gset) == 0


@model.possibility()
def can(s):
    "Some state."
    return s.e == "zed" and any(m.seen for m in s.mb)
"""


def test_properties_agree(tmp_path: Path) -> None:
    """A property's truth, its trigger and its errors are the same in both forms."""
    assert disagreement(written(tmp_path, PROPERTIES), 40) is None


@pytest.mark.parametrize("mode", ["wide", "narrow"])
def test_a_mechanism_is_read_in_the_run(tmp_path: Path, mode: str) -> None:
    """One lowered form serves all designs; a switch is known when a run starts."""
    code = effect("s.y = 3 if s.mode == 'wide' else 0\ns.e = 'mid' if s.mode != 'wide' else s.e")
    assert disagreement(written(tmp_path, code, {"mode": mode}), LIMIT, "A.act") is None


MADE = """
def make(step, low):
    def effect(s):
        "Act."
        s.y = step + low

    A.action(name=f"act{step}", when=lambda s: s.y != step and s.x >= low)(effect)


for i in range(2):
    make(i, -1)
BOTH = [lambda s: s.x > 0, lambda s: s.x < 0]
A.action(when=BOTH[0], name="up")(lambda s: s.st.add(1))
A.action(when=BOTH[1], name="down")(lambda s: s.st.discard(1))
A.action(name="inner", when=(lambda s: lambda s: s.x > 1)(0))(lambda s: s.st.clear())
"""


def test_functions_that_were_made_agree(tmp_path: Path) -> None:
    """Closures bring their values, and lambdas that share a line are told apart."""
    assert disagreement(written(tmp_path, MADE), LIMIT) is None


def test_interference_spends_its_budget(tmp_path: Path) -> None:
    """An effect sees one less of its budget, and without budget nothing happens."""
    code = '@A.interference("faults")\ndef act(s):\n    """Act."""\n    s.y = 2 + s.faults\n'
    assert disagreement(written(tmp_path, code), LIMIT, "A.act") is None


def test_errors_are_seen_in_both_forms(tmp_path: Path) -> None:
    """The comparison does compare: these guards and effects do go wrong, each by itself."""
    one = written(tmp_path, guard("return 3 // s.x > 0"))
    assert ("A.act", GUARD_FAILS) in python_outcomes(one, one.initial)
    other = written(tmp_path, effect("s.x = 3 // s.x"))
    assert ("A.act", EFFECT_FAILS) in python_outcomes(other, other.initial)


@pytest.mark.parametrize(
    ("model", "bounds", "limit"),
    [
        (pipelined.model, {"edits": 2, "retries": 2, "lost_acks": 1, "duplicates": 1}, 400),
        (two_phase.model, {"managers": 3}, 288),
        (queue.model, {"items": 3, "losses": 1}, 300),
        (features.model, {"faults": 1}, 150),
    ],
    ids=["pipelined", "two_phase", "queue", "features"],
)
def test_models_agree(model: Model, bounds: dict[str, int], limit: int) -> None:
    """The models of these tests mean the same in both forms."""
    assert disagreement(system_of(model, **bounds), limit) is None


def test_an_unfenced_pipeline_agrees() -> None:
    """So does the variant in which the invariant breaks."""
    system = system_of(
        pipelined.model, {"fenced": False}, edits=1, retries=1, lost_acks=1, duplicates=1
    )
    assert disagreement(system, 300) is None


@pytest.mark.parametrize(
    ("mechanisms", "bounds"),
    [
        ({}, DISTURBED),
        ({"fence": "none", "precondition": "off"}, DISTURBED),
        ({"fence": "plan", "journal": "memory"}, {**DISTURBED, "files": 2, "swaps": 1}),
        (
            {"journal": "atomic", "compensation": "full", "retention": "checkpoint"},
            {**DISTURBED, "test_failures": 1, "truncations": 1},
        ),
        (
            {
                "journal": "separate",
                "journal_key": "step+base",
                "ids": "fresh",
                "stamp": "exec",
                "precondition": "restamped",
                "retry": "restamp",
                "check": "split",
                "overlap": "on",
                "admission": "overlap",
            },
            {**DISTURBED, "files": 2, "drifts": 1},
        ),
    ],
    ids=["default", "no fence", "plan fence", "compensation", "everything else"],
)
def test_the_fence_family_agrees(mechanisms: dict[str, str], bounds: dict[str, int]) -> None:
    """Family fence means the same in both forms, under designs that use every mechanism."""
    assert disagreement(system_of(fence.model, mechanisms, **bounds), 120) is None
