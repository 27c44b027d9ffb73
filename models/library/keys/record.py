"""Part `record`: what is written down under a key, so that work is done once.

A key is absent, in progress, or done. Whoever begins claims it; whoever is asked again finds it
and answers instead of doing the work. What was done is counted beside it, which only properties
see, so that a record that lies is found out.
"""

from fencecheck.model import Array, Count, Enum, Ghost, Index, Part, Record

STATES = Enum("absent", "in_progress", "done")
TIMES = Count(2, lambda count, k: "twice" if count == 2 else str(count))


class KeyRecord(Part):
    """Records under the keys of an Index, with more fields where a part has them."""

    key: Index

    def __init__(self, name, key, **more):
        super().__init__(name, f"{name}, by key")
        self.key = key
        row = Record(f"{name.title()}Row", state=STATES, effects=Ghost(TIMES), **more)
        self.variable(name, Array(key, row), owner=self.store(name))
        self.named(f"{name}_at_most_once", self.invariant(relevant=[name])(self.at_most_once))
        self.named(f"{name}_tells_the_truth", self.invariant(relevant=[name])(self.true_record))

    def is_absent(self, s, key):
        return s[self.name][key].state == "absent"

    def is_in_progress(self, s, key):
        return s[self.name][key].state == "in_progress"

    def is_done(self, s, key):
        return s[self.name][key].state == "done"

    def claim(self, s, key):
        """Somebody begins."""
        s[self.name][key].state = "in_progress"

    def act(self, s, key):
        """The work is done, whatever is written down."""
        s[self.name][key].effects += 1

    def complete(self, s, key):
        """It is written down that the work is done."""
        s[self.name][key].state = "done"

    def forget(self, s, key):
        """The record is gone."""
        s[self.name][key].state = "absent"

    def at_most_once(self, s):
        """The work of a key is done once at most."""
        return all(row.effects <= 1 for row in s[self.name])

    def true_record(self, s):
        """What is recorded as done was done."""
        return all(row.state != "done" or row.effects > 0 for row in s[self.name])
