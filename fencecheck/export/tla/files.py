"""The files of a model for TLC: the module, and what each run is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencecheck.export.head import MARK, Head
from fencecheck.export.tla.module import WrittenModel, write_model
from fencecheck.export.tla.printing import module_text
from fencecheck.export.tla.promises import TEMPORAL, Promise
from fencecheck.export.tla.syntax.naming import ascii_line
from fencecheck.model.system import System

MODULE = "Model"


def tla_files(system: System, names: Sequence[str], head: Head) -> dict[str, str]:
    """Return the files of a model with the properties ``names``, by their names.

    What holds is asked together, under fairness in ``Fair.cfg``; each violated property has a
    configuration of its own. Raises UsageError, with the place, for what cannot be written.
    """
    model = write_model(system, names)
    text = module_text(model, MODULE, list(head_paragraphs(model, head)))
    needs_none = "CONSTANT None" in text
    violated = head.answers.lengths
    asked = [promise for promise in model.promises if promise.kind]
    sound = [p for p in asked if p.prop.name not in violated]
    files = {f"{MODULE}.tla": text}
    files[f"{MODULE}.cfg"] = configuration(
        [p for p in sound if p.kind != TEMPORAL], needs_none=needs_none
    )
    fair = [p for p in sound if p.kind == TEMPORAL]
    if fair:
        files["Fair.cfg"] = configuration(fair, needs_none=needs_none)
    for promise in asked:
        if promise.prop.name in violated:
            files[f"{promise.name}.cfg"] = configuration([promise], needs_none=needs_none)
    return files


def configuration(promises: Sequence[Promise], *, needs_none: bool) -> str:
    """Return what TLC is asked in one run: some properties, all of whole runs or none."""
    fair = any(p.kind == TEMPORAL for p in promises)
    lines = [f"\\* {MARK}", f"SPECIFICATION {'FairSpec' if fair else 'Spec'}"]
    lines += ["CONSTANT None = None"] if needs_none else []
    lines += ["INVARIANT TypeOK"]
    for promise in promises:
        kind = "PROPERTY" if promise.kind == TEMPORAL else promise.kind
        lines.append(f"{kind} {promise.name}")
    return "\n".join([*lines, ""])


def head_paragraphs(model: WrittenModel, head: Head) -> Iterator[str]:
    """Yield what stands at the head of a module, a paragraph each."""
    yield from head.identity()
    yield from expected(head)
    yield "Indices count from 0, as in the model; where people read s1 there is 0 here."
    if model.impossible:
        yield f"Left out, since they can never happen here: {', '.join(model.impossible)}."
    never = [n for n in model.system.names if n in model.script.constants]
    if never:
        yield f"Variables that nothing changes here, and that are no variables: {', '.join(never)}."
    true = [p.prop.name for p in model.promises if p.holds]
    if true:
        yield f"True by themselves in this design, and not asked: {', '.join(true)}."
    for promise in model.promises:
        if promise.why_not:
            yield f"Not said: {promise.prop.name}: {ascii_line(promise.why_not)}."
    for event in model.events:
        if event.unsure:
            yield (
                f"{event.action.name} puts into {', '.join(event.unsure)} and then takes out of "
                "it: whether it fits is asked at the end of the event, and fencecheck asks it "
                "in between."
            )


def expected(head: Head) -> Iterator[str]:
    """Yield what must come out, a line each."""
    answers = head.answers
    if answers.fault:
        yield f"the model goes wrong: {answers.fault}"
    elif answers.concrete is not None:
        yield f"must come out: {answers.concrete:,} distinct states"
        if answers.concrete != answers.states:
            yield (
                "fencecheck takes states as one that differ only in numbers that are merely "
                "compared, or in names that nothing tells apart; here each counts"
            )
    else:
        yield (
            "how many states must come out is not known: there are more than were counted, "
            "or numbers that are merely compared go on for ever"
        )
    if answers.holds:
        yield f"holds: {', '.join(answers.holds)}"
    if answers.lengths:
        told = (f"{name} by {length} events" for name, length in answers.lengths.items())
        yield f"violated: {', '.join(told)}"
