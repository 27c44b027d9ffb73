"""How the parts of a swim-lane picture look in Graphviz: colours, shapes, lines, by kind of part.

Only attributes of DOT stand here, no positions and no texts. Each difference in colour goes with
one in shape, weight or dashes, so that a print in black and white tells the same.
"""

from __future__ import annotations

FONT = "Arial"

# Blue, orange and vermilion-red of the Okabe-Ito palette, darkened until text and thin lines in
# them keep a contrast of at least 4.5 to 1; shapes and dashes tell the same without colour.
INK, MUTED, PAPER = "#1A1A1A", "#595959", "#FFFFFF"
BLUE, GREEN, ORANGE, RED = "#00527F", "#006B4F", "#9A4B00", "#9E1B1B"
TONES = {
    "ink": INK,
    "muted": MUTED,
    "paper": PAPER,
    "request": BLUE,
    "back": GREEN,
    "remark": INK,
    "broken": RED,
    "loop": INK,
}
NODE_STYLES: dict[str, dict[str, str]] = {
    "event": {
        "shape": "box",
        "style": "rounded,filled",
        "fillcolor": PAPER,
        "color": BLUE,
        "penwidth": "1.2",
    },
    "interference": {"style": "filled", "fillcolor": "#FFE3B3", "color": ORANGE, "penwidth": "1.6"},
    "broken": {
        "shape": "box",
        "style": "rounded,filled",
        "fillcolor": RED,
        "color": RED,
        "penwidth": "2",
    },
    "onward": {
        "shape": "box",
        "style": "rounded,filled,dashed",
        "fillcolor": PAPER,
        "color": BLUE,
        "penwidth": "1.2",
    },
    "cell": {
        "shape": "box",
        "style": "filled",
        "fillcolor": PAPER,
        "color": "#7A7A7A",
        "penwidth": "0.8",
    },
    "remark": {
        "shape": "box",
        "style": "filled,dashed",
        "fillcolor": PAPER,
        "color": "#595959",
        "penwidth": "0.9",
    },
    "initial": {
        "shape": "box",
        "style": "filled",
        "fillcolor": "#F4F4F4",
        "color": "#B0B0B0",
        "penwidth": "0.6",
    },
    "label": {
        "shape": "box",
        "style": "filled",
        "fillcolor": PAPER,
        "color": PAPER,
        "penwidth": "0",
    },
    "card": {
        "shape": "box",
        "style": "filled",
        "fillcolor": PAPER,
        "color": RED,
        "penwidth": "1.2",
    },
    "text": {"shape": "plain"},
    "end": {
        "shape": "circle",
        "style": "filled",
        "fillcolor": PAPER,
        "color": BLUE,
        "penwidth": "1.2",
    },
    "lane-system": {"shape": "box", "style": "rounded,filled", "fillcolor": BLUE, "color": BLUE},
    "lane-interference": {
        "style": "filled",
        "fillcolor": "#FFE3B3",
        "color": ORANGE,
        "penwidth": "1.6",
    },
    "lane-store": {
        "shape": "cylinder",
        "style": "filled",
        "fillcolor": "#D9D9D9",
        "color": "#4D4D4D",
    },
}
EDGE_STYLES: dict[str, dict[str, str]] = {
    "request": {"color": BLUE, "penwidth": "1.3"},
    "back": {"color": GREEN, "penwidth": "1.1", "arrowhead": "vee"},
    "change": {"color": INK, "penwidth": "1"},
    "compare": {"color": MUTED, "penwidth": "1", "style": "dotted", "arrowhead": "none"},
    "lifeline-system": {
        "color": "#B8B8B8",
        "penwidth": "0.9",
        "style": "dashed",
        "arrowhead": "none",
    },
    "lifeline-interference": {
        "color": "#B8B8B8",
        "penwidth": "0.9",
        "style": "dashed",
        "arrowhead": "none",
    },
    "lifeline-store": {"color": "#A8A8A8", "penwidth": "1.2", "arrowhead": "none"},
    "loop": {"color": INK, "penwidth": "1.6"},
    "divider": {"color": INK, "penwidth": "1", "style": "dashed", "arrowhead": "none"},
}
BAND_STYLES = {
    "store": {"style": "filled", "fillcolor": "#F1F3F4", "color": "#F1F3F4"},
    "broken": {"style": "filled", "fillcolor": "#FBE3E0", "color": "#FBE3E0"},
    "loop": {"style": "dashed", "bgcolor": "transparent", "color": "#4D4D4D", "penwidth": "1"},
    "panel": {"style": "filled", "fillcolor": "#FDF3F1", "color": RED},
}
