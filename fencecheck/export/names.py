"""Names of a model as identifiers that Murphi, Promela and C take, each once; texts as comments."""

from __future__ import annotations

import re

# words that mean something in one of the languages, in small letters, and macros of pan.c
_TAKEN = set(
    """
abs alias and array assert assume auto begin bit body bool boolean break by byte case char clear
const continue cover default do double else elsif end endalias endexists endfor endforall
endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile enum
error exists extern externs false float for forall from function goto if imply in inline int
invariant isundefined ismember liveness long ltl multiset multisetadd multisetcount multisetremove
multisetremovepred namespace not now of or put proctype procedure program put range real record
register restrict return rule ruleset scalarset select short signed sizeof startstate state static
struct switch symmetry then this to true type typedef undefine undefined union unsigned var void
volatile while active atomic chan d_proctype d_step eval fi full hidden init len mtype nempty never
nfull notrace np_ od pc_value pid printf printm priority provided run skip timeout trace unless xr
xs depth cas final max maxseq0 minseq0 mix pptr qptr q_sz rand rot uchar uint ulong ushort wasnew
num word fail look say representative main exit
""".split()  # noqa: SIM905
)
_ODD = re.compile(r"\W+", re.ASCII)


class Names:
    """Gives names that were not given before."""

    def __init__(self) -> None:
        self.taken = set(_TAKEN)

    def rule(self, text: str) -> str:
        """Return the name of a rule, which stands behind a word and ``_``."""
        return self._new(_identifier(text), ("can_{}", "do_{}"))

    def field(self, text: str) -> str:
        """Return the name of a field, which also stands behind ``new_``."""
        return self._new(_identifier(text), ("{}", "new_{}"))

    def _new(self, name: str, shapes: tuple[str, ...]) -> str:
        while {shape.format(name).lower() for shape in shapes} & self.taken:
            name += "_"
        self.taken |= {shape.format(name).lower() for shape in shapes}
        return name


def _identifier(text: str) -> str:
    """Return a text as letters, digits and ``_``, which no local variable looks like (n12)."""
    found = _ODD.sub("_", text).strip("_") or "unnamed"
    return f"{found}_" if re.fullmatch(r"[nN]?\d+.*", found) else found


def comment_text(text: str) -> str:
    """Return a text as one line of ASCII without what ends a comment or a string."""
    line = " ".join(text.split()).encode("ascii", "backslashreplace").decode()
    return re.sub(r"[\"\\{}]|\*/|/\*|--|//", "'", line)
