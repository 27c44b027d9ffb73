"""Part `cell`: a value that several change, and what it is recognized by.

Whoever reads it keeps a version (`file.read(s)`, of domain `file.Version`), and writes with the
version that the write was made from. What is compared, the identity, is the part's `identity`:

- `content`: the bytes themselves, or their digest;
- `counter`: a number that every change raises, and a touch too;
- `time`: a coarse clock, in one tick of which a value can change unnoticed;
- `part`: some of the content, so that a change elsewhere goes unnoticed;
- `none`: nothing, so that every version fits.
"""

from fencecheck.model import Bool, Int, Part, Record, replace
from fencecheck.models.library.options import asked

ABSENT, ORIGINAL = -1, 0
IDENTITIES = ("content", "counter", "time", "part", "none")
UNNOTICED = {"time": "in_the_same_tick", "part": "elsewhere"}


def content_in_words(content, k):
    return {ABSENT: "absent", ORIGINAL: "original"}.get(content, content)


CAN_HAVE = ("edits", "touches", "reverts", "checkpoint", "refusals")
VERBS = {"edits": "edit", "touches": "touch", "reverts": "revert"}
BUDGETS = {"edits": "edits of", "touches": "touches that change nothing of", "reverts": "undos of"}


class Cell(Part):
    """A value that the model writes and deletes ``writes`` times in all, and people change.

    It ``has`` what is asked for: edits, touches, reverts by people, a checkpoint, and a judgement
    of refusals. With ``absent`` it is not there at first.
    """

    value: str
    made: str
    kept: str
    lost: str
    refused: str
    Version: Record
    start: tuple[int, ...]
    identity: str
    marked: bool
    any_fits: bool

    def __init__(self, name, identity="content", *, writes=2, has=("edits",), absent=False):
        super().__init__(name, f"{name}, recognized by {identity}")
        (self.identity,) = asked(name, identity, IDENTITIES)
        self.any_fits = identity == "none"
        self.marked = identity in ("counter", "time", "part")
        has = asked(name, has, CAN_HAVE)
        budgets = {what: f"{name}_{what}" for what in BUDGETS if what in has}

        def changes(k):
            return writes + sum(getattr(k, budget) for budget in budgets.values())

        where, first = self.store(name), ABSENT if absent else ORIGINAL
        content = Int(ABSENT, changes, content_in_words)
        if self.marked:
            self.Version = Record(f"{name.title()}Version", content=content, mark=Int(0, changes))
            self.start = self.Version(content=first, mark=0)
        else:
            self.Version = Record(f"{name.title()}Version", content=content)
            self.start = self.Version(content=first)
        self.value = self.variable(name, self.Version, self.start, owner=where)
        self.made = self.variable(f"{name}_made", Int(0, changes), owner=where, told=False)
        self.lost = self.ghost(f"{name}_lost", Bool(), owner=where)
        self.named(f"{name}_nothing_lost", self.invariant(relevant=[name])(self.nothing_lost))
        if "checkpoint" in has:
            self.kept = self.variable(f"{name}_kept", self.Version, self.start, owner=where)
        if "refusals" in has:
            self.refused = self.ghost(f"{name}_refused_wrongly", Bool(), owner=where)
            self.named(f"{name}_no_false_refusal", self.invariant()(self.no_false_refusal))
        self.people(name, budgets)

    def people(self, name, budgets):
        """Declare what people do to the value, as far as it was asked for."""
        human = self.actor("human", "interference")
        effects = {"edits": self.edit, "touches": self.mark, "reverts": self.revert}
        for what, budget in budgets.items():
            self.budget(budget, f"{BUDGETS[what]} {name}")
            human.interference(budget, name=f"{VERBS[what]}_{name}")(effects[what])
        if "edits" in budgets and self.identity in UNNOTICED:
            verb = f"edit_{name}_{UNNOTICED[self.identity]}"
            human.interference(budgets["edits"], name=verb)(self.edit_unnoticed)

    # -- what others do with it -----------------------------------------------------------------
    def read(self, s):
        """The version that is there now."""
        return s[self.value]

    def exists(self, s):
        return s[self.value].content != ABSENT

    def fits(self, s, seen):
        """Tell whether a version is taken for the one that is there."""
        if self.any_fits:
            return True
        if self.marked:
            return seen.mark == s[self.value].mark
        return seen.content == s[self.value].content

    def write(self, s, seen):
        """New content, made from what was seen, replaces what is there."""
        self.replaced(s, seen)
        self.change(s)

    def delete(self, s, seen):
        self.replaced(s, seen)
        s[self.value] = replace(s[self.value], content=ABSENT)
        self.mark(s)

    def refuse(self, s, seen):
        """A write is refused, which is wrong where nothing had changed."""
        if seen.content == s[self.value].content:
            s[self.refused] = True

    def keep(self, s):
        """A checkpoint is taken."""
        s[self.kept] = s[self.value]

    def restore(self, s, seen):
        """The checkpoint replaces what is there; whoever does that knows the version seen."""
        self.replaced(s, seen)
        s[self.value] = replace(s[self.value], content=s[self.kept].content)
        self.mark(s)

    # -- what becomes of it ---------------------------------------------------------------------
    def replaced(self, s, seen):
        if seen.content != s[self.value].content:
            s[self.lost] = True

    def change(self, s):
        self.edit_unnoticed(s)
        self.mark(s)

    def edit(self, s):
        """Somebody changes the value."""
        self.change(s)

    def edit_unnoticed(self, s):
        """Somebody changes the value, and its identity stays the same."""
        s[self.made] += 1
        s[self.value] = replace(s[self.value], content=s[self.made])

    def mark(self, s):
        """The value is touched: its identity changes, where that is more than its content."""
        if self.marked:
            s[self.value] = replace(s[self.value], mark=s[self.value].mark + 1)

    def revert(self, s):
        """Somebody puts the original back."""
        s[self.value] = replace(s[self.value], content=ORIGINAL)
        self.mark(s)

    # -- what must hold -------------------------------------------------------------------------
    def nothing_lost(self, s):
        """Nothing is replaced that its writer had not seen."""
        return not s[self.lost]

    def no_false_refusal(self, s):
        """No write is refused while the value is the one that it was made from."""
        return not s[self.refused]
