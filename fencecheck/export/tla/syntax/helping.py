"""Operators that the standard modules lack, each printed where a module uses it."""

from __future__ import annotations

import re

HELPERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Range": ("Range(f) == {f[x] : x \\in DOMAIN f}", ()),
    "Min": ("Min(T) == CHOOSE m \\in T : \\A n \\in T : m <= n", ()),
    "Max": ("Max(T) == CHOOSE m \\in T : \\A n \\in T : m >= n", ()),
    "Abs": ("Abs(n) == IF n < 0 THEN -n ELSE n", ()),
    "FloorDiv": (
        "\\* Floor division, as the model has it.\n"
        "FloorDiv(a, b) == IF b < 0 THEN (-a) \\div (-b) ELSE a \\div b",
        (),
    ),
    "Modulo": (
        "\\* The remainder of floor division: it has the sign of the divisor.\n"
        "Modulo(a, b) == IF b < 0 THEN -((-a) % (-b)) ELSE a % b",
        (),
    ),
    "Sum": (
        "\\* The sum of f over a set.\n"
        "Sum(f(_), T) ==\n"
        "  LET add[U \\in SUBSET T] ==\n"
        "        IF U = {} THEN 0 ELSE LET u == CHOOSE u \\in U : TRUE IN f(u) + add[U \\ {u}]\n"
        "  IN  add[T]",
        (),
    ),
    "Those": (
        "\\* What of a bag is as P says.\n"
        "Those(P(_), B) == [e \\in {x \\in DOMAIN B : P(x)} |-> B[e]]",
        (),
    ),
    "BagSum": (
        "\\* The sum of f over the elements of a bag, each as often as it is there.\n"
        "BagSum(f(_), B) == Sum(LAMBDA e : B[e] * f(e), DOMAIN B)",
        ("Sum",),
    ),
    "FoldRange": (
        "\\* Op applied to a value and each number from low to high, in order.\n"
        "FoldRange(Op(_, _), value, low, high) ==\n"
        "  LET turn[n \\in (low - 1)..high] == IF n < low THEN value ELSE Op(turn[n - 1], n)\n"
        "  IN  IF high < low THEN value ELSE turn[high]",
        (),
    ),
    "FoldSeq": (
        "\\* Op applied to a value and each element of a sequence, in order.\n"
        "FoldSeq(Op(_, _), value, seq) ==\n"
        "  LET turn[n \\in 0..Len(seq)] == IF n = 0 THEN value ELSE Op(turn[n - 1], seq[n])\n"
        "  IN  turn[Len(seq)]",
        (),
    ),
    "Ascending": (
        "\\* The members of a set as a sequence, by their ranks.\n"
        "Ascending(rank(_), T) ==\n"
        "  LET least(U) == CHOOSE u \\in U : \\A v \\in U : rank(u) <= rank(v)\n"
        "      taken[n \\in 0..Cardinality(T)] ==\n"
        "        IF n = 0 THEN << >>\n"
        "        ELSE Append(taken[n - 1], least(T \\ Range(taken[n - 1])))\n"
        "  IN  taken[Cardinality(T)]",
        ("Range",),
    ),
    "Repeated": (
        "\\* A sequence in which each element stands as often as a bag has it.\n"
        "Repeated(seq, B) ==\n"
        "  LET all[n \\in 0..Len(seq)] ==\n"
        "        IF n = 0 THEN << >>\n"
        "        ELSE all[n - 1] \\o [m \\in 1..B[seq[n]] |-> seq[n]]\n"
        "  IN  all[Len(seq)]",
        (),
    ),
    "Without": (
        "\\* A sequence without the element at a place.\n"
        "Without(seq, n) == SubSeq(seq, 1, n - 1) \\o SubSeq(seq, n + 1, Len(seq))",
        (),
    ),
    "Inserted": (
        "\\* A sequence with one more element at a place.\n"
        "Inserted(seq, n, e) == SubSeq(seq, 1, n - 1) \\o << e >> \\o SubSeq(seq, n, Len(seq))",
        (),
    ),
    "FirstAt": (
        "\\* Where an element stands first in a sequence.\n"
        "FirstAt(seq, e) == Min({n \\in 1..Len(seq) : seq[n] = e})",
        ("Min",),
    ),
}


_LOCAL = "f x S m n T U u P B e Op value low high seq turn add rank least taken all v a b"


def helpers_text(used: set[str], names: set[str]) -> list[str]:
    """Return the definitions of the operators that are used, those they need before them.

    What the module itself calls one of their own ``names`` is called otherwise in them.
    """
    needed = set(used)
    for name in reversed(HELPERS):
        if name in needed:
            needed |= set(HELPERS[name][1])
    for name in list(needed):
        needed |= {n for inner in HELPERS[name][1] for n in (inner, *HELPERS[inner][1])}
    found: list[str] = []
    for name, (body, _) in HELPERS.items():
        if name in needed:
            for word in (word for word in _LOCAL.split() if word in names):
                body = re.sub(rf"\b{word}\b", f"{word}_", body)
            found += [*body.split("\n"), ""]
    return found
