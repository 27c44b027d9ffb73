"""The documents tell the truth: what they show is loaded, checked, run, and compared."""

from __future__ import annotations

import doctest
import inspect
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import fencecheck.model
from fencecheck.checking.check import check_spec
from fencecheck.cli import main
from fencecheck.interface.calls import compare, load
from fencecheck.model.declaring.actors import Actor
from fencecheck.model.declaring.promises import Promises
from fencecheck.model.parts import Part
from fencecheck.spec.files import load_specs
from tests.documents.blocks import DOCUMENTS, ROOT, Code, code_of, folder_for, read
from tests.documents.examples import said_verdicts, verdicts
from tests.documents.messages import FOLDER, message_patterns
from tests.documents.refresh import Made, made_in, outdated, sample

NAMES = [document.relative_to(ROOT).as_posix() for document in DOCUMENTS]
MADE_BLOCKS = [made for document in DOCUMENTS for made in made_in(document)]
SHOWN = [block for document in DOCUMENTS for block in code_of(document)]
COMMAND = re.compile(r"^    (?:\.venv/bin/)?(fencecheck .+?)(?:   .*)?$", re.MULTILINE)
COMMANDS = sorted({line for document in DOCUMENTS for line in COMMAND.findall(read(document))})
AUTHORS = ("goal", "end", "lane_order", "one_lane_each", "drill")
NOT_AUTHORS = ("place", "and_included")
NAMED_BY_MODELS = (
    "mechanisms", "bounds", "costs", "args", "exact", "changes", "ghosts", "initial", "switches",
    "shown",
    "fairness",
)  # fmt: skip
UNSHOWN = {
    "nested too deeply": "such a function fills pages",
    "what a state says of a value": "it takes messages of more than 60 bits",
}


def ids(block: Code) -> str:
    """Return a block's place in words."""
    return f"{block.document.relative_to(ROOT).parent.as_posix()}-{block.kind}-{block.name}"


def shown(*kinds: str) -> list[Code]:
    """Return the blocks with a mark of these kinds."""
    return [block for block in SHOWN if block.kind in kinds]


@pytest.mark.parametrize("made", MADE_BLOCKS, ids=lambda m: f"{m.document.parent.name}-{m.mark}")
def test_outputs_and_tables_are_what_the_program_gives(made: Made, tmp_path: Path) -> None:
    """What is made by refresh.py is what it would make now."""
    folder = folder_for(made.document, tmp_path)
    assert outdated(made, folder) == [], "run python -m tests.documents.refresh"


def test_the_sample_is_what_the_program_makes() -> None:
    """The committed diagram has the DOT and the trace of today; pictures differ by renderer."""
    files = {path: content for path, content in sample().items() if path.suffix != ".svg"}
    old = [path.name for path, content in files.items() if path.read_bytes() != content]
    assert old == [], "run python -m tests.documents.refresh"


@pytest.mark.parametrize("block", shown("model"), ids=ids)
def test_a_model_is_loaded(block: Code, tmp_path: Path) -> None:
    """Every whole model of a document is one."""
    load(folder_for(block.document, tmp_path) / block.name)


@pytest.mark.parametrize("block", shown("spec"), ids=ids)
def test_a_spec_comes_out_as_it_says(block: Code, tmp_path: Path) -> None:
    """Every whole spec of a document is read, and everything in it is as it says."""
    (spec,) = load_specs([folder_for(block.document, tmp_path) / block.name])
    assert check_spec(spec).exit_code == 0


@pytest.mark.parametrize("block", shown("added to"), ids=ids)
def test_added_lines_give_the_verdicts_they_state(block: Code, tmp_path: Path) -> None:
    """Comments ``# NAME: VERDICT`` in added lines are true."""
    folder = folder_for(block.document, tmp_path)
    assert verdicts(block.name, block.text, folder) == said_verdicts(block.text)


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_no_example_stands_untested(document: Path) -> None:
    """Code in a document has a mark, or is a session that doctest runs."""
    code = [block for block in code_of(document) if block.language in ("python", "toml")]
    made = re.findall(r"<!-- init: .+? -->\n\n```\w+\n(.*?)^```", read(document), re.S | re.M)
    free = [b.text for b in code if not b.kind and not b.text.startswith(">>>")]
    assert [text for text in free if text not in made] == []


def sessions() -> Iterator[Code]:
    """Yield the Python sessions of all documents."""
    for document in DOCUMENTS:
        texts = [b.text for b in code_of(document) if b.text.startswith(">>>")]
        if texts:
            yield Code(document, "python", "session", "", "\n".join(texts))


@pytest.mark.parametrize("session", list(sessions()), ids=ids)
def test_a_session_prints_what_it_shows(
    session: Code, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a document shows at Python's prompt is what Python answers."""
    monkeypatch.chdir(folder_for(session.document, tmp_path))
    test = doctest.DocTestParser().get_doctest(session.text, {}, session.document.name, None, 0)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_exists_with_its_options(line: str) -> None:
    """Commands set apart from the text are those of the program."""
    _, command, *rest = shlex.split(line)
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    for option in (word for word in rest if word.startswith("--")):
        assert option in result.output


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_commands_in_the_text_exist(document: Path) -> None:
    """So are those that a sentence or a table names, with the options beside them."""
    for words in re.findall(r"`(?:fencecheck )?(\w+ [^`\n]*--[^`\n]+)`", read(document)):
        command, *rest = words.split()
        if command in main.commands:
            output = CliRunner().invoke(main, [command, "--help"]).output
            for option in re.findall(r"--[a-z-]+", " ".join(rest)):
                assert option in output, words


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_paths_and_links_lead_somewhere(document: Path) -> None:
    """Files that a document names exist, and so do the headings it links to."""
    text = re.sub(r"^```.*?^```$", "", read(document), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`fencecheck/\w+/\d`", "", text)  # names of schemas
    for path in re.findall(r"(?<![\w/.-])(?:specs|tests|models|fencecheck)/[\w./*-]+", text):
        path = path.rstrip("/.")
        assert [*ROOT.glob(path), *document.parent.glob(path)], path
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, heading = link.partition("#")
        if "://" not in link:
            target = (document.parent / file).resolve() if file else document
            assert target.exists(), link
            assert not heading or heading in headings(read(target)), link


def test_modules_that_the_architecture_names_exist() -> None:
    """fencecheck/README.md names rooms and modules by their paths below it."""
    door = ROOT / "fencecheck"
    names = re.findall(r"`([a-z_]+/[a-z_/]+)`", read(door / "README.md"))
    names = [name for name in names if not name.startswith("tests/")]
    found = [n for n in names if (door / n).is_dir() or (door / f"{n}.py").is_file()]
    assert [name for name in names if name not in found] == []
    rooms = [p.name for p in door.iterdir() if (p / "__init__.py").is_file()]
    assert [room for room in rooms if f"[{room}]({room})" not in read(door / "README.md")] == []


def test_files_that_docstrings_and_comments_name_exist() -> None:
    """A module that is moved or renamed takes what is said of it along."""
    files = [p for room in ("fencecheck", "models", "specs") for p in (ROOT / room).rglob("*.py")]
    there = [
        f"/{p.relative_to(ROOT).as_posix()}" for p in (*files, *(ROOT / "tests").rglob("*.py"))
    ]
    named = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in files
        if file.name not in ("init.py", "starts.py")  # whose texts name the files that they write
        for name in re.findall(r"(?<![\w/.])([a-z_]+(?:/[a-z_]+)*\.py)\b", read(file))
        if not any(path.endswith(f"/{name}") for path in there)
    ]
    assert named == []


def headings(text: str) -> set[str]:
    """Return the names by which GitHub links to the headings of a text."""
    found = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in found}


def test_every_refusal_of_the_language_is_in_its_reference() -> None:
    """models/README.md shows each message with which a model is refused or goes wrong."""
    text = read(ROOT / "models" / "README.md").replace("\\|", "|")
    files = [p for p in FOLDER.rglob("*.py") if p.parent.name != "ask"]
    missing = [
        f"{place}: {pattern.pattern}"
        for place, pattern in message_patterns(files)
        if not pattern.search(text) and not any(re.escape(w) in pattern.pattern for w in UNSHOWN)
    ]
    assert missing == [], "add a row to a table of models/README.md and run refresh"


def test_every_declaration_is_in_the_reference() -> None:
    """models/README.md names all that an author can import, call, set and pass by name."""
    text = read(ROOT / "models" / "README.md")
    calls = [*public(Promises), *public(Part), *(f"actor.{name}" for name in public(Actor))]
    wanted = [f"model.{name}" if "." not in name else name for name in calls]
    wanted += [f"model.{name}" for name in Part.__annotations__ if name in AUTHORS]
    wanted += [f"{name}=" for call in (Actor.action, Part.variable, Part.mechanism, Part.messages)
               for name, p in inspect.signature(call).parameters.items()
               if p.kind is p.KEYWORD_ONLY]  # fmt: skip
    assert [name for name in wanted if name not in text] == []
    assert [name for name in fencecheck.model.__all__ if name not in text] == []


def public(kind: type) -> list[str]:
    """Return the methods of a class that authors call."""
    return [n for n, f in vars(kind).items() if inspect.isfunction(f) and n[0] != "_"
            and n not in NOT_AUTHORS]  # fmt: skip


def test_every_field_of_results_is_explained() -> None:
    """reports/README.md names each field of results and traces in JSON."""
    text = read(ROOT / "reports" / "README.md")
    result = compare(ROOT / "specs" / "claims.toml", properties=("at_most_once",))
    names = sorted(field_names(result.to_dict()))
    assert len(names) > 60
    assert [name for name in names if f"`{name}`" not in text] == []


def field_names(told: Any) -> set[str]:
    """Return the names of all fields, not those of switches, bounds, variables and arguments."""
    if isinstance(told, list):
        return set().union(*map(field_names, told))
    if not isinstance(told, dict):
        return set()
    inner = [field_names(value) for key, value in told.items() if key not in NAMED_BY_MODELS]
    return set(told).union(*inner)


def test_every_file_of_the_families_is_in_the_reference() -> None:
    """A reader finds each file of models/ from its README."""
    text = read(ROOT / "models" / "README.md")
    files = [p for p in (ROOT / "models").glob("*/*.py") if p.name != "__init__.py"]
    names = [p.relative_to(ROOT / "models").as_posix() for p in files]
    assert [name for name in names if name not in text] == []


def test_the_gate_finds_the_test_command() -> None:
    """.ci/run takes the first such line of the README."""
    lines = re.findall(r"^    (.*-m pytest(?: -n auto)?)$", read(ROOT / "README.md"), re.M)
    assert len(lines) == 1


def test_the_first_page_is_short() -> None:
    """What does not fit stands behind its doors; what it shows of the program is not wide."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 250
    inside = "\n".join(lines).split("```")[1::2]
    assert max(len(line) for block in inside for line in block.splitlines()) <= 100
