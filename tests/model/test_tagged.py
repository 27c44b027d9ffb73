"""Tagged values: contents of several kinds, and messages of several kinds in one bag."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencecheck.analysis.counterexamples import add_counterexamples
from fencecheck.checking.check import check_design, check_spec
from fencecheck.checking.question import Options, Predicates, Question
from fencecheck.errors import ModelError, UsageError
from fencecheck.model import Index, Int, OneOf, Record
from fencecheck.model.domains import Domain
from fencecheck.model.family import Family
from fencecheck.model.system import System
from fencecheck.spec.files import load_specs
from tests.judge import disagreements
from tests.model.agreement import disagreement
from tests.models_for_tests import HEADER, load

STEP = Index(3, "s")
FILES = (
    HEADER
    + """
model = Model("files", "Files")
model.bound("steps", 2, "steps")
model.budget("edits", "edits")
STEP = Index("steps", "s")
EDIT = Int(1, lambda k: k.edits)
Content = OneOf("Content", original=None, result_of=STEP, edit=EDIT, by=Maybe(STEP, "nobody"))
KNOWN = Content.only("result_of", "original", "by")
Ask = Record("Ask", step=STEP, sees=Content)
Kept = Record("Kept", step=STEP, sees=KNOWN)
Reply = Record("Reply", step=STEP, ok=Bool(), who=Maybe(STEP, "none"))
Message = OneOf("Message", ask=Ask, reply=Reply, ping=None)
Paper = OneOf("Paper", about=KNOWN, gone=Content.only(lambda k: ()), blank=None)
START = Content.original
writer = model.actor("writer")
human = model.actor("human", "interference")
model.variable("content", Content, owner=writer)
model.variable("views", Array(STEP, Content), owner=writer)
model.variable("seen", Set(Content), owner=writer)
model.variable("last", Int(0, 3), owner=writer)
model.variable("kept", Array(STEP, Kept), owner=writer)
model.variable("known", Set(KNOWN), owner=writer)
model.variable("mended", Content.only(lambda k: "edit" if k.edits else "original"), owner=writer)
model.variable("todo", Array(STEP, Bool()), (True, True), owner=writer)
model.variable("paper", Array(STEP, Paper), owner=writer)
model.messages("net", Bag(Message, 2))
network = model.actor("network")

def newest(s):
    return s.content if s.last > 0 else Content.result_of(0)

def either(s, step):
    return s.mended if s.content == s.mended else s.kept[step].sees

@writer.action(step=STEP, when=lambda s, step: s.todo[step] and len(s.net) < 2)
def ask(s, step):
    s.todo[step] = False
    s.net.add(Message.ask(Ask(step=step, sees=s.content)))

@network.action(m=Each("net"), when=lambda s, m: m.tag == "ask" and m.ask.sees == s.content)
def serve(s, m):
    s.net.remove(m)
    who = m.ask.step if s.last == 0 else None
    s.net.add(Message.reply(Reply(step=m.ask.step, ok=s.content == START, who=who)))
    s.content = Content.result_of(m.ask.step)
    s.views[m.ask.step] = newest(s)
    s.kept[m.ask.step].sees = s.content
    s.known.add(s.kept[0].sees)

@network.action(m=Each("net"), when=lambda s, m: m.tag == "reply")
def hear(s, m):
    s.net.remove(m)
    s.seen.add(s.views[m.reply.step])
    s.last = 1 if m.reply.ok else 2
    if s.paper[0] != Paper.blank and s.paper[0].about == s.content:
        s.paper[0] = Paper.blank
    elif s.paper[1].tag == "about":
        s.paper[1] = Paper.about(s.views[0] if s.mended == s.content else s.kept[0].sees)
    if m.reply.who is None:
        s.net.add(Message.ping)
        s.views[0] = Content.by(None)

@human.interference("edits", c=Content, when=lambda s, c: c.tag == "edit" or c == Content.by(1))
def edit(s, c):
    s.content = c
    if c.tag == "edit":
        s.mended = c
        s.last = c.edit + 1
    if either(s, 0) in s.known or s.kept[1].sees == Content.edit(1):
        s.kept[1] = Kept(step=0, sees=Content.by(0))

@model.invariant()
def no_edit_by_nobody(s):
    \"\"\"The same.\"\"\"
    return not (s.content.tag == "edit" and any(v.tag == "by" and v.by is None for v in s.views))

@model.invariant()
def original_is_not_seen(s):
    \"\"\"The same.\"\"\"
    return Content.original not in s.seen and sum(1 for m in s.net if m.tag == "ping") < 1
"""
)


@pytest.fixture
def family(tmp_path: Path) -> Family:
    return Family(load(tmp_path, FILES).model)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_both_engines_and_the_judge_agree(family: Family, engine: str) -> None:
    """In variables, arrays, sets, records, bags and parameters."""
    assert disagreements(family, None, {"edits": 1}, engine) == []


def test_every_state_means_the_same(family: Family) -> None:
    """Events and what they lead to, state by state."""
    assert disagreement(System(family, family.design({}, {"edits": 1})), 400) is None


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_a_value_does_not_hold_is_an_error_of_the_run(tmp_path: Path, engine: str) -> None:
    """So is what a tag may not hold, once it stays."""
    for old, new in (
        ('if c.tag == "edit":', 'if c.tag != "edit":'),
        ("s.content = c\n", "s.content = Content.edit(s.last - 1)\n"),
    ):
        family = Family(load(tmp_path, FILES.replace(old, new)).model)
        assert disagreements(family, None, {"edits": 1}, engine) == []


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_variable_holds_only_some_of_the_tags(tmp_path: Path, engine: str) -> None:
    """What has another tag is an error of the run, once it stays, in a field and in a set."""
    whole = Family(load(tmp_path, FILES).model)
    system = System(whole, whole.design({}, {"edits": 0}))
    assert [f.high for f in system.lowered.layout.fields if f.path == "mended"] == [0]
    wrong = "s.kept[0].sees = c", "s.known.add(c)", "s.mended = s.kept[0].sees"
    for new in (*wrong, "s.paper[0] = Paper.about(c)", "s.paper[1] = Paper.gone(c)"):
        text = FILES.replace("        s.mended = c\n", f"        {new}\n")
        family = Family(load(tmp_path, text).model)
        assert disagreements(family, None, {"edits": 1}, engine) == []
        assert disagreement(System(family, family.design({}, {"edits": 1})), 200) is None


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_tag_may_have_no_values_in_a_run(tmp_path: Path, engine: str) -> None:
    """With a budget of 0 nothing was edited; a value with such a tag is an error of the run."""
    wrong = FILES.replace(
        "s.last = 1 if m.reply.ok else 2", "s.last = 1\n    s.content = Content.edit(1)"
    )
    for text in (FILES, wrong):
        family = Family(load(tmp_path, text).model)
        assert disagreements(family, None, {"edits": 0}, engine) == []
        assert family.design({}, {"edits": 0}) is not None
        assert disagreement(System(family, family.design({}, {"edits": 0})), 400) is None


def test_the_first_tag_has_values_in_every_run(tmp_path: Path) -> None:
    """Otherwise a variable would begin with nothing."""
    content = OneOf("Content", edit=Int(1, 0), original=None)
    with pytest.raises(ModelError, match="its first tag edit has no values; write one first"):
        content.resolve(None)


def test_people_ask_for_the_tag_and_what_it_holds(family: Family) -> None:
    """In predicates; events and changes tell both."""
    asked = Predicates(('any(m.tag == "reply" and m.reply.step == 2 for m in net)',))
    design = family.design({}, {"edits": 1})
    found = check_design(family, design, Question(()), Options(predicates=asked))
    trace = found.answers[0].trace
    assert trace is not None
    assert [event.label for event in trace.events] == ["ask s2", "serve ask step s2 sees original"]
    assert trace.events[-1].changes["writer.content"].after == "result of s2"
    for wrong, message in (
        ("content.edti == 1", 'has no edti; it has tag, by, edit, result_of (did you mean "edit"'),
        ("content == 3", 'write .tag == "by"'),
        ('content == "edit 7"', "'edit 7' is not one of by nobody, by s1, by s2, edit 1,"),
    ):
        with pytest.raises(UsageError) as error:
            check_design(family, design, Question(()), Options(predicates=Predicates((wrong,))))
        assert message in str(error.value)


def test_ranks_and_values_are_inverse() -> None:
    """Every value has its rank, in the order in which bags and sets keep them."""
    step = Index(3, "s")
    domain = OneOf("X", b=None, a=step, c=Record("C", x=Int(-1, 1), y=step)).resolve(None)
    values = [domain.value(rank) for rank in range(domain.count)]
    assert [domain.rank(value) for value in values] == list(range(3 + 1 + 9))
    assert values == sorted(values)
    assert all(isinstance(domain, Domain) and domain.contains(value) for value in values)
    assert domain.default == domain.b


def test_a_model_says_how_values_are_told() -> None:
    """Of every tag; without, a value is told by its tag and what that holds."""
    told = OneOf("X", show=lambda v, k: f"{k} {v.b}" if v.tag == "b" else "none", a=None, b=STEP)
    plain = OneOf("Y", a=None, b=STEP)
    for domain, words in ((told, ["none", "many 1"]), (plain, ["a", "b s2"])):
        domain = domain.resolve("many")
        assert [domain.show(domain.a), domain.show(domain.b(1))] == words


def test_further_counterexamples_are_of_other_kinds(tmp_path: Path) -> None:
    """Values of every sort are told apart, whoever of several they speak of."""
    (tmp_path / "files.py").write_text(FILES)
    lines = ['model = "files.py"', "[bounds]", "edits = 1", "[[variant]]", 'name = "a"', ""]
    (tmp_path / "files.toml").write_text("\n".join(lines))
    (spec,) = load_specs([tmp_path / "files.toml"])
    result = check_spec(spec)
    add_counterexamples(spec, result, Options(), 4)
    others = [len(finding.others) for finding in result.variants[0].findings]
    assert others == [3, 3]
