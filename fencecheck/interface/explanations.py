"""An explanation as Python has it: text, Markdown or JSON of what ``fencecheck explain`` tells."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from fencecheck.analysis.explain.explanation import Explanation
from fencecheck.interface.verdicts import CheckResult
from fencecheck.report.explanation.json import render_explanations_json
from fencecheck.report.explanation.markdown import render_explanations_markdown
from fencecheck.report.explanation.text import render_explanation
from fencecheck.report.words.outcomes import count


class ExplainResult:
    """What breaks each design, what keeps it, and what to do about it.

    ``result`` has the verdicts on the properties; ``exit_code`` is 3 where something stayed open.
    """

    def __init__(self, explanation: Explanation) -> None:
        self._explanation = explanation
        self.result = CheckResult(explanation.result)
        self.exit_code: int = explanation.exit_code

    def to_text(self, width: int = 100) -> str:
        """Return it as ``fencecheck explain`` prints it."""
        return render_explanation(self._explanation, width=width)

    def to_markdown(self) -> str:
        """Return it as Markdown, with a diagram of each event order."""
        return render_explanations_markdown([self._explanation])

    def to_html(self) -> str:
        """Return a page of its own, in which each event order is stepped through."""
        from fencecheck.report.page.page import explanations_page

        return explanations_page([self._explanation])

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values (schema fencecheck/explanation/1)."""
        found: dict[str, Any] = json.loads(render_explanations_json([self._explanation]))
        return found

    def __repr__(self) -> str:
        sound = sum(bool(one.is_sound) for one in self._explanation.variants)
        designs = count(len(self._explanation.variants), "design")
        return f"<explanation of {designs}, {sound} of them sound>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.to_text())}</pre>"
