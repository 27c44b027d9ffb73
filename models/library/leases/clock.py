"""Part `clock`: time that passes in ticks, and timers that must ring."""

from fencecheck.model import Array, Index, Maybe, Part, Record, Version


class Clock(Part):
    """Time; the owners of an Index have a timer each, set to ``longest`` ticks from now at most.

    Time passes while a timer is set, and does not pass one that is due by its owner's own clock:
    the owner has to act first (`clock.is_due(s, w)`, `clock.clear(s, w)`).
    """

    owner: Index
    now: str
    timers: str
    Time: Version
    Timer: Record

    def __init__(self, name, owner, *, longest=1, start=None, **more):
        super().__init__(name, f"{name}, in ticks")
        self.owner, self.now, time = owner, f"{name}_now", self.actor(name)
        self.Time = Version(self.now, ahead=longest)
        self.Timer = Record(f"{name.title()}Timer", rings=Maybe(self.Time, "never"), **more)
        self.variable(self.now, self.Time, owner=time)
        timers = Array(owner, self.Timer)
        self.timers = self.variable(f"{name}_timers", timers, start, owner=time)
        time.action(when=self.may_tick)(self.tick)
        self.named(f"{name}_all_rung", self.deadlock()(self.none_set))

    def local(self, s, timer):
        """The time by the clock that a timer goes by."""
        return s[self.now]

    def set(self, s, w, after):
        """Somebody's timer will ring so many ticks from now, by its own clock."""
        s[self.timers][w].rings = self.local(s, s[self.timers][w]) + after

    def rings(self, s, timer):
        return timer.rings is not None and self.local(s, timer) >= timer.rings

    def is_set(self, s, w):
        return s[self.timers][w].rings is not None

    def is_due(self, s, w):
        return self.rings(s, s[self.timers][w])

    def clear(self, s, w):
        s[self.timers][w].rings = None

    def may_tick(self, s):
        return not self.none_set(s) and not any(self.rings(s, timer) for timer in s[self.timers])

    def tick(self, s):
        """Time passes."""
        s[self.now] += 1

    def none_set(self, s):
        """No timer is left that has not rung."""
        return all(timer.rings is None for timer in s[self.timers])
