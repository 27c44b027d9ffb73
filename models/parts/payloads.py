"""Payloads: what a step is handed out with, as leases, ledger and sink compare it.

Numbers, of which equal ones are equal hashes. In family ledger a payload is the original one or
an operator's edit. Where there is a workspace (family agent) it is the content of the step's file
that the step was planned against, and an assignment carries a base revision as well.
"""

from fencecheck.model import Int
from fencecheck.models.parts.workspace import content_in_words, last_rev, planned_against

NONE = 0
ORIGINAL = 1


def is_planned(k):
    """Tell whether payloads come from a plan against a workspace."""
    return hasattr(k, "files")


def is_capped(k):
    """Tell whether the attempts of a step are counted and end."""
    return k.attempts != "none"


def last_payload(k):
    return 1 + k.edits + (k.steps if is_planned(k) else 0)


def last_base(k):
    return last_rev(k) + k.steps if is_planned(k) else 0


def payload_in_words(payload, k):
    if payload == NONE:
        return "none"
    if is_planned(k):
        return f"against {content_in_words(payload - ORIGINAL, k)}"
    return "original" if payload == ORIGINAL else f"edit {k.edits + 2 - payload}"


def first_payloads(k):
    if is_planned(k):
        return tuple(ORIGINAL + planned_against(k, step) for step in range(k.steps))
    return (ORIGINAL,) * k.steps


PAYLOAD = Int(0, last_payload, payload_in_words)
LEASE_BASE = Int(0, last_base)
