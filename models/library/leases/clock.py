"""Part `clock`: time that passes in ticks, and timers that must ring."""

from fencecheck.model import Array, Index, Int, Part


class Clock(Part):
    """``ticks`` ticks of time; the owners of an Index have a timer each, 0 where none is set.

    Time does not pass a timer that is due by its owner's own clock: the owner has to act first
    (`clock.is_due(s, w)`, `clock.clear(s, w)`).
    """

    owner: Index
    now: str
    timers: str
    ticks: int

    def __init__(self, name, owner, *, ticks=3):
        super().__init__(name, f"{name}, in ticks")
        self.owner, self.ticks, time = owner, ticks, self.actor(name)
        self.now = self.variable(f"{name}_now", Int(0, ticks), owner=time)
        self.timers = self.variable(f"{name}_timers", Array(owner, Int(0, ticks)), owner=time)
        time.action(when=self.may_tick)(self.tick)
        self.named(f"{name}_all_rung", self.deadlock()(self.none_set))

    def local(self, s, w):
        """The time by somebody's own clock."""
        return s[self.now]

    def set(self, s, w, after):
        """Somebody's timer will ring so many ticks from now, by its own clock, or at the end."""
        s[self.timers][w] = max(1, min(self.ticks, self.local(s, w) + after))

    def is_set(self, s, w):
        return s[self.timers][w] > 0

    def is_due(self, s, w):
        return self.is_set(s, w) and self.local(s, w) >= s[self.timers][w]

    def clear(self, s, w):
        s[self.timers][w] = 0

    def may_tick(self, s):
        owners = range(len(s[self.timers]))
        return s[self.now] < self.ticks and not any(self.is_due(s, w) for w in owners)

    def tick(self, s):
        """Time passes."""
        s[self.now] += 1

    def none_set(self, s):
        """No timer is left that has not rung."""
        return all(timer == 0 for timer in s[self.timers])
