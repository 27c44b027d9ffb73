"""Part `record`: what is written down under a key, so that work is done once.

A key is absent, in progress, or done. Whoever begins claims it; whoever is asked again finds it
and answers instead of doing the work. What was done is counted beside it, which only properties
see, so that a record that lies is found out.
"""

from fencecheck.model import Array, Enum, Ghost, Int, Part, Record, replace

STATES = Enum("absent", "in_progress", "done")
COUNT = Int(0, 2, lambda count, k: "twice" if count == 2 else str(count))


class KeyRecord(Part):
    """Records under the keys of an Index, bound to a ``payload`` where that is a domain.

    ``abandons`` says whether a claim can lapse: at any time, unless its user guards the event (by
    whether the owner lives). ``forgets`` says whether what was done is forgotten after a while.
    """

    rows: str
    bound_to_payload: bool
    Row: Record

    def __init__(self, name, key, payload=None, *, abandons=False, forgets=False):
        super().__init__(name, f"{name}, by key")
        self.bound_to_payload = payload is not None
        fields = {"payload": payload} if self.bound_to_payload else {}
        self.Row = Record(f"{name.title()}Row", state=STATES, effects=Ghost(COUNT), **fields)
        self.rows = self.variable(name, Array(key, self.Row), owner=self.store(name))
        self.named(f"{name}_at_most_once", self.invariant(relevant=[name])(self.at_most_once))
        self.named(f"{name}_tells_the_truth", self.invariant(relevant=[name])(self.true_record))
        if abandons:
            sweeper = self.actor("sweeper")
            sweeping = sweeper.action(when=self.is_in_progress, name=f"abandon_{name}", key=key)
            sweeping(self.drop)
        if forgets:
            budget = self.budget(f"{name}_forgotten", f"what {name} forgets")
            clock = self.actor("clock", "interference")
            clock.interference(budget, when=self.is_done, name=f"forget_{name}", key=key)(self.drop)

    # -- what others ask and do -----------------------------------------------------------------
    def is_absent(self, s, key):
        return s[self.rows][key].state == "absent"

    def is_in_progress(self, s, key):
        return s[self.rows][key].state == "in_progress"

    def is_done(self, s, key):
        return s[self.rows][key].state == "done"

    def fits(self, s, key, payload):
        """Tell whether the record is of this payload, or of none."""
        return self.is_absent(s, key) or s[self.rows][key].payload == payload

    def claim(self, s, key):
        """Somebody begins."""
        s[self.rows][key] = replace(s[self.rows][key], state="in_progress")

    def bind(self, s, key, payload):
        """The record is of this payload."""
        s[self.rows][key] = replace(s[self.rows][key], payload=payload)

    def act(self, s, key):
        """The work is done, whatever is written down."""
        effects = min(2, s[self.rows][key].effects + 1)
        s[self.rows][key] = replace(s[self.rows][key], effects=effects)

    def complete(self, s, key):
        """It is written down that the work is done."""
        s[self.rows][key] = replace(s[self.rows][key], state="done")

    def drop(self, s, key):
        """The record is gone."""
        s[self.rows][key] = replace(s[self.rows][key], state="absent")

    # -- what must hold -------------------------------------------------------------------------
    def at_most_once(self, s):
        """The work of a key is done once at most."""
        return all(row.effects <= 1 for row in s[self.rows])

    def true_record(self, s):
        """What is recorded as done was done."""
        return all(row.state != "done" or row.effects > 0 for row in s[self.rows])
