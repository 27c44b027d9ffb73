"""A picture says below the bounds which interference had no budget, and so does a saved trace."""

from dataclasses import replace

from fencecheck.checking.check import check_design
from fencecheck.checking.question import Question
from fencecheck.model.files.loading import load_family
from fencecheck.report.picture.dot import trace_to_dot
from fencecheck.report.picture.mermaid import trace_to_mermaid
from fencecheck.runs.trace_json import read_trace, trace_object


def test_pictures_and_traces_say_what_was_not_tried() -> None:
    family = load_family("fence")
    design = family.design({"fence": "none", "precondition": "off"}, {"edits": 1})
    (found,) = check_design(family, design, Question(("no_lost_update",))).findings
    trace = found.trace
    assert trace is not None
    assert trace.not_tried == family.not_tried(design)
    words = f"not tried: {', '.join(name.replace('_', ' ') for name in trace.not_tried)}"
    lines = trace_to_mermaid(trace).splitlines()
    assert lines[3] == f"    %% {words}"
    assert trace_to_dot(trace).count("not tried: ") == 1
    document = trace_object(trace)
    assert read_trace(document, "here") == trace
    del document["not_tried"]  # as traces of earlier versions are
    assert read_trace(document, "here") == replace(trace, not_tried=())
    every = replace(trace, not_tried=())
    assert "not tried" not in trace_to_dot(every) + trace_to_mermaid(every)
