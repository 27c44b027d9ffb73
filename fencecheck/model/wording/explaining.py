"""How a property says in what way it breaks: a sentence with named values, or a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fencecheck.errors import ModelError
from fencecheck.model.ordinary import ask, place_of_call, refuse, shown
from fencecheck.model.wording.templates import Known, Saying, template_of


def explanation(
    what: str,
    explain: Callable[..., Any] | Saying,
    takes: Sequence[str],
    states: tuple[Any, Any],
    known: Known,
) -> Any:
    """Return the text and the values that disagree, of the states before and after.

    ``takes`` are the names of what a function takes behind these. Raises ModelError where the
    words go wrong, or are none.
    """
    if isinstance(explain, Saying):
        return explain.told(what, known)
    nothing = (None, None)
    more = [known.get(name, nothing)[1] for name in takes]
    given = ask(what, explain, *states, *more)
    if not _explains(given):
        refuse(what, explain, given, "it returns a text and a list of (name, value)")
    return given


def sentence(said: str, values: Any) -> Saying:
    """Return the sentence and the values with their names; raises ModelError for a wrong form."""
    texts = [*values.keys(), *values.values()] if isinstance(values, Mapping) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise ModelError(
            f"{place_of_call()}says: values is {shown(values)}; "
            'write a dict of texts ({"token before": "{before.token}"})'
        )
    told = [
        (template_of(f"says: {name}", name), template_of(f"says: {name}", text))
        for name, text in values.items()
    ]
    return Saying(template_of("says", said), tuple(told))


def _explains(given: Any) -> bool:
    """Tell whether something is a text with a list of (name, value)."""
    if not isinstance(given, tuple | list) or len(given) != 2 or not isinstance(given[0], str):
        return False
    pairs = given[1]
    return isinstance(pairs, tuple | list) and all(
        isinstance(pair, tuple | list) and len(pair) == 2 and _is_plain(pair[1]) for pair in pairs
    )


def _is_plain(value: Any) -> bool:
    """Tell whether a value can be shown: a text, number or truth, None, or a list of such."""
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, str | int | float)
