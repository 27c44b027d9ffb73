"""A variant of a spec, ready to be written for another checker: with what our own search says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fencecheck.analysis.concrete_states import concrete_states
from fencecheck.checking.check import check_design
from fencecheck.checking.question import Options, Question
from fencecheck.checking.results import VariantResult
from fencecheck.errors import StateError
from fencecheck.export.head import Answers, Head
from fencecheck.export.languages import Files, model_files
from fencecheck.model.family import Design, Family
from fencecheck.model.files.identity import model_hash
from fencecheck.model.system import System
from fencecheck.runs.trace import Origin
from fencecheck.spec.values import Spec, Variant

CONCRETE = "tla"  # the form in which no state stands for others
COUNTED = 50_000  # states to be counted where they are more than our search has


@dataclass(frozen=True)
class ExportedDesign:
    """A design with the properties asked of it, what we say of it, and what heads its files.

    ``untested`` are the properties that hold since nothing puts them to the test.
    """

    system: System
    names: list[str]
    head: Head
    untested: frozenset[str] = frozenset()

    @property
    def answers(self) -> Answers:
        """Return what our own search says."""
        return self.head.answers

    def files(self, form: str) -> Files:
        """Return the files in one form."""
        head = self.head if form != CONCRETE else self._counted()
        return model_files(self.system, self.names, form, head)

    def _counted(self) -> Head:
        """Return the head with how many states there are if none stands for others."""
        answers = self.head.answers
        concrete = answers.states
        if self.system.representatives and concrete is not None:
            concrete = concrete_states(self.system, COUNTED)
        return replace(self.head, answers=replace(answers, concrete=concrete))


def export_variant(spec: Spec, variant: Variant, options: Options) -> ExportedDesign:
    """Search a variant of a spec, and return it ready to be written."""
    names = [*spec.required, *spec.reported]
    return export_design(spec.family, variant.design, names, options, (spec.title, variant.name))


def export_design(
    family: Family,
    design: Design,
    names: Sequence[str],
    options: Options,
    titles: tuple[str, str] = ("", ""),
) -> ExportedDesign:
    """Search a design, and return it ready to be written; ``titles``: of the spec, of the variant.

    A model that goes wrong is one too: that is what must come out. Every state is counted.
    """
    options, untested = replace(options, exact=True), frozenset[str]()
    try:
        result = check_design(family, design, Question(tuple(names), origin=Origin()), options)
    except StateError as error:
        answers = Answers(fault=str(error).splitlines()[0])
    else:
        answers = answers_of(result)
        untested = frozenset(f.name for f in result.findings if f.vacuous)
    system = System(family, design, asked=names)
    asked = system.properties(list(names))
    head = Head(
        family.name,
        model_hash(family),
        titles[0] or family.title,
        titles[1] or family.name,
        _plain(design.mechanisms),
        _plain(design.bounds),
        answers,
        tuple(prop.name for prop in asked if prop.temporal),
    )
    return ExportedDesign(system, [prop.name for prop in asked], head, untested)


def answers_of(result: VariantResult) -> Answers:
    """Return what a search says that another checker can say too."""
    found = result.exploration
    if not found.complete:
        return Answers(starts=found.initials)
    return Answers(
        found.states,
        found.transitions,
        found.depth,
        found.initials,
        holds=tuple(f.name for f in result.findings if f.verdict == "holds"),
        lengths={f.name: f.events for f in result.findings if f.verdict == "violated"},
    )


def _plain(values: Mapping[str, object]) -> dict[str, object]:
    """Return values as numbers and words."""
    return {name: value if isinstance(value, int) else str(value) for name, value in values.items()}
