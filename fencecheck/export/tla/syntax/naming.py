"""Names of a model as identifiers of TLA+, each with one meaning; texts as comments."""

from __future__ import annotations

import re
import textwrap

# what a module begins with, and what its standard modules define
_WORDS = """
S vars Become Begin Init Next System Interference Spec FairSpec Fair TypeOK None Nat Int Seq Len
Head Tail Append SubSeq SelectSeq IsFiniteSet Cardinality IsABag BagToSet SetToBag BagIn
EmptyBag CopiesIn BagUnion SubBag BagOfAll BagCardinality Print PrintT Assert JavaTime TLCGet
TLCSet Permutations SortSeq RandomElement Any ToString TLCEval BOOLEAN STRING TRUE FALSE IF THEN
ELSE LET IN CASE OTHER CHOOSE EXCEPT ENABLED UNCHANGED DOMAIN SUBSET UNION LAMBDA MODULE EXTENDS
INSTANCE WITH LOCAL CONSTANT CONSTANTS VARIABLE VARIABLES ASSUME ASSUMPTION AXIOM THEOREM LEMMA
RECURSIVE PROOF BY DEF DEFS HAVE HIDE NEW OBVIOUS OMITTED PICK PREFIX PROPOSITION PROVE QED SF_
STATE SUFFICES TAKE TEMPORAL USE WF_ WITNESS ACTION COROLLARY DEFINE ONLY
"""
_TAKEN = frozenset(_WORDS.split())
_ODD = re.compile(r"\W+", re.ASCII)


def camel(name: str) -> str:
    """Return a name as that of an operator: ``actor.verb_more`` is ``ActorVerbMore``."""
    words = [word for word in re.split(r"[\W_]+", name, flags=re.ASCII) if word]
    found = "".join(word[0].upper() + word[1:] for word in words)
    return found if re.search("[A-Za-z]", found[:1]) else f"The{found}"


def identifier(name: str) -> str:
    """Return a name as that of a variable or parameter."""
    found = _ODD.sub("_", name).strip("_") or "unnamed"
    return found if re.search("[A-Za-z]", found) and not found[0].isdigit() else f"n{found}"


class Identifiers:
    """Gives names that mean nothing yet; one that is taken gets an underscore or a number."""

    def __init__(self) -> None:
        self.taken = set(_TAKEN)

    def give(self, wanted: str) -> str:
        """Return a new name of the module."""
        name = self.free(wanted, ())
        self.taken.add(name)
        return name

    def free(self, wanted: str, used: object) -> str:
        """Return a name that neither the module nor ``used``, names of one operator, has."""
        inner: set[str] = set(used)  # type: ignore[call-overload]
        name = wanted
        if name in self.taken or name.startswith(("WF_", "SF_")):
            name = f"{wanted}_"
        count = 1
        while name in self.taken or name in inner:
            count += 1
            name = (
                f"{wanted.rstrip('0123456789')}{count}"
                if wanted[-1:].isdigit()
                else (f"{wanted}{count}")
            )
        return name


def ascii_line(text: str) -> str:
    """Return a text as one line of ASCII that ends no comment."""
    line = " ".join(text.split()).encode("ascii", "backslashreplace").decode()
    return line.replace("(*", "( *").replace("*)", "* )")


def comment(text: str, indent: str = "") -> list[str]:
    """Return a text as lines of a comment."""
    lead = f"{indent}\\* "
    width = 100 - len(lead)
    return [lead + line for line in textwrap.wrap(ascii_line(text), width)]
