"""A second, independent reading of family ledger, to compare the model with.

Plain Python over copied dictionaries: tokens are never renumbered, every assignment is kept,
nothing is packed. ``first_breaks`` gives the number of events after which each property first
breaks. Slow, and for designs that hand a step out finitely often only.
"""

from __future__ import annotations

import copy
from typing import Any

State = dict[str, Any]


def start(k: dict[str, Any]) -> State:
    steps = range(k["steps"])
    return {
        "left": {b: k.get(b, 0) for b in BUDGETS},
        "step": [
            {"status": "open", "payload": 0, "lease": "free", "newest": 0, "tries": 0}
            for _ in steps
        ],
        "out": [
            {
                "row": None,
                "kept": None,
                "shown": [],
                "first": None,
                "seen": 0,
                "keys": [],
                "claimed": False,
            }
            for _ in steps
        ],
        "worker": [None] * k["workers"],
        "past": [],
        "dry": False,
        "tokens": 0,
    }


BUDGETS = (
    "revocations", "expiries", "lost_acks", "duplicates", "edits", "forgotten_keys",
    "failed_commits", "exhaustions", "claim_expiries",
)  # fmt: skip


def successors(k: dict[str, Any], s: State) -> list[tuple[str, bool, State, list[str]]]:
    """Return (event, is interference, state after, properties broken by the event)."""
    found: list[tuple[str, bool, State, list[str]]] = []

    def event(name: str, change: Any, budget: str | None = None) -> None:
        if budget and not s["left"][budget]:
            return
        after = copy.deepcopy(s)
        if budget:
            after["left"][budget] -= 1
        broken = change(after) or []
        found.append((name, budget is not None, after, broken))

    for i in range(k["steps"]):
        of_step(k, s, i, event)
    for w, job in enumerate(s["worker"]):
        of_worker(k, s, w, job, event)
    event("exhaust", lambda a: a.update(dry=True), "exhaustions") if not s["dry"] else event(
        "refill", lambda a: a.update(dry=False)
    )
    return found


def of_step(k: dict[str, Any], s: State, i: int, event: Any) -> None:
    step, out = s["step"][i], s["out"][i]
    owned = any(j and j["i"] == i and j["token"] == step["newest"] for j in s["worker"])
    capped = k["attempts"] != "none" and step["tries"] >= int(k["attempts"])
    idle = [w for w, j in enumerate(s["worker"]) if j is None]
    if step["status"] == "open":
        event("edit", lambda a: a["step"][i].update(payload=s["left"]["edits"]), "edits")
        if step["lease"] != "held" and not capped and not s["dry"]:
            for w in idle:
                event("assign", lambda a, w=w: hand(k, a, i, w))
        gone = step["lease"] == "over" or (step["lease"] == "held" and not owned)
        if k["reaper"] == "on" and gone:
            event("requeue", lambda a: a["step"][i].update(lease="free"))
        if step["lease"] == "held" and owned and (k["lease"] != "none" or k["reaper"] == "on"):
            event("expire", lambda a: a["step"][i].update(lease="over"), "expiries")
        if capped and step["lease"] == "free":
            if out["row"] == "intent":
                known = k["effect_key"] != "none" and key(k, out["kept"]) in out["keys"]
                row = "committed" if known else "resolved"
                for _ in idle:
                    event("resolve", lambda a: a["out"][i].update(row=row, claimed=False))
            else:
                event("park", lambda a: a["step"][i].update(status="parked", lease="free"))
    for job in s["past"]:
        if job["i"] == i:
            for w in idle:
                fresh = dict(job, at="given")
                event("dup", lambda a, w=w, f=fresh: put(a, w, f), "duplicates")
    if out["claimed"] and k["claim"] == "expires":
        alive = any(j and j["i"] == i and j["at"] in ("intended", "acted") for j in s["worker"])
        over = lambda a: a["out"][i].update(claimed=False)  # noqa: E731
        event("expire_claim", over, "claim_expiries") if alive else event("release_claim", over)
    if out["keys"]:
        event("forget", lambda a: a["out"][i].update(keys=[]), "forgotten_keys")


def put(a: State, w: int, job: Any) -> None:
    a["worker"][w] = job


def hand(k: dict[str, Any], a: State, i: int, w: int) -> None:
    a["tokens"] += 1
    if k["takeover"] == "announced":
        a["out"][i]["seen"] = a["tokens"]
    a["step"][i].update(lease="held", newest=a["tokens"], tries=a["step"][i]["tries"] + 1)
    job = {"i": i, "token": a["tokens"], "payload": a["step"][i]["payload"], "at": "given"}
    a["worker"][w] = job
    a["past"].append(dict(job))


def key(k: dict[str, Any], payload: int) -> int:
    return payload if k["effect_key"] == "step+payload" else -1


def of_worker(k: dict[str, Any], s: State, w: int, job: Any, event: Any) -> None:
    def lose(a: State) -> None:
        a["worker"][w] = None
        if k["ledger"] == "substrate":
            for out in a["out"]:
                out.update(row=None, kept=None, claimed=False)

    if job or (k["ledger"] == "substrate" and any(o["row"] for o in s["out"])):
        event("revoke", lose, "revocations")
    if job is None:
        return
    i, out, at = job["i"], s["out"][job["i"]], job["at"]
    stale = job["token"] < s["step"][i]["newest"]
    barred = k["token_check"] == "ledger" and stale
    committed = out["row"] == "committed"
    replays = k["replay"] == "on" and k["look"] == "atomic" and committed
    if at == "told" or (replays and at in ("given", "intended")):
        event("replay", lambda a: a["worker"][w].update(at="acking"))
    elif at == "given" and k["intent"] == "on":
        before_effect(k, s, w, event, barred, stale)
    elif at in ("given", "intended"):
        call(k, s, w, event, barred)
    elif at == "acted":
        if barred:
            event("commit_refused", lambda a: put(a, w, None))
        else:
            event("commit", lambda a: settle(a, w))
        event("fail_commit", lambda a: put(a, w, None), "failed_commits")
    elif at == "acking" and k["poison"] == "ack" and i == 0:
        event("crash", lambda a: put(a, w, None))
    elif at == "acking":

        def ack(a: State) -> None:
            if a["step"][i]["status"] == "open":
                a["step"][i].update(status="done", lease="free")
            put(a, w, None)

        event("ack", ack)
        event("lose_ack", lambda a: put(a, w, None), "lost_acks")


def before_effect(
    k: dict[str, Any], s: State, w: int, event: Any, barred: bool, stale: bool
) -> None:
    job = s["worker"][w]
    i, out = job["i"], s["out"][job["i"]]

    def intends(a: State, **more: Any) -> None:
        a["worker"][w].update(at="intended", **more)
        a["out"][i]["claimed"] = k["claim"] != "off" and a["out"][i]["row"] == "intent"

    if barred:
        event("intend_refused", lambda a: put(a, w, None))
    elif out["claimed"]:
        event("turned_away", lambda a: put(a, w, None))
    elif k["look"] == "split" and out["row"] == "committed":
        event("intend", lambda a: a["worker"][w].update(at="told"))
    elif out["row"] is None:

        def record(a: State) -> None:
            a["out"][i].update(row="intent", kept=job["payload"])
            if a["out"][i]["first"] is None:
                a["out"][i]["first"] = job["payload"]
            intends(a)

        event("intend", record)
    elif k["intent_hash"] == "off" or out["kept"] == job["payload"]:
        event("intend", intends)
    elif k["on_drift"] == "pin":
        event("intend", lambda a: intends(a, payload=out["kept"]))
    else:

        def reject(a: State) -> None:
            if not stale and a["step"][i]["status"] == "open":
                a["step"][i].update(status="rejected", lease="free")
            put(a, w, None)

        event("reject_drift", reject)


def settle(a: State, w: int) -> None:
    job = a["worker"][w]
    out = a["out"][job["i"]]
    out.update(claimed=False)
    out.update(row="committed", kept=job["payload"] if out["row"] is None else out["kept"])
    job["at"] = "acking"


def call(k: dict[str, Any], s: State, w: int, event: Any, barred: bool) -> None:
    job = s["worker"][w]
    i, out, payload = job["i"], s["out"][job["i"]], job["payload"]

    def shows(a: State) -> list[str]:
        mine = a["out"][i]
        mine["shown"].append(payload)
        if mine["first"] is None:
            mine["first"] = payload
        if k["effect_key"] != "none":
            mine["keys"] = sorted({*mine["keys"], key(k, payload)})
        goes_on(a)
        wrong = {
            "intent_first": out["row"] is None,
            "same_payload": payload != mine["first"],
            "single_owner": job["token"] < s["step"][i]["newest"],
            "sink_order": job["token"] < out["seen"],
        }
        return [name for name, broken in wrong.items() if broken]

    def goes_on(a: State) -> None:
        a["out"][i]["seen"] = max(out["seen"], job["token"])
        a["worker"][w]["at"] = "acted"
        if k["commit"] == "atomic":
            settle(a, w)

    if k["poison"] == "effect" and i == 0:
        event("crash", lambda a: put(a, w, None))
    elif barred and k["commit"] == "atomic":
        event("commit_refused", lambda a: put(a, w, None))
    elif k["effect_key"] != "none" and key(k, payload) in out["keys"]:
        event("deduped", goes_on)
    elif k["token_check"] == "sink" and job["token"] < out["seen"]:
        event("fenced", lambda a: put(a, w, None))
    else:
        event("effect", shows)


def broken_in(s: State) -> list[str]:
    """Return the invariants that a state breaks."""
    wrong = set()
    for i, (step, out) in enumerate(zip(s["step"], s["out"], strict=True)):
        shown, row = out["shown"], out["row"]
        held = any(j and j["i"] == i for j in s["worker"])
        if len(shown) > 1:
            wrong.add("one_effect")
        if step["status"] != "open" and not held and shown and row != "committed":
            wrong.add("recorded")
        if row == "committed" and shown and out["kept"] != shown[0]:
            wrong.add("true_record")
        if step["status"] == "rejected" and shown:
            wrong.add("truthful_reject")
    return sorted(wrong)


def first_breaks(k: dict[str, Any]) -> dict[str, int]:
    """Return the events of a shortest counterexample of every property that breaks."""
    first: dict[str, int] = {}
    seen, level, depth = {repr(start(k))}, [start(k)], 0
    while level:
        following = []
        for s in level:
            for name in broken_in(s):
                first.setdefault(name, depth)
            events = successors(k, s)
            if all(interference for _, interference, _, _ in events) and any(
                step["status"] == "open" for step in s["step"]
            ):
                first.setdefault("no_stuck", depth)
            for _, _, after, broken in events:
                for name in broken:
                    first.setdefault(name, depth + 1)
                if repr(after) not in seen:
                    seen.add(repr(after))
                    following.append(after)
        level, depth = following, depth + 1
    return first
