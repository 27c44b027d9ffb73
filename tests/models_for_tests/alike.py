"""Parcels that look alike: what is in them decides what their delivery does.

Expected: `one_of_each` violated in 2 events, both of spoiled parcels; told by name and shown
arguments alone, that run could be any of four.
"""

from fencecheck.model import Bag, Bool, Each, Int, Model, Record

Parcel = Record("Parcel", lambda p, k: "a parcel", spoiled=Bool())


def all_parcels(k):
    return (
        Parcel(spoiled=False),
        Parcel(spoiled=False),
        Parcel(spoiled=True),
        Parcel(spoiled=True),
    )


model = Model("alike", "Parcels that look alike")
courier = model.actor("courier")
shelf = model.store("shelf")
model.variable("parcels", Bag(Parcel, 4), all_parcels, owner=courier)
model.ghost("good", Int(0, 2), owner=shelf)
model.ghost("bad", Int(0, 2), owner=shelf)


@courier.action(parcel=Each("parcels"))
def deliver(s, parcel):
    """One parcel more is on the shelf."""
    s.parcels.remove(parcel)
    if parcel.spoiled:
        s.bad += 1
    else:
        s.good += 1
    return "delivered"


@model.invariant()
def one_of_each(s):
    """There are never two bad ones on the shelf before a good one."""
    return s.bad < 2 or s.good > 0
