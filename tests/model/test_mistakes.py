"""Mistakes of a model file: each is told with its line and carets, and all of them at once."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fencecheck.cli import main
from fencecheck.errors import ModelError, ModelMistakes
from fencecheck.interface.calls import check, load
from fencecheck.model import Int
from fencecheck.model.checks.ways import check_ways
from tests.model.mistakes import MODEL, Mistake, mistakes, shown_in

TABLE = list(mistakes())
Run = Callable[[str], Result]
START = MODEL.count("\n")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that lists a model with lines added to the small one."""
    monkeypatch.chdir(tmp_path)

    def added(lines: str) -> Result:
        Path("small.py").write_text(MODEL + textwrap.dedent(lines), encoding="utf-8")
        result = CliRunner().invoke(main, ["list", "small.py"])
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "Traceback" not in result.output
        return result

    return added


def test_the_table_holds_more_than_a_hundred_mistakes() -> None:
    """The table is not cut short by a slip in its form."""
    assert len(TABLE) > 150


@pytest.mark.parametrize("mistake", TABLE, ids=lambda m: m.marked.replace("\n", " ")[:60])
def test_a_mistake_is_told_with_its_place(run: Run, mistake: Mistake) -> None:
    """Message, line and carets are those of the table; the exit code is 2."""
    result = run(mistake.lines + "\n")
    assert result.exit_code == 2
    assert result.output.startswith("error: small.py:")
    assert shown_in(mistake, result.output) == (mistake.marked, mistake.message)


def places(output: str) -> list[tuple[int, str]]:
    """Return the lines that an output names, counted from those added, with their messages."""
    found = [
        line.split(":", 2)
        for line in output.removeprefix("error: ").split("\n")
        if line.startswith("small.py:")
    ]
    return [(int(line) - START, said.split(";")[0].strip()) for _, line, said in found]


def test_all_mistakes_come_at_once_in_the_order_of_the_file(run: Run) -> None:
    """Declarations, guards, effects (each statement) and properties are told together."""
    result = run('''\
        @anyone.action(when=lambda s: s.opne)
        def act(s):
            """Act."""
            if s.count:
                s.phase = "bussy"
            s.count = s.lvel[0]
            s.open = True


        model.bound("rooms", "3", "rooms there are")


        @model.invariant(relevant=["cuont"])
        def holds(s):
            """It holds."""
            return s.count


        model.variable("extra", Int(3, 1))
        ''')
    assert result.output.startswith("error: 8 mistakes in the model\n")
    assert [line for line, _ in places(result.output)] == [1, 4, 5, 6, 10, 13, 16, 19]


@pytest.mark.parametrize("seed", range(20))
def test_mistakes_do_not_hide_each_other(run: Run, seed: int) -> None:
    """Several effects and properties of the table, drawn by chance, are all told in one file."""
    kinds = "@anyone.action()\ndef", "@model.invariant()\n"
    alone = [mistake for mistake in TABLE if mistake.lines.startswith(kinds)]
    drawn = random.Random(seed).sample(alone, 6)
    names = re.compile(r"\b(act|holds)\b")
    lines = [names.sub(rf"\g<1>{number}", m.lines) for number, m in enumerate(drawn)]
    result = run("\n\n\n".join(lines) + "\n")
    told = [said for _, said in places(result.output)]
    wanted = [names.sub(rf"\g<1>{n}", m.message.split(";")[0]) for n, m in enumerate(drawn)]
    assert told == wanted


def test_of_many_mistakes_the_first_are_told(run: Run) -> None:
    """Twenty are told, the others are counted."""
    lines = "\n".join(f"    s.z{number} = 1" for number in range(25))
    result = run(f"@anyone.action()\ndef act(s):\n{lines}\n")
    assert len(places(result.output)) == 20
    assert result.output.endswith("\nand 5 more\n")


def test_a_mistake_in_a_function_that_others_call_is_told_once(run: Run) -> None:
    """Two events call it for each of three cells; what it gives is not judged."""
    result = run("""\
        def wrong(s):
            return s.cuont


        @anyone.action(cell=CELL, when=lambda s, cell: wrong(s) > 1)
        def act(s, cell):
            s.count = wrong(s) + s.level[cell]


        @anyone.action(cell=CELL)
        def other(s, cell):
            s.count = wrong(s)
            s.open = s.count > 1
        """)
    assert [line for line, _ in places(result.output)] == [2]


def test_what_follows_from_a_mistake_is_not_told(run: Run) -> None:
    """A refused domain, a variable of it, an action over it and a name set wrongly."""
    result = run('''\
        ROOM = Index(True)
        model.variable("rooms", Array(ROOM, Bool()))


        @anyone.action(room=ROOM)
        def enter(s, room):
            s.rooms[room] = True


        @anyone.action()
        def act(s):
            size = s.level
            s.count = size + 1
            s.rooms[0] = False


        @model.transition("anyone.enter")
        def holds(before, after):
            """It holds."""
            return not before.rooms[0]
        ''')
    assert places(result.output) == [
        (1, "Index(True): write the name of a bound, a number, or a function of k"),
        (12, "in act: level gets a second name"),
    ]


def test_the_error_of_several_mistakes_has_each_of_them(run: Run, tmp_path: Path) -> None:
    """From Python, too; one alone is an error as any other."""
    run("@anyone.action()\ndef act(s):\n    s.z = 1\n    s.y = s.x\n")
    with pytest.raises(ModelMistakes) as caught:
        load(tmp_path / "small.py")
    assert [str(one).split("bound ")[1][0] for one in caught.value.mistakes] == ["z", "x"]
    run("@anyone.action()\ndef act(s):\n    s.z = 1\n")
    with pytest.raises(ModelError) as alone:
        load(tmp_path / "small.py")
    assert not isinstance(alone.value, ModelMistakes)
    assert "\n" not in str(alone.value)


def test_a_spec_tells_the_mistakes_of_its_model(run: Run) -> None:
    """With their lines, behind the place in the spec."""
    run("@anyone.action()\ndef act(s):\n    s.cuont = 1\n")
    Path("small.toml").write_text('model = "small.py"\ntitle = "Small"\n', encoding="utf-8")
    result = CliRunner().invoke(main, ["check", "small.toml"])
    assert result.exit_code == 2
    assert "small.toml: model: small.py:" in result.output
    assert "\n    s.cuont = 1\n    ^^^^^^^\n" in result.output


def test_an_error_of_python_is_told_with_the_mistakes_before_it(run: Run) -> None:
    """It ends the file: what is declared behind it is not there to be judged."""
    result = run('model.bound("rooms", "3", "rooms")\nx = 1 / 0\nmodel.bound("z", "3", "z")\n')
    assert [line for line, _ in places(result.output)] == [1, 2]


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_six_hundred_elif_are_a_model(run: Run, tmp_path: Path, engine: str) -> None:
    """Each is a level of syntax; none is too deep."""
    arms = "".join(f"    elif s.count == {n}:\n        s.count = {n % 7}\n" for n in range(1, 600))
    lines = f"def act(s):\n    if s.count == 0:\n        s.count = 1\n{arms}"
    promise = '@model.invariant()\ndef little(s):\n    """Little."""\n    return s.count < 9\n'
    assert run(f"@anyone.action()\n{lines}\n\n{promise}").exit_code == 0
    assert check(tmp_path / "small.py", {}, {}, engine=engine)["little"].verdict == "holds"


def test_many_ways_are_warned_of_and_too_many_refused(run: Run) -> None:
    """Above 2,000 a warning with the product, above 20,000 a refusal."""
    head = "@anyone.action(a=Int(1, 12), b=Int(1, {}), c=Int(1, 20))"
    fits = f"{head}\ndef act(s, a, b, c):\n    pass\n"
    assert "warning" not in run(fits.format(8)).output
    warned = run(fits.format(15))
    assert warned.exit_code == 0
    assert "warning: small: anyone.act: 12 x 15 x 20 = 3,600 ways" in warned.output
    refused = run(fits.format(100))
    assert refused.exit_code == 2
    assert "anyone.act: 12 x 100 x 20 = 24,000 ways" in refused.output


def test_the_limit_of_ways_is_exact() -> None:
    """20,000 ways are as many as there may be."""
    check_ways([Int(1, 20_000).resolve(None)], "act")
    with pytest.raises(ModelError, match="act: 20,001 ways"):
        check_ways([Int(1, 20_001).resolve(None)], "act")


WRONG_IN_A_RUN = {
    "s.level[s.count + 1] = 0": "level has no element 3; it has 3, counted from 0",
    "s.level[s.count - 4] += 1": "level has no element -2; it has 3, counted from 0",
    "s.last = s.queue[s.count - 2]": "queue has no element 0; it is empty",
    "for c in range(3):\n    s.mail.add(Job(cell=c, size=0))": "mail: a bag of Job is full",
}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("statements", WRONG_IN_A_RUN)
def test_an_element_that_is_not_there_is_named(
    run: Run, tmp_path: Path, statements: str, engine: str
) -> None:
    """What goes wrong in a run names the variable, the index and the size."""
    body = textwrap.indent(statements, "    ")
    assert run(f"@anyone.action()\ndef act(s):\n{body}\n").exit_code == 0
    promise = '@model.invariant()\ndef fine(s):\n    """Fine."""\n    return s.count < 99\n'
    run(f"@anyone.action()\ndef act(s):\n{body}\n\n\n{promise}")
    with pytest.raises(ModelError) as caught:
        check(tmp_path / "small.py", {}, {}, engine=engine)
    assert WRONG_IN_A_RUN[statements] in str(caught.value)
