"""Lower what a family declares: its actions and what constrains them, its promises."""
