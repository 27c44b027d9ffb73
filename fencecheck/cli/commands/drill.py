"""``fencecheck drill``: what each control is for, and who recovers from which failure."""

from __future__ import annotations

import click

from fencecheck.cli.completion import complete_model
from fencecheck.cli.option_types import SearchCommand
from fencecheck.cli.options import Effort, effort_options, format_option, quiet_option
from fencecheck.cli.progress import Progress
from fencecheck.cli.terminal import paint, put_text, screen_width

FORMATS = ("text", "json", "markdown", "html")
UNEXPECTED = 1
UNDETERMINED = 3


@click.command(cls=SearchCommand)
@click.argument("model", default="ledger", metavar="[MODEL]", shell_complete=complete_model)
@format_option(FORMATS, "text", "How the tables are printed; JSON holds every trace.")
@effort_options
@quiet_option
def drill(model: str, form: str, effort: Effort, quiet: bool) -> int:
    """Run the drills that a MODEL declares; without one, those of model ledger.

    Three tables. Controls: the shortest event order that shows the absence of each, and the one
    that the design with it rejects or replays. Recoveries: from the worst state that each failure
    leads to, the fewest events to a sound end, and their owner, or that there is none; each for any
    number of the failure where the plan gives it a budget of any. Failure
    domains: what each design answers to the fault injected. Every cell is read off a trace that
    was replayed on the model. The published drill is `fencecheck compare` of
    specs/ledger/published_drill.toml.

    \b
    Exit code: 0  every cell has an answer, as the plan expects
               1  something came out otherwise than the plan says
               3  undetermined: a search was cut before an answer
    """
    from fencecheck.analysis.drill.drills import run_drills
    from fencecheck.model.files.loading import load_family
    from fencecheck.report.results import drill as report

    progress = Progress(quiet)
    progress.say("running the drills ...")
    try:
        drills = run_drills(load_family(model), effort.options(progress.tick))
    finally:
        progress.clear()
    if form == "json":
        put_text(report.render_drill_json(drills))
    elif form == "markdown":
        put_text(report.render_drill_markdown(drills))
    elif form == "html":
        put_text(report.render_drill_html(drills))
    else:
        put_text(report.render_drill_text(drills, width=screen_width(), paint=paint))
    if drills.unexpected:
        return UNEXPECTED
    return UNDETERMINED if drills.undetermined else 0
