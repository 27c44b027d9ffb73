"""Print a written model as the text of a module, and what TLC is asked of it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from fencecheck.export.tla.events import WrittenEvent
from fencecheck.export.tla.functions.calls import Operator
from fencecheck.export.tla.module import WrittenModel
from fencecheck.export.tla.predicates import membership
from fencecheck.export.tla.promises import fairness
from fencecheck.export.tla.syntax.building import both, either
from fencecheck.export.tla.syntax.helping import helpers_text
from fencecheck.export.tla.syntax.layout import definition_lines, lines_of
from fencecheck.export.tla.syntax.naming import comment
from fencecheck.export.tla.syntax.trees import TRUE, Infix, Tree, Word, words_in

_WIDTH = 100


def module_text(model: WrittenModel, name: str, head: Sequence[str]) -> str:
    """Return a module by its name; ``head`` are paragraphs for its comment."""
    model = model.with_names_apart()
    body = list(_events(model)) + list(_whole(model)) + list(_promises(model))
    body = [*_section("At first"), *_begin(model), *body]
    made = list(_made_of_functions(model, body))
    named = list(_named(model, [*made, *body]))
    upper = [*_state(model), *named]
    helpers = helpers_text(
        model.script.helpers & _all_words([*upper, *made, *body]),
        model.script.names.taken,
    )
    words = _all_words([*upper, *helpers, *made, *body])
    lines = [_title(name), *_head(head), "", f"EXTENDS {', '.join(_extended(words))}", ""]
    if "None" in words:
        lines += ["CONSTANT None  \\* no value; a model value of its own", ""]
    lines += _variables(model) + upper
    if helpers:
        lines += [*_section("Operators that the standard modules lack"), *helpers]
    lines += made + body
    return "\n".join([*_spaced(lines), "=" * _WIDTH, ""])


def _spaced(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines with one blank line where there are several."""
    before = ""
    for line in lines:
        if line or before:
            yield line
        before = line


def _title(name: str) -> str:
    left = (_WIDTH - len(name) - 9) // 2
    return f"{'-' * left} MODULE {name} {'-' * (_WIDTH - left - len(name) - 9)}"


def _head(paragraphs: Sequence[str]) -> Iterator[str]:
    yield "(*"
    for paragraph in paragraphs:
        yield from (line.replace("\\*", "  ", 1).rstrip() for line in comment(paragraph))
    yield "*)"


def _all_words(lines: Sequence[str]) -> set[str]:
    code = (line.split("\\*")[0] for line in lines)
    return {word for line in code for word in re.findall(r"[A-Za-z_0-9]+|:>|@@|\(\+\)", line)}


def _extended(words: set[str]) -> list[str]:
    found = ["Integers", "Sequences", "FiniteSets"]
    bags = {"BagToSet", "SetToBag", "BagCardinality", "EmptyBag", "BagOfAll", "BagIn", "CopiesIn"}
    found += ["Bags"] if words & bags else []
    return [*found, *(["TLC"] if words & {":>", "@@"} else [])]


def _section(title: str) -> list[str]:
    return ["", f"{'-' * _WIDTH}", *comment(title), ""]


# -- variables and constants --------------------------------------------------------------------
def _variables(model: WrittenModel) -> list[str]:
    declared = {v.name: v for v in model.system.variables}
    names = model.variables
    found = ["VARIABLES"]
    width = max((len(model.script.variable_names[n]) for n in names), default=0) + 1
    for name in names:
        variable = declared[name]
        what = "ghost: " if variable.ghost else "budget: " if variable.budget else ""
        comma = "," if name != names[-1] else ""
        word = f"{model.script.variable_names[name]}{comma}"
        said = f"{what}{variable.doc}".strip() or f"of {variable.owner}"
        first, *others = comment(said, " " * (width + 4))
        found.append(f"  {word.ljust(width)}  {first.strip()}")
        found += others
    return found


def _state(model: WrittenModel) -> list[str]:
    names = [model.script.variable_names[n] for n in model.variables]
    found = ["", *_all_variables(names), ""]
    found += comment("The state as a record, and a step that makes it another one.")
    found += _whole_state(names)
    made = tuple(Infix("=", (Word(f"{n}'"), Word(f"t.{n}"))) for n in names)
    found += _listed("Become(t)", both(*made))
    if len(model.system.initials) > 1:
        begun = tuple(Infix("=", (Word(n), Word(f"t.{n}"))) for n in names)
        found += _listed("Begin(t)", both(*begun))
    return [*found, ""]


def _all_variables(names: Sequence[str]) -> list[str]:
    """Return the tuple of all variables."""
    flat = f"vars == <<{', '.join(names)}>>"
    if len(flat) <= _WIDTH:
        return [flat]
    lines = textwrap.wrap(", ".join(names), _WIDTH - 8, break_long_words=False)
    below = [f"  <<{lines[0]}", *(f"    {line}" for line in lines[1:])]
    return ["vars ==", *below[:-1], f"{below[-1]}>>"]


def _whole_state(names: Sequence[str]) -> list[str]:
    """Return the record of all variables, as many on a line as there is room for."""
    entries = ", ".join(f"{name} |-> {name}" for name in names)
    lines = textwrap.wrap(entries.replace(" |-> ", "|->"), 70, break_long_words=False)
    below = [line.replace("|->", " |-> ") for line in lines]
    if len(below) == 1 and len(below[0]) <= _WIDTH - 8:
        return [f"S == [{below[0]}]"]
    return ["S ==", f"  [{below[0]}", *(f"   {line}" for line in below[1:-1]), f"   {below[-1]}]"]


def _listed(head: str, tree: Tree) -> list[str]:
    """Return a conjunction or disjunction with a line for each part, however short."""
    if isinstance(tree, Infix) and tree.operator in ("/\\", "\\/"):
        found = [f"{head} =="]
        for part in tree.operands:
            lines = lines_of(part, _WIDTH - 5)
            found += [f"  {tree.operator} {lines[0]}", *("     " + line for line in lines[1:])]
        return found
    return definition_lines(head, tree)


def _named(model: WrittenModel, below: Sequence[str]) -> Iterator[str]:
    """Print variables that nothing changes, tagged values and constants that are used."""
    script, words = model.script, _all_words(below)
    constants = []
    by_name = {v.name: v for v in model.system.variables}
    for name, value in script.constants.items():
        word = script.variable_names[name]
        if word in words:
            tree = script.constant(value, script.domains[name])
            doc = comment(by_name[name].doc) if by_name[name].doc else []
            constants += [*doc, *definition_lines(word, tree)]
    tagged, wanted = [], set(words)
    texts = {n: definition_lines(n, t) for n, t in script.named.values() if n in words}
    wanted |= _all_words([line for lines in texts.values() for line in lines] + constants)
    changed = True
    definitions = script.tag_definitions()
    while changed:
        more = {w for n in wanted & set(definitions) for w in words_in(definitions[n][1])}
        changed = not more <= wanted
        wanted |= more
    for name, (parameters, tree) in definitions.items():
        if name in wanted:
            head = f"{name}({', '.join(parameters)})" if parameters else name
            tagged += definition_lines(head, tree)
    if tagged or texts:
        yield from _section("Values")
        yield from tagged
        yield from (line for lines in texts.values() for line in lines)
        yield ""
    if constants:
        yield from _section("Variables that nothing changes in this design at these bounds")
        yield from constants
        yield ""


# -- functions and events -----------------------------------------------------------------------
def _made_of_functions(model: WrittenModel, below: Sequence[str]) -> Iterator[str]:
    used, kept = _all_words(below), list[Operator]()
    for operator in reversed(model.operators):
        if operator.name in used:
            kept.insert(0, operator)
            used |= set(words_in(operator.tree))
    if kept:
        yield from _section("Functions of the model")
    for operator in kept:
        yield from comment(operator.doc) if operator.doc else []
        head = operator.name
        if operator.parameters:
            head += f"({', '.join(operator.parameters)})"
        yield from definition_lines(head, operator.tree)
        yield ""


def _begin(model: WrittenModel) -> Iterator[str]:
    yield from _listed("Init", model.begins)
    yield ""


def _events(model: WrittenModel) -> Iterator[str]:
    for actor in dict.fromkeys(event.action.actor for event in model.events):
        yield from _section(f"What {actor} does")
        for event in model.events:
            if event.action.actor == actor:
                yield from _event(event)


def _event(event: WrittenEvent) -> Iterator[str]:
    if event.asserted != TRUE:
        yield from comment(f"No assertion of {event.action.name} fails.")
        head = event.head.replace(event.name, f"{event.name}Asserts", 1)
        yield from definition_lines(head, event.asserted)
        yield ""
    yield from comment(event.action.doc or event.action.name)
    tree = event.tree
    yield from _listed(event.head, tree)
    yield ""


def _whole(model: WrittenModel) -> Iterator[str]:
    own = [e for e in model.events if not e.action.interference]
    others = [e for e in model.events if e.action.interference]
    yield from _section("What can happen, and what does in the end")
    for name, events in (("System", own), ("Interference", others)):
        tree = either(*(event.for_some() for event in events)) if events else Word("FALSE")
        yield from _listed(name, tree)
        yield ""
    if model.within != TRUE:
        names = ", ".join(model.system.family.constraints)
        yield from comment(f"States in which it is false are not expanded: {names}.")
        yield from definition_lines("Within", model.within)
        yield ""
    if model.room != TRUE:
        yield from comment(
            "An event that would put in more than a bound has room for is held back: it does not "
            "happen, though the system has not come to its end."
        )
        yield from _listed("Room", model.room)
        yield ""
    step = Infix("\\/", (Word("System"), Word("Interference")))
    within = [] if model.within == TRUE else [Word("Within")]
    fits = [] if model.room == TRUE else [Word("Room'")]
    yield from definition_lines("Next", both(*within, step, *fits))
    yield ""
    yield "Spec == Init /\\ [][Next]_vars"
    yield ""
    owed = [fairness(model.script, e, model.system) for e in model.events if e.action.owed]
    if owed:
        yield from comment("Fairness is owed to each event of the system, class by class.")
        yield from _listed("Fair", both(*owed))
        yield "FairSpec == Spec /\\ Fair"
    else:
        yield "FairSpec == Spec"


def _promises(model: WrittenModel) -> Iterator[str]:
    yield from _section("What must hold")
    yield from comment("Every value is one of its domain, and nothing holds more than fits.")
    domains = model.script.domains
    parts = [
        membership(model.script, Word(model.script.variable_names[n]), domains[n])
        for n in model.variables
    ]
    yield from _listed("TypeOK", both(*parts))
    yield ""
    for promise in model.promises:
        if promise.kind:
            yield from comment(promise.prop.doc)
            yield from definition_lines(promise.name, promise.tree)
            yield ""
