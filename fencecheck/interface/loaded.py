"""What ``load`` gives: a model or a spec, with the names of all that it has."""

from __future__ import annotations

from pathlib import Path

from fencecheck.model.declaring.any_number import HowMany
from fencecheck.model.family import Family
from fencecheck.spec.values import Spec


class LoadedModel:
    """A model that is ready to be checked: hand it to ``check`` with a design."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.name, self.title = family.name, family.title

    @property
    def mechanisms(self) -> dict[str, tuple[str, ...]]:
        """Return every switch with the values that it can have."""
        return {name: m.values for name, m in self.family.mechanisms.items()}

    @property
    def bounds(self) -> dict[str, HowMany]:
        """Return every bound and budget with its default."""
        return {name: bound.default for name, bound in self.family.bounds.items()}

    @property
    def properties(self) -> dict[str, str]:
        """Return every property with the sentence that says what it means."""
        return {name: prop.doc for name, prop in self.family.properties.items()}

    @property
    def events(self) -> list[str]:
        """Return the names of the events, in the order of declaration."""
        return [action.name for action in self.family.declared.actions]

    def __repr__(self) -> str:
        counts = f"{len(self.mechanisms)} mechanisms, {len(self.bounds)} bounds"
        return f"<model {self.name}: {counts}, {len(self.properties)} properties>"


class LoadedSpec:
    """A spec that was read and found to be right: hand it to ``check``."""

    def __init__(self, spec: Spec) -> None:
        assert spec.path is not None
        self.place, self.title, self.note = Path(spec.path), spec.title, spec.note
        self.model = LoadedModel(spec.family)
        self.variants = [variant.name for variant in spec.variants]
        self.properties = [*spec.required, *spec.reported]

    def __repr__(self) -> str:
        what = f"model {self.model.name}, {len(self.variants)} variants"
        return f"<spec {self.place.as_posix()}: {what}>"
