"""Every construct that the reference of the language shows, as TLC evaluates it.

The tables of models/README.md say what each expression gives in the initial state, and what
statements change there; all of them stand in one model, which TLC runs once.
"""

import textwrap
from pathlib import Path

from fencecheck.export.tla.files import configuration
from fencecheck.export.tla.module import WrittenModel, write_model
from fencecheck.export.tla.printing import module_text
from fencecheck.export.tla.syntax.building import both
from fencecheck.export.tla.syntax.layout import definition_lines
from fencecheck.export.tla.syntax.trees import Infix, Listed, Word
from tests.documents.blocks import NEW_LINE, ROOT, TABLE, cells, folder_for, read
from tests.documents.examples import system_with
from tests.export.tlc import needs_tlc, run_tlc, write_files

REFERENCE = ROOT / "models" / "README.md"
BASE = "everything.py"


def rows(kind: str) -> list[tuple[str, str]]:
    """The rows of tables of the reference about this model: code, and what the next cell says."""
    found = []
    for _, mark, base, _, table in TABLE.findall(read(REFERENCE)):
        if mark == kind and base == BASE:
            for row in table.strip().splitlines()[2:]:
                code, said = cells(row)[:2]
                found.append((code.strip("` ").replace("\\|", "|"), said.strip("` ")))
    return found


def model_text() -> str:
    """The model of all kinds of variables, with an invariant or an event for each row."""
    lines = ['model.variable("moved", Bool())', "added = model.actor('added')"]
    for number, (code, said) in enumerate(rows("given by")):
        held = {"True": f"({code})", "False": f"not ({code})"}.get(said, f"({code}) == {said}")
        lines += [
            "@model.invariant()",
            f"def value_{number}(s):",
            '    """Added."""',
            f"    return s.moved or len(s.free) < 2 or {held}",
        ]
    for number, (code, _) in enumerate(rows("changed by")):
        statements = code.split(NEW_LINE)
        lines += [
            "@added.action(when=lambda s: not s.moved)",
            f"def change_{number}(s):",
            '    """Added."""',
            "    s.moved = True",
            textwrap.indent("\n".join(statements), "    "),
        ]
    return "\n".join(lines) + "\n"


def changes(model: WrittenModel) -> dict[str, str]:
    """A property for each event that was added: it leads to what Python makes of the state."""
    system, script, found = model.system, model.script, {}
    for number, action in enumerate(system.actions):
        if action.actor != "added":
            continue
        after, _ = system.steps[number](system.initial)
        values = dict(zip(system.names, after, strict=True))
        parts = [
            Infix(
                "=",
                (
                    Word(f"{script.variable_names[n]}'"),
                    script.constant(values[n], script.domains[n]),
                ),
            )
            for n in model.variables
        ]
        name = f"Leads{number}"
        at_first = Infix("=", (Word("free"), Listed("{", (Word("0"), Word("2")))))
        truth = Infix("=>", (both(at_first, Word(script.events[action.name])), both(*parts)))
        lines = definition_lines(name, truth)
        found[name] = "\n".join([*lines, f"{name}Always == [][{name}]_vars", ""])
    return found


@needs_tlc
def test_tlc_evaluates_every_construct_as_python_does(tmp_path: Path) -> None:
    """One run of TLC: each value an invariant, each change a property of its event."""
    folder_for(REFERENCE, tmp_path)
    system = system_with(BASE, model_text(), tmp_path)
    model = write_model(system)
    leads = changes(model)
    text = module_text(model, "Model", ["Every construct."])
    body, end = text.rstrip("\n").rsplit("\n", 1)
    text = "\n".join([body, *leads.values(), end, ""])
    config = configuration([p for p in model.promises if p.kind], needs_none=True)
    config += "".join(f"PROPERTY {name}Always\n" for name in leads)
    folder = write_files(tmp_path / "tla", {"Model.tla": text, "Model.cfg": config})
    said = run_tlc(folder)
    assert said.is_right, said.output
    assert max(map(len, text.splitlines())) <= 100
    asked = {p.prop.name for p in model.promises if p.kind}
    assert len(asked) > 40, "values are not folded away"
    assert len(leads) > 40
