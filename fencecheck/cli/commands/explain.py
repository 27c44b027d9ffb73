"""``fencecheck explain``: which event order breaks a design, and what is to be done about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fencecheck.cli.completion import complete_file
from fencecheck.cli.diagrams import Named
from fencecheck.cli.option_types import SearchCommand
from fencecheck.cli.options import (
    SearchSettings,
    format_option,
    gathered,
    out_option,
    quiet_option,
    unsaved_search_options,
)
from fencecheck.cli.pages import open_option, put_results, show_page
from fencecheck.cli.progress import Progress
from fencecheck.cli.running import choose_variants
from fencecheck.cli.terminal import paint, put_note, put_text, screen_width
from fencecheck.errors import check_names
from fencecheck.explore import interrupt

if TYPE_CHECKING:
    from fencecheck.analysis.explain.explanation import Explanation
    from fencecheck.spec.files import Spec

FORMATS = ("text", "json", "markdown", "html")
OPEN = "Open the explanations as a page in the browser; without --out its file is in reports/."
PARTS = ("adversaries", "designs", "guards", "orders", "bounds")
ALL_PARTS = (*PARTS, "any")
SECONDS = 60.0


@dataclass(frozen=True)
class Focus:
    """What is to be explained; the fields are the options' names."""

    variants: tuple[str, ...]
    parts: tuple[str, ...]
    keep: tuple[str, ...]


@click.command("explain", cls=SearchCommand)
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", shell_complete=complete_file)
@unsaved_search_options
@click.option(
    "--variant", "variants", metavar="NAME", multiple=True, help="Only this variant; repeatable."
)
@click.option(
    "--part",
    "parts",
    type=click.Choice(ALL_PARTS),
    multiple=True,
    help="Only this part: the least interference, the lattice of designs, what each mechanism is "
    "needed for, the verdict on each event order, larger bounds; or, only where it is asked for, "
    "all sound designs at any number of faults; repeatable.",
)
@click.option(
    "--keep",
    metavar="SWITCH",
    multiple=True,
    help="A switch that cannot be chosen: it stays as the spec has it; repeatable.",
)
@format_option(FORMATS, "text", "How explanations are printed.")
@out_option(
    "Also write the explanations and each event order (trace JSON, DOT, SVG, PNG) to this folder; "
    "without it nothing is written.",
    None,
)
@open_option(OPEN)
@quiet_option
@gathered("focus", Focus)
def explain_command(
    specs: tuple[str, ...],
    search: SearchSettings,
    focus: Focus,
    form: str,
    out: str | None,
    quiet: bool,
) -> int:
    """Explain what breaks each SPEC, what keeps it, and what to do about it.

    For each variant: the least interference that is enough to break each property, with its
    shortest event order and the verdict it calls for (reject, replay, compensate, accept, refuse),
    read off a sound design near by; the least changes that make it sound; what each mechanism is
    needed for. For all designs: the minimal sets of mechanisms under which what is required
    holds, with their costs. A design is sound only if its work can always still get done, beside
    what is required. Then larger bounds, for at most 10s unless --timeout or --part asks for more.
    --timeout is for the whole explanation of a spec, 60s without it.

    \b
    Exit code: 0, 1, 2  as for `fencecheck check`
               3        undetermined: time was up, or a search was cut, before an answer
    """
    from fencecheck.cli.files import check_folder
    from fencecheck.cli.running import is_collection, note_faults, worst

    if out is not None:
        check_folder(Path(out))
    loaded = _chosen(search.load(specs, search.timeout or SECONDS), focus)
    found: list[Explanation] = []
    for spec in loaded:
        if interrupt.heard():
            break
        if form == "text" and found:
            put_text("\n\n")
        found.append(_explained(spec, search, focus, quiet, streamed=form == "text"))
        if form != "text":
            note_faults(found[-1].result)
    text = _whole(found, form, quiet, array=is_collection(specs))
    if form != "text":
        put_results(text, form)
    if out is not None:
        _save(found, Path(out), form, text, quiet)
    show_page(lambda: _whole(found, "html", quiet, array=False), out, "explanation.html")
    return worst(explanation.exit_code for explanation in found)


def _chosen(specs: list[Spec], focus: Focus) -> list[Spec]:
    """Return the specs with the variants that are asked for; check the names that were given."""
    switches = dict.fromkeys(name for spec in specs for name in spec.family.mechanisms)
    check_names("--keep {}:", focus.keep, switches)
    return choose_variants(specs, focus.variants)


def _explained(
    spec: Spec, search: SearchSettings, focus: Focus, quiet: bool, *, streamed: bool
) -> Explanation:
    """Explain a spec; where it is ``streamed``, each part is printed as soon as it is ready."""
    from fencecheck.analysis.explain.explain import explain_spec
    from fencecheck.analysis.explain.plan import GROWING, ExplainPlan
    from fencecheck.report.explanation.text import render_part

    progress = Progress(quiet)

    def show(explanation: Explanation, part: object) -> None:
        number = len(explanation.parts) - 1
        progress.clear()
        width = screen_width()
        text = render_part(explanation, number, width=width, paint=paint, orders=not quiet)
        if text:
            put_text(text)

    options = search.options()
    options = replace(options, limits=replace(options.limits, seconds=None))
    asked = search.timeout is not None or "bounds" in focus.parts
    plan = ExplainPlan(
        focus.parts or PARTS,
        search.timeout or SECONDS,
        focus.keep,
        None if asked else GROWING,
        progress.say,
    )
    plan = replace(plan, ready=show) if streamed else plan
    try:
        return explain_spec(spec, options, plan)
    finally:
        progress.clear()


def _whole(found: list[Explanation], form: str, quiet: bool, *, array: bool) -> str:
    """Return all explanations in one format, as they stand in a file."""
    if form == "json":
        from fencecheck.report.explanation.json import render_explanations_json

        return render_explanations_json(found, array=array)
    if form == "markdown":
        from fencecheck.report.explanation.markdown import render_explanations_markdown

        return render_explanations_markdown(found, orders=not quiet)
    if form == "html":
        from fencecheck.report.page.page import explanations_page

        return explanations_page(found)
    from fencecheck.report.explanation.text import render_explanation

    return "\n\n".join(render_explanation(one, orders=not quiet) for one in found)


def _save(found: list[Explanation], folder: Path, form: str, text: str, quiet: bool) -> None:
    """Write the explanations, and each event order with its diagram and the sound design's."""
    from fencecheck.cli.commands.check import save_traces
    from fencecheck.cli.files import write

    ending = {"text": "txt", "markdown": "md"}.get(form, form)
    path = write(folder / f"explanation.{ending}", text.encode("utf-8", "surrogatepass"))
    written = save_traces(_named(found), folder, quiet=quiet)
    if not quiet:
        put_note(f"wrote {path}" + (f" and {len(written)} files beside it" if written else ""))


def _named(found: list[Explanation]) -> list[Named]:
    """Name every event order SPEC/VARIANT.PROPERTY.INTERFERENCE, each name once."""
    from fencecheck.cli.files import slug
    from fencecheck.report.explanation.words import budget_words
    from fencecheck.report.words.taken import TakenNames

    folders, named = TakenNames(), list[Named]()
    for explanation in found:
        result = explanation.result
        folder = folders.take(slug(Path(result.spec or result.model).stem))
        names = TakenNames()
        for variant in explanation.variants:
            answers = {id(order.adversary): order.answer for order in variant.orders}
            for breaking in variant.breakings or ():
                for adversary in breaking.adversaries:
                    what = slug(budget_words(adversary.budgets))
                    name = names.take(f"{slug(variant.name)}.{breaking.name}.{what}")
                    named.append(Named(f"{folder}/{name}", adversary.trace))
                    answer = answers.get(id(adversary))
                    if answer is not None and answer.trace.events:
                        named.append(Named(f"{folder}/{name}.answer", answer.trace))
    return named
