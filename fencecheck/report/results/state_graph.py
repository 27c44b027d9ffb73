"""A state graph in the formats of other tools: DOT for Graphviz, GraphML for graph editors.

Takes the networkx graph that analysis/state_graph.py makes; gives text. DOT names each state by
its number, with the values of its variables where one hovers; GraphML has every variable as an
attribute of its node.
"""

from __future__ import annotations

from typing import Any

import graphviz

from fencecheck.report.picture.styles import FONT, INK, ORANGE, PAPER, RED

HEAD = ("number", "initial", "on_trace", "breaks")


def graph_to_dot(graph: Any, title: str) -> str:
    """Return a state graph as DOT source, to be laid out by ``dot`` or ``sfdp``."""
    dot = graphviz.Digraph("states")
    dot.attr(label=_plain(title), labelloc="t", fontname=FONT, bgcolor=PAPER)
    dot.attr("node", shape="box", style="rounded,filled", fillcolor=PAPER, fontname=FONT)
    dot.attr("edge", fontname=FONT, fontsize="9")
    for number, state in graph.nodes(data=True):
        values = [f"{name} {value}" for name, value in state.items() if name not in HEAD]
        label = f"{number}\n{state['breaks']}" if state["breaks"] else str(number)
        look = {"color": RED, "fontcolor": RED} if state["breaks"] else {"color": INK}
        look |= {"peripheries": "2"} if state["initial"] else {}
        look |= {"penwidth": "2.5"} if state["on_trace"] else {}
        dot.node(str(number), label=_plain(label), tooltip=_plain("\n".join(values)), **look)
    for source, target, event in graph.edges(data=True):
        label = f"{event['event']}\n{event['breaks']}" if event["breaks"] else event["event"]
        look = {"style": "dashed", "color": ORANGE} if event["interference"] else {}
        look |= {"color": RED, "fontcolor": RED} if event["breaks"] else {}
        look |= {"penwidth": "2.5"} if event["on_trace"] else {}
        dot.edge(str(source), str(target), label=_plain(label), **look)
    return str(dot.source)


def _plain(text: str) -> str:
    """Return a text in which nothing means anything to DOT but the ends of lines."""
    printable = "".join(char if char.isprintable() or char == "\n" else " " for char in text)
    escaped: str = graphviz.escape(printable)
    return escaped.replace("\n", "\\n")


def graph_to_graphml(graph: Any) -> str:
    """Return a state graph as GraphML."""
    from networkx import generate_graphml

    return "\n".join(generate_graphml(graph, named_key_ids=False)) + "\n"
